import Foundation
import Testing

@testable import SanderlingCLI

/// The printed source of records, which a file beside the tests contains, so that the compiler checks it.
///
/// `SANDERLING_WRITE_RECORDS=1 make test` writes the files again after a change of the output.
enum PrintedRecords {
  /// Compares a source with the file `<name>Records.swift`, which contains it inside of an enum.
  static func check(_ source: RecordSource, name: String, in folder: URL) throws {
    let file = folder.appending(path: "\(name)Records.swift")
    let text = wrapped(source.text, in: name)
    if ProcessInfo.processInfo.environment["SANDERLING_WRITE_RECORDS"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  private static func wrapped(_ source: String, in name: String) -> String {
    let (imports, body) = source.split(separator: "\n", omittingEmptySubsequences: false).reduce(
      into: ([Substring](), [Substring]())
    ) {
      $1.hasPrefix("import ") || $1.hasPrefix("// The records of") ? $0.0.append($1) : $0.1.append($1)
    }
    let lines = body.drop { $0.isEmpty }.map { line in
      line.isEmpty ? "" : "  " + (line.hasPrefix("let ") || line.hasPrefix("func ") ? "static \(line)" : line)
    }
    return "// swift-format-ignore-file\n" + imports.joined(separator: "\n") + "\n\nenum \(name) {\n"
      + lines.joined(separator: "\n").trimmingCharacters(in: .newlines) + "\n}\n"
  }
}
