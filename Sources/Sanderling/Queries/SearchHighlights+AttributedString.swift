public import Foundation

extension SearchHighlights {
  /// The text, with attributes for the matches.
  ///
  /// ```swift
  /// let bold = AttributeContainer().inlinePresentationIntent(.stronglyEmphasized)
  /// Text(SearchHighlights(session.input).attributed(note.title, bold))
  /// ```
  ///
  /// - Complexity: As ``ranges(in:)``.
  public func attributed(_ text: String, _ attributes: AttributeContainer) -> AttributedString {
    AttributedString(text, ranges(in: text), attributes)
  }
}

extension SearchSnippet {
  /// The snippet, with attributes for the matches.
  public func attributed(_ attributes: AttributeContainer) -> AttributedString {
    AttributedString(text, ranges, attributes)
  }
}

extension AttributedString {
  /// Creates a text with attributes in some ranges.
  ///
  /// - Parameter ranges: The ranges, in order.
  fileprivate init(_ text: String, _ ranges: [Range<String.Index>], _ attributes: AttributeContainer) {
    self.init()
    var end = text.startIndex
    for range in ranges {
      append(AttributedString(text[end..<range.lowerBound]))
      append(AttributedString(text[range], attributes: attributes))
      end = range.upperBound
    }
    append(AttributedString(text[end...]))
  }
}
