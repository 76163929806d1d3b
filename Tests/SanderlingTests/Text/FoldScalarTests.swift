import Foundation
import Testing

@testable import Sanderling

/// The fold of each Unicode scalar equals that of another source: see Scripts/unicode-expectation.
@Suite struct FoldScalarTests {
  @Test func eachScalarFoldsAsExpected() throws {
    let expected = try Self.expectation()
    #expect(expected.count > 5000)
    var differences: [String] = []
    let buffer = FoldBuffer()
    for scalar in UInt32(0)..<0x110000 {
      guard let scalar = Unicode.Scalar(scalar) else { continue }
      let folded = Array(Self.fold(String(Character(scalar)), buffer).unicodeScalars)
      let wanted = expected[scalar] ?? [scalar]
      if folded != wanted { differences.append("\(Self.hex([scalar])): \(Self.hex(folded)), not \(Self.hex(wanted))") }
    }
    #expect(differences.isEmpty, "\(differences.count), of which the first are \(differences.prefix(20))")
  }

  /// Scalars with the same canonical decomposition and the same lowercase mapping, by the system's own tables, have
  /// equal folds.
  @Test func equivalentScalarsFoldAlike() {
    let buffer = FoldBuffer()
    for scalar in (UInt32(0)..<0x110000).lazy.compactMap(Unicode.Scalar.init) {
      let text = String(Character(scalar))
      let folded = Self.fold(text, buffer)
      for other in [text.decomposedStringWithCanonicalMapping, text.decomposedStringWithCompatibilityMapping] {
        // Foundation may know a newer version of Unicode, but assigned characters don't change.
        if !other.utf8.elementsEqual(text.utf8), Self.fold(other, buffer) != folded {
          Issue.record("U+\(Self.hex([scalar])) folds to \(folded), and decomposed to \(TextFold.fold(other))")
        }
      }
      if scalar.properties.isUppercase, Self.fold(scalar.properties.lowercaseMapping, buffer) != folded {
        Issue.record("U+\(Self.hex([scalar])) folds to \(folded), and in small letters otherwise")
      }
      // Folding the fold changes nothing.
      if Self.fold(folded, buffer) != folded { Issue.record("U+\(Self.hex([scalar])) isn't idempotent") }
    }
  }

  private static func fold(_ text: String, _ buffer: FoldBuffer) -> String {
    text.withContiguousUTF8 { buffer.fold($0) }
    return buffer.withFolded { String(decoding: $0, as: UTF8.self) }
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
      let folded: [Unicode.Scalar] = try #require(scalars.last)
      result[try #require(scalars.first?.first)] = folded
    }
    return result
  }
}
