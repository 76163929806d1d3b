public import Foundation

/// A mistake in a predicate format, with its place.
///
/// ```
/// the predicate format is wrong at 8: Project has no property "nam": it has id, name, tasks
///   project.nam == %@
///           ^
/// ```
public struct PredicateFormatError: Error, Hashable, Sendable {
  /// The mistake, and its remedy.
  public let reason: String
  /// The format.
  public let format: String
  /// The number of characters before the mistake.
  public let position: Int

  init(_ reason: String, in format: String, at position: Int) {
    self.reason = reason
    self.format = format
    self.position = position
  }
}

extension PredicateFormatError: CustomStringConvertible, LocalizedError {
  /// The mistake, and the line of the format with a mark below the place.
  public var description: String {
    let before = format.prefix(position)
    let start = before.lastIndex(where: \.isNewline).map { format.index(after: $0) } ?? format.startIndex
    let line = format[start...].prefix { !$0.isNewline }
    let indentation = String(repeating: " ", count: format[start..<before.endIndex].count)
    return "the predicate format is wrong at \(position): \(reason)\n  \(line)\n  \(indentation)^"
  }

  public var errorDescription: String? { description }
}
