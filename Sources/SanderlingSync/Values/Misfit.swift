import Sanderling

/// The reason for which a change can't be applied in its form, whatever changes follow.
struct Misfit: Error {
  let column: String?
  var reason: String

  init(_ reason: String, column: String? = nil) {
    self.column = column
    self.reason = reason
  }

  init(_ violation: ConstraintViolation) {
    let sentence = violation.description
    self.init(sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence, column: violation.columns.first)
  }
}
