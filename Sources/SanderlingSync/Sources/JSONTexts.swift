import Sanderling

/// The texts of a file's JSON objects: one on each line, or the elements of one array. O(bytes), with the memory of one
/// object.
final class JSONTexts {
  let bytes: FileBytes
  /// The number of the next line, from 1.
  var line = 1
  /// Whether the last object is complete. A line without its break may continue in a longer file.
  private(set) var isAtBreak = true
  private let limits: FileLimits
  private var form = Form.lines

  private enum Form {
    case lines
    /// The opening bracket of an array, or its first element, is next.
    case array(isOpen: Bool)
    /// The place after an element of an array.
    case elements
  }

  init(_ bytes: FileBytes, _ limits: FileLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// Determines which of the two forms the file has.
  func readHead() throws {
    try passSpace()
    form = try bytes.peek() == UInt8(ascii: "[") ? .array(isOpen: false) : .lines
  }

  /// - Parameter isFirst: Whether no object precedes it.
  func goOn(atLine line: Int, isFirst: Bool) {
    self.line = line
    if case .array = form, !isFirst { form = .elements }
  }

  /// The next text, or the reason why it can't be read; nil at the end.
  ///
  /// - Throws: ``RowRefusal`` for a broken array, because the place of its next element is unknown, and errors of the
  ///   file.
  func next() throws -> ReadRow<[UInt8]>? {
    switch form {
    case .lines: try nextLine()
    case .array, .elements: try nextElement()
    }
  }

  // MARK: Lines

  private func nextLine() throws -> ReadRow<[UInt8]>? {
    while try bytes.peek() != nil {
      let line = line
      var text: [UInt8] = []
      try bytes.take(into: &text, upTo: { $0 == UInt8(ascii: "\n") }, limit: limits.row + 1)
      let isTooLong = text.count > limits.row
      if isTooLong { while let byte = try bytes.peek(), byte != UInt8(ascii: "\n") { try bytes.next() } }
      isAtBreak = try bytes.next() != nil
      self.line += 1
      if isTooLong { return .refused(RowRefusal(line: line, place: limits.row + 1, reason: limits.tooLong)) }
      if !text.allSatisfy(\.isJSONSpace) { return .row(text, line: line) }
    }
    return nil
  }

  // MARK: Elements of an array

  private func nextElement() throws -> ReadRow<[UInt8]>? {
    if case .array(let isOpen) = form {
      if !isOpen { try bytes.next() }
      form = .array(isOpen: true)
      try passSpace()
    } else {
      try passSpace()
      guard let byte = try bytes.peek() else { throw broken("the closing ] of the array is missing") }
      if byte != UInt8(ascii: "]") {
        guard byte == UInt8(ascii: ",") else { throw broken("a comma or ] is missing between two elements") }
        try bytes.next()
        try passSpace()
      }
    }
    if try bytes.peek() == UInt8(ascii: "]") {
      try end()
      return nil
    }
    let element = try element()
    form = .elements
    try passSpace()
    isAtBreak = true
    return element
  }

  /// Ends an array. Nothing may follow it.
  private func end() throws {
    isAtBreak = false
    try bytes.next()
    try passSpace()
    if try bytes.peek() != nil { throw broken("text follows the array") }
  }

  /// Reads a value by its brackets and quotes. It is parsed later.
  private func element() throws -> ReadRow<[UInt8]> {
    let start = line
    var text: [UInt8] = []
    var isTooLong = false
    var (depth, isInString, isEscaped, isClosed) = (0, false, false, false)
    // Whether a byte, which isn't consumed, ends the value.
    func isEnd(_ byte: UInt8) -> Bool {
      if isClosed { return true }
      if byte == UInt8(ascii: "\n") { line += 1 }
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        return false
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return true }
        depth -= 1
        isClosed = depth == 0
      case UInt8(ascii: ","): return depth == 0
      default: break
      }
      return false
    }
    while true {
      try bytes.take(into: &text, upTo: isEnd, limit: limits.row + 1)
      guard text.count > limits.row else { break }
      isTooLong = true
      text = []
    }
    if try bytes.peek() == nil, !isClosed { throw broken("the closing ] of the array is missing") }
    if text.isEmpty, !isTooLong { throw broken("an element is missing") }
    return isTooLong
      ? .refused(RowRefusal(line: start, reason: limits.tooLong)) : .row(text, line: start)
  }

  private func passSpace() throws {
    while let byte = try bytes.peek(), byte.isJSONSpace {
      if byte == UInt8(ascii: "\n") { line += 1 }
      try bytes.next()
    }
  }

  private func broken(_ reason: String) -> RowRefusal { RowRefusal(line: line, reason: reason) }
}

extension UInt8 {
  fileprivate var isJSONSpace: Bool { self == 32 || self == 9 || self == 10 || self == 13 }
}
