import Foundation
import Testing

@testable import Sanderling

/// The fold of each scalar of Unicode, beside that of another source: see Scripts/unicode-expectation.
@Suite struct FoldScalarTests {
  @Test func eachScalarFoldsAsExpected() throws {
    let expected = try Self.expectation()
    #expect(expected.count > 5000)
    var differences: [String] = []
    for scalar in UInt32(0)..<0x110000 {
      guard let scalar = Unicode.Scalar(scalar) else { continue }
      let folded = Array(TextFold.fold(String(Character(scalar))).unicodeScalars)
      let wanted = expected[scalar] ?? [scalar]
      if folded != wanted { differences.append("\(Self.hex([scalar])): \(Self.hex(folded)), not \(Self.hex(wanted))") }
    }
    #expect(differences.isEmpty, "\(differences.count), of which the first are \(differences.prefix(20))")
  }

  /// What the system's own tables decompose canonically, and have the same small letter of, is one to the fold as well.
  @Test func equivalentScalarsFoldAlike() {
    for scalar in (UInt32(0)..<0x110000).lazy.compactMap(Unicode.Scalar.init) {
      let text = String(Character(scalar))
      let folded = TextFold.fold(text)
      for other in [text.decomposedStringWithCanonicalMapping, text.decomposedStringWithCompatibilityMapping] {
        // Foundation may know a newer version of Unicode, never of what was assigned before.
        if TextFold.fold(other) != folded {
          Issue.record("U+\(Self.hex([scalar])) folds to \(folded), and decomposed to \(TextFold.fold(other))")
        }
      }
      if scalar.properties.isUppercase, TextFold.fold(scalar.properties.lowercaseMapping) != folded {
        Issue.record("U+\(Self.hex([scalar])) folds to \(folded), and in small letters otherwise")
      }
      // Twice is once.
      if TextFold.fold(folded) != folded { Issue.record("U+\(Self.hex([scalar])) isn't idempotent") }
    }
  }

  private static func hex(_ scalars: [Unicode.Scalar]) -> String {
    scalars.map { String($0.value, radix: 16, uppercase: true) }.joined(separator: " ")
  }

  private static func expectation() throws -> [Unicode.Scalar: [Unicode.Scalar]] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/fold.txt")
    var result: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      let scalars = fields.map {
        $0.split(separator: " ").compactMap { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }
      }
      result[try #require(scalars.first?.first)] = try #require(scalars.last)
    }
    return result
  }
}
