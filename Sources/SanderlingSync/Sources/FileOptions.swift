/// How a file of rows is read.
public struct FileOptions: Sendable, Hashable {
  /// The encoding; nil for the encoding that the file's first bytes show, or UTF-8 if they show none.
  public var encoding: FileEncoding?
  /// Which of the rows with one key is used.
  public var duplicates: DuplicateRows
  /// Columns of the file that aren't read. The case of ASCII letters doesn't count.
  public var ignoredColumns: Set<String>
  /// The limits of rows and values.
  public var limits: FileLimits

  public init(
    encoding: FileEncoding? = nil, duplicates: DuplicateRows = .useFirst, ignoredColumns: Set<String> = [],
    limits: FileLimits = FileLimits()
  ) {
    self.encoding = encoding
    self.duplicates = duplicates
    self.ignoredColumns = ignoredColumns
    self.limits = limits
  }
}

/// Which of a file's rows with one key is used. Rows with the same values are one row.
public enum DuplicateRows: String, Sendable, Hashable, CaseIterable {
  /// The first one. Later rows with other values go to the quarantine, with their lines.
  ///
  /// The keys are noted in a temporary file while the file is read: about 20 bytes a row, and the key.
  case useFirst = "first"
  /// The last one: the file is a log of changes.
  case useLast = "last"
}

/// How the values of a file of comma-separated values are written.
public struct CSVFormat: Sendable, Hashable {
  /// The character between fields: an ASCII character other than a quote and a line break.
  ///
  /// By default a comma, unless the first row names the key's columns only if it is divided by semicolons, by tabs or by bars.
  public var delimiter: Character?
  /// Texts without quotes that mean NULL, besides the empty field.
  public var nulls: Set<String>
  /// How blobs are written.
  ///
  /// By default each value must show it: `X'0aff'` is hexadecimal, and a text with a character that is no hexadecimal digit is base64.
  /// Other texts may be both, and are quarantined.
  public var blobs: BlobText?
  /// How the blobs of some columns are written, by the names of the columns.
  public var blobColumns: [String: BlobText]

  public init(
    delimiter: Character? = nil, nulls: Set<String> = [], blobs: BlobText? = nil, blobColumns: [String: BlobText] = [:]
  ) {
    self.delimiter = delimiter
    self.nulls = nulls
    self.blobs = blobs
    self.blobColumns = blobColumns
  }
}

/// How bytes are written as text.
public enum BlobText: String, Sendable, Hashable, CaseIterable {
  /// Two digits a byte, with or without `X'…'` around them.
  case hex
  /// RFC 4648, with its padding.
  case base64
}
