/// The names of the columns that a SELECT written by hand must have.
struct ColumnNames: Sendable {
  let expected: [String]
  /// The SELECT as it was written.
  let fragments: [RawFragment]
  /// The type that is read from the rows.
  let type: String

  /// Checks that the found columns are the expected ones.
  ///
  /// - Throws: ``StoreError/invalidQuery(_:)``, which names missing, duplicate and superfluous columns.
  func check(_ found: [String]) throws {
    if let error = Self.error(found: found, expected: expected, type: type) { throw error }
  }

  /// The error for the found columns; nil if they match.
  static func error(found: [String], expected: [String], type: String) -> StoreError? {
    let counts = Dictionary(found.map { ($0.asciiLowercased, 1) }, uniquingKeysWith: +)
    let known = Set(expected.map { $0.asciiLowercased })
    let problems = [
      (
        expected.filter { counts[$0.asciiLowercased] == nil }, "that \(type) reads is missing",
        "that \(type) reads are missing"
      ),
      (expected.filter { counts[$0.asciiLowercased, default: 0] > 1 }, "appears twice", "appear twice"),
      (
        found.filter { !known.contains($0.asciiLowercased) }, "has no property in \(type)",
        "have no property in \(type)"
      ),
    ]
    .filter { !$0.0.isEmpty }
    .map { names, one, several in
      "the column\(names.count == 1 ? "" : "s") \(names.map(\.quotedIdentifier).joined(separator: ", ")) \(names.count == 1 ? one : several)"
    }
    if problems.isEmpty { return nil }
    return StoreError.invalidQuery("\(problems.joined(separator: "; ")): name the columns of the SELECT with AS")
  }
}
