import Foundation

/// Checks Swift sources with the compiler and the modules of this test run.
struct TypeChecker: Sendable {
  struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
    let file: String
    let line: Int
    let severity: String
    let message: String

    var description: String { "\(file):\(line): \(severity): \(message)" }
  }

  /// The type checker; nil where the tests run without their build folder.
  static let shared = TypeChecker()

  /// Runs one compiler at a time, so that no thread of the tests waits for a compiler.
  private let queue = DispatchQueue(label: "TypeChecker")

  private init?() {
    if BuildFolder.compiler == nil { return nil }
  }

  /// Returns the compiler's messages for files with these contents.
  func diagnostics(_ files: [String: String], flags: [String] = []) async throws -> [Diagnostic] {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try check(files, flags) }) }
    }
  }

  private func check(_ files: [String: String], _ flags: [String]) throws -> [Diagnostic] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("snippet-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let paths = try files.sorted { $0.key < $1.key }.map { name, text in
      let file = folder.appendingPathComponent(name)
      try text.write(to: file, atomically: true, encoding: .utf8)
      return file
    }
    let (text, status) = try BuildFolder.compile(
      paths, flags: ["-parse-as-library", "-diagnostic-style", "llvm", "-module-name", "Snippet"] + flags)
    let diagnostics = text.split(separator: "\n").compactMap { Self.diagnostic($0) }
    // A compiler that fails without a message must not look like success.
    if diagnostics.isEmpty, status != 0 {
      return [Diagnostic(file: "", line: 0, severity: "error", message: text)]
    }
    return diagnostics
  }

  /// Reads `/path/to/file.swift:3:85: error: message`. Notes are left out.
  private static func diagnostic(_ line: Substring) -> Diagnostic? {
    for severity in ["error", "warning"] {
      guard let separator = line.range(of: ": \(severity): ") else { continue }
      let place = line[..<separator.lowerBound].split(separator: ":", omittingEmptySubsequences: false)
      let (file, number) =
        place.count < 3 ? (place.first ?? "", 0) : (place[place.count - 3], Int(place[place.count - 2]) ?? 0)
      return Diagnostic(
        file: file.split(separator: "/").last.map(String.init) ?? "", line: number, severity: severity,
        message: String(line[separator.upperBound...]))
    }
    return nil
  }
}
