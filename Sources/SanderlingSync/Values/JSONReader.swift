import Sanderling

/// The error for a text that isn't JSON, with the place.
struct JSONSyntaxError: Error, Hashable, Sendable {
  let reason: String
  /// The place in bytes from the beginning of the text.
  let offset: Int
}

/// Reads one JSON value (RFC 8259). Integers of 64 bits are exact. Arrays and objects stay JSON and are validated.
struct JSONReader {
  private let bytes: [UInt8]
  private var position = 0
  private let depthLimit: Int

  init(_ bytes: [UInt8], depthLimit: Int = 64) {
    self.bytes = bytes
    self.depthLimit = depthLimit
  }

  init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// The members of the object in the text; the last one of a name counts.
  mutating func object() throws -> [String: ForeignValue] {
    var members: [String: ForeignValue] = [:]
    skipSpace()
    guard skip("{") else { throw failure("an object must begin here with {") }
    try elements(until: "}") { reader in
      let name = try reader.name()
      members[name] = try reader.value(depth: 1)
    }
    try end()
    return members
  }

  /// The elements of the array in the text.
  mutating func array() throws -> [ForeignValue] {
    var values: [ForeignValue] = []
    skipSpace()
    guard skip("[") else { throw failure("an array must begin here with [") }
    try elements(until: "]") { values.append(try $0.value(depth: 1)) }
    try end()
    return values
  }

  // MARK: Grammar

  mutating func end() throws {
    skipSpace()
    guard position == bytes.count else { throw failure("text follows the value") }
  }

  mutating func name() throws -> String {
    skipSpace()
    guard skip("\"") else { throw failure("a member's name in double quotes is missing") }
    let name = try string()
    skipSpace()
    guard skip(":") else { throw failure("a colon is missing") }
    return name
  }

  /// Reads elements up to the closing bracket; the opening one was read.
  mutating func elements(until close: Unicode.Scalar, _ element: (inout JSONReader) throws -> Void) throws {
    skipSpace()
    if skip(close) { return }
    while true {
      try element(&self)
      skipSpace()
      if skip(close) { return }
      guard skip(",") else { throw failure("a comma or \(close) is missing") }
      skipSpace()
    }
  }

  mutating func value(depth: Int) throws -> ForeignValue {
    skipSpace()
    guard position < bytes.count else { throw failure("a value is missing") }
    let start = position
    switch bytes[position] {
    case UInt8(ascii: "\""):
      position += 1
      return .text(try string())
    case UInt8(ascii: "{"):
      try enter(depth)
      try elements(until: "}") { reader in
        _ = try reader.name()
        _ = try reader.value(depth: depth + 1)
      }
    case UInt8(ascii: "["):
      try enter(depth)
      try elements(until: "]") { _ = try $0.value(depth: depth + 1) }
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
    return .json(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private mutating func enter(_ depth: Int) throws {
    if depth >= depthLimit { throw failure("values are nested more than \(depthLimit) deep") }
    position += 1
  }

  private mutating func word(_ word: StaticString, _ value: ForeignValue) throws -> ForeignValue {
    let isThere = word.withUTF8Buffer { bytes[position...].starts(with: $0) }
    guard isThere else { throw failure("no JSON value begins with these characters") }
    position += word.utf8CodeUnitCount
    return value
  }

  private mutating func number() throws -> ForeignValue {
    let start = position
    _ = skip("-")
    let first = position
    guard digits() > 0 else { throw failure("no JSON value begins with these characters", at: start) }
    if bytes[first] == UInt8(ascii: "0"), position - first > 1 {
      throw failure("a number has a leading zero", at: start)
    }
    var isInteger = true
    if skip(".") {
      isInteger = false
      guard digits() > 0 else { throw failure("digits are missing after the decimal point") }
    }
    if skip("e") || skip("E") {
      isInteger = false
      if !skip("+") { _ = skip("-") }
      guard digits() > 0 else { throw failure("digits are missing in the exponent") }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger { return Int64(text).map { .integer($0) } ?? .number(text) }
    return Double(exact: text).map { .real($0) } ?? .number(text)
  }

  private mutating func digits() -> Int {
    let start = position
    while position < bytes.count, (48...57).contains(bytes[position]) { position += 1 }
    return position - start
  }

  /// Reads a string; the opening quote was read.
  private mutating func string() throws -> String {
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\""), bytes[position] != UInt8(ascii: "\\"),
      bytes[position] >= 32
    { position += 1 }
    if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
      defer { position += 1 }
      return try text(bytes[start..<position], at: start)
    }
    var decoded = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return try text(decoded[...], at: start)
      case UInt8(ascii: "\\"): try escape(&decoded)
      case ..<32: throw failure("a string contains a control character", at: position - 1)
      default: decoded.append(byte)
      }
    }
    throw failure("the closing quote of a string is missing")
  }

  private func text(_ bytes: ArraySlice<UInt8>, at offset: Int) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw failure("a string is not valid UTF-8", at: offset)
    }
    return text
  }

  private mutating func escape(_ decoded: inout [UInt8]) throws {
    guard position < bytes.count else { throw failure("the closing quote of a string is missing") }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(byte)
    case UInt8(ascii: "b"): decoded.append(8)
    case UInt8(ascii: "f"): decoded.append(12)
    case UInt8(ascii: "n"): decoded.append(10)
    case UInt8(ascii: "r"): decoded.append(13)
    case UInt8(ascii: "t"): decoded.append(9)
    case UInt8(ascii: "u"):
      var code = try hexadecimal()
      if (0xD800..<0xDC00).contains(code) {
        guard skip("\\"), skip("u") else { throw failure("the second half of a surrogate pair is missing") }
        let low = try hexadecimal()
        guard (0xDC00..<0xE000).contains(low) else { throw failure("the second half of a surrogate pair is missing") }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw failure("half of a surrogate pair stands alone") }
      decoded += Array(String(scalar).utf8)
    default: throw failure("the escape is unknown", at: position - 1)
    }
  }

  /// Digits only: the standard conversion would also accept a sign.
  private mutating func hexadecimal() throws -> UInt32 {
    let digits = bytes[position...].prefix(4).compactMap(\.hexadecimalDigit)
    guard digits.count == 4 else { throw failure("four hexadecimal digits are missing after \\u") }
    position += 4
    return digits.reduce(0) { $0 << 4 | UInt32($1) }
  }

  mutating func skipSpace() {
    while position < bytes.count, [32, 9, 10, 13].contains(bytes[position]) { position += 1 }
  }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
    position += 1
    return true
  }

  func failure(_ reason: String, at offset: Int? = nil) -> JSONSyntaxError {
    JSONSyntaxError(reason: reason, offset: offset ?? position)
  }
}
