import ArgumentParser
import SanderlingSync

/// The options of `sanderling sync` for reading a file.
struct FileArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The separator between the fields of a CSV file: a character, or tab. (default: a comma, unless the first row shows another character)",
      valueName: "character"), transform: Self.delimiter)
  var delimiter: Character?

  @Option(help: ArgumentHelp("The encoding of the file. (default: utf-8, unless the file shows utf-16)"))
  var encoding: FileEncoding?

  @Option(
    name: .customLong("null"),
    help: ArgumentHelp(
      "A text that means NULL in a CSV file where it stands without quotes, as an empty field does. Can be given several times.",
      valueName: "text"))
  var nulls: [String] = []

  @Option(
    name: .customLong("blob"),
    help: ArgumentHelp(
      "The encoding of blobs in a CSV file: hex or base64, or column=hex for one column. (default: X'…', or base64 that is no hexadecimal number)",
      valueName: "encoding"), transform: BlobArgument.init)
  var blobs: [BlobArgument] = []

  @Option(
    help:
      "The row that is used if several rows have the same key. With first, later rows with other values are quarantined."
  )
  var duplicates = DuplicateRows.useFirst

  @Option(
    name: .customLong("ignore"),
    help: ArgumentHelp("A column of the file to ignore. Can be given several times.", valueName: "column"))
  var ignored: [String] = []

  @Option(help: ArgumentHelp("The largest size of a row. (default: 16)", valueName: "megabytes"))
  var rowLimit: Int?

  @Option(help: ArgumentHelp("The most columns that a row may have. (default: 2000)", valueName: "number"))
  var columnLimit: Int?

  @Option(help: ArgumentHelp("The deepest nesting of JSON. (default: 64)", valueName: "number"))
  var depthLimit: Int?

  func validate() throws {
    if nulls.contains("") { throw ValidationError("--null needs a text: an empty field is NULL anyway.") }
    if ignored.contains("") { throw ValidationError("--ignore needs the name of a column.") }
    if let rowLimit, !(1...2_000).contains(rowLimit) {
      throw ValidationError("--row-limit needs a number of megabytes from 1 to 2000.")
    }
    if let columnLimit, !(1...32_767).contains(columnLimit) {
      throw ValidationError("--column-limit needs a number from 1 to 32767.")
    }
    if let depthLimit, !(1...10_000).contains(depthLimit) {
      throw ValidationError("--depth-limit needs a number from 1 to 10000.")
    }
  }

  /// The format of a CSV file.
  var csv: CSVFormat {
    var format = CSVFormat(delimiter: delimiter, nulls: Set(nulls))
    for blob in blobs {
      if let column = blob.column { format.blobColumns[column] = blob.text } else { format.blobs = blob.text }
    }
    return format
  }

  var options: FileOptions {
    var limits = FileLimits()
    if let rowLimit { limits.row = rowLimit << 20 }
    if let columnLimit { limits.columns = columnLimit }
    if let depthLimit { limits.depth = depthLimit }
    return FileOptions(encoding: encoding, duplicates: duplicates, ignoredColumns: Set(ignored), limits: limits)
  }

  private static func delimiter(_ text: String) throws -> Character {
    if ["tab", "\\t"].contains(text) { return "\t" }
    guard text.count == 1, let character = text.first, character.isASCII, !["\"", "\n", "\r"].contains(character) else {
      throw ValidationError("--delimiter needs an ASCII character other than a quote, or the word tab.")
    }
    return character
  }
}

/// The encoding of the blobs of a file, or of one of its columns.
struct BlobArgument: Equatable {
  let column: String?
  let text: BlobText

  init(_ argument: String) throws {
    let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
    guard let last = parts.last, let text = BlobText(rawValue: String(last)) else {
      throw ValidationError("--blob needs hex or base64, or the encoding of one column, as in photo=hex.")
    }
    self.text = text
    column = parts.count > 1 ? parts.dropLast().joined(separator: "=") : nil
  }
}

extension FileEncoding: ExpressibleByArgument {}
extension DuplicateRows: ExpressibleByArgument {}

extension String {
  /// The library's message, with the command's options in place of the API's names.
  var inCommandWords: String {
    let words = [
      ("SyncOptions.allowsMassDeletion", "--allow-mass-deletion"), ("FileOptions.encoding", "--encoding"),
      ("FileOptions.duplicates", "--duplicates"), ("FileOptions.ignoredColumns", "--ignore"),
      ("FileLimits.row", "--row-limit"), ("FileLimits.columns", "--column-limit"),
      ("FileLimits.depth", "--depth-limit"),
      ("CSVFormat.delimiter", "--delimiter"), ("CSVFormat.blobs", "--blob"),
    ]
    return words.reduce(self) { $0.replacing($1.0, with: $1.1) }
  }
}
