import Foundation
import SanderlingSQL

/// SQLite's [core functions](https://www.sqlite.org/lang_corefunc.html) that terms use.
extension Function {
  /// The reason why the function can't be called with this number of arguments; nil if it can.
  func obstacle(toTaking count: Int) -> String? {
    let counts =
      switch self {
      case .absolute, .length, .lowercased, .uppercased, .folded: 1...1
      case .position, .when, .jsonPart: 2...2
      case .round: 1...2
      case .day, .jsonContains: 3...3
      case .coalesce: 2...Self.maximumArgumentCount
      case .matches, .relevance: 3...Self.maximumArgumentCount
      }
    return counts.contains(count) ? nil : "\(rawValue)() does not take \(count) arguments"
  }

  /// SQLite's default limit of a function's arguments.
  static let maximumArgumentCount = 127

  /// The result for the values of all arguments. The functions that evaluate only some of their arguments, such as
  /// `coalesce` and CASE, are evaluated elsewhere.
  func call(_ arguments: [StorageValue]) throws -> StorageValue {
    if arguments.contains(where: \.isNull) { return .null }
    switch self {
    case .absolute: return try arguments[0].magnitude()
    case .length: return try arguments[0].length()
    case .lowercased: return try arguments[0].withASCIICase(.lower)
    case .uppercased: return try arguments[0].withASCIICase(.upper)
    case .position: return .integer(try arguments[0].position(of: arguments[1]))
    case .round:
      return try SQLiteConversions.round(arguments[0], places: arguments.count > 1 ? arguments[1] : .integer(0))
    case .folded: return try arguments[0].folded()
    case .coalesce, .when, .day, .matches, .relevance, .jsonPart, .jsonContains:
      preconditionFailure("it is evaluated elsewhere")
    }
  }
}

extension StorageValue {
  /// `abs(X)`. It fails for the least integer, which has no positive counterpart.
  fileprivate func magnitude() throws -> StorageValue {
    if case .integer(let integer) = self {
      guard integer != .min else { throw EvaluationError.integerOverflow }
      return .integer(abs(integer))
    }
    let real = try asReal()
    return .real(real < 0 ? -real : real)
  }

  /// `length(X)`: the number of scalars of a text before its first NUL character, of bytes of a blob, or of digits of a
  /// number.
  fileprivate func length() throws -> StorageValue {
    if case .blob(let data) = self { return .integer(Int64(data.count)) }
    return try withTextBytes { bytes in
      .integer(Int64(bytes.prefix { $0 != 0 }.count { !$0.isContinuation }))
    }
  }

  fileprivate func withASCIICase(_ letterCase: ASCIICase) throws -> StorageValue {
    guard case .text(let text) = self else { return try text().withASCIICase(letterCase) }
    return .text(text.withASCIICase(letterCase))
  }

  /// The fold of a text. Numbers and blobs, which another writer may have stored, are folded as the texts that SQLite
  /// makes of them.
  fileprivate func folded() throws -> StorageValue {
    if case .text(let text) = self { return .text(TextFold.fold(text)) }
    return try withTextBytes { bytes in
      .text(
        bytes.withMemoryRebound(to: UInt8.self) { bytes in TextFold.fold(bytes) { String(decoding: $0, as: UTF8.self) }
        })
    }
  }

  /// The value as a text. A blob's bytes are read as UTF-8.
  ///
  /// - Throws: ``EvaluationError/unsupported(_:)`` for bytes that aren't UTF-8, which no Swift text can hold.
  private func text() throws -> StorageValue {
    try withTextBytes { bytes in
      guard let text = String(validating: bytes, as: UTF8.self) else { throw EvaluationError.invalidText }
      return .text(text)
    }
  }

  /// `X || Y`, which is always a text, even of two blobs.
  func concatenated(with other: StorageValue) throws -> StorageValue {
    if isNull || other.isNull { return .null }
    if case .text(let left) = self, case .text(let right) = other { return .text(left + right) }
    var bytes: [UInt8] = []
    try withTextBytes { bytes.append(contentsOf: $0) }
    try other.withTextBytes { bytes.append(contentsOf: $0) }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw EvaluationError.invalidText }
    return .text(text)
  }

  /// `instr(X, Y)`: the place at which the other value begins, counted from 1, or 0 if it doesn't occur. Two blobs are
  /// searched by bytes, other values by scalars.
  fileprivate func position(of other: StorageValue) throws -> Int64 {
    let countsBytes =
      if case .blob = self, case .blob = other { true } else { false }
    return try withTextBytes { haystack in
      try other.withTextBytes { needle in
        guard let index = haystack.firstIndex(of: needle, countsBytes: countsBytes) else { return 0 }
        if countsBytes || index == 0 { return Int64(index) + 1 }
        return Int64(haystack[1...index].count { !$0.isContinuation }) + 1
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The first place at which the other bytes begin. Unless bytes are counted, the place is not within a scalar.
  fileprivate func firstIndex(of needle: UnsafeRawBufferPointer, countsBytes: Bool) -> Int? {
    guard let first = needle.first else { return 0 }
    guard let start = baseAddress, let sought = needle.baseAddress else { return nil }
    var index = 0
    while needle.count <= count - index {
      // The search for the first byte ends at the last place at which the whole needle fits.
      guard let found = memchr(start + index, Int32(first), count - index - needle.count + 1) else { return nil }
      index = UnsafeRawPointer(found) - start
      let isBoundary = countsBytes || index == 0 || !self[index].isContinuation
      if isBoundary, memcmp(start + index, sought, needle.count) == 0 { return index }
      index += 1
    }
    return nil
  }
}

extension UInt8 {
  /// Whether the byte continues a scalar of UTF-8.
  fileprivate var isContinuation: Bool { self & 0xC0 == 0x80 }
}
