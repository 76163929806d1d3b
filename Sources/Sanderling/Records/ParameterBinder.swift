import Foundation
public import SanderlingSQLite

/// A binder of values to the parameters of a statement that is about to run.
public struct ParameterBinder {
  /// The statement; nil if values are collected.
  @usableFromInline let statement: OpaquePointer?
  /// The number of parameters before the first one, in a statement for several rows.
  @usableFromInline let offset: Int32
  /// The array for collected values; nil if a statement takes them. A pointer, since a reference would be counted for
  /// each bound value. It is valid while ``collecting(_:_:)`` runs.
  private let collection: UnsafeMutablePointer<[StorageValue]>?

  package init(statement: OpaquePointer, offset: Int32 = 0) {
    self.init(statement: statement, offset: offset, collection: nil)
  }

  private init(statement: OpaquePointer?, offset: Int32, collection: UnsafeMutablePointer<[StorageValue]>?) {
    self.statement = statement
    self.offset = offset
    self.collection = collection
  }

  /// Returns the values that `body` binds to the parameters from 1 to `count`, without a statement.
  ///
  /// A parameter that isn't bound is NULL, as in a statement.
  ///
  /// - Throws: The error of `body`.
  package static func collecting(_ count: Int, _ body: (ParameterBinder) throws -> Void) throws -> [StorageValue] {
    var values = [StorageValue](repeating: .null, count: count)
    try withUnsafeMutablePointer(to: &values) { try body(ParameterBinder(statement: nil, offset: 0, collection: $0)) }
    return values
  }

  @usableFromInline
  func collect(_ value: StorageValue, at index: Int32) throws {
    let position = Int(offset + index) - 1
    guard let collection, collection.pointee.indices.contains(position) else { try fail(SQLITE_RANGE) }
    collection.pointee[position] = value
  }

  /// The binder for the parameters from a later one on.
  @usableFromInline
  func advanced(by count: Int) -> ParameterBinder {
    ParameterBinder(statement: statement, offset: offset + Int32(count), collection: collection)
  }

  /// Binds `value` to the parameter at `index`, counted from 1.
  ///
  /// - Throws: ``ValueError`` for a value that can't be stored.
  @inlinable
  public func bind<Coding: ColumnCoding>(_ value: Coding.Value, at index: Int32, as coding: Coding.Type) throws {
    try Coding.bind(value, to: self, at: index)
  }

  /// Binds a stored value.
  public func bind(_ value: StorageValue, at index: Int32) throws {
    switch value {
    case .null: try bindNull(at: index)
    case .integer(let integer): try bind(integer: integer, at: index)
    case .real(let real): try bind(real: real, at: index)
    case .text(let text): try bind(text: text, at: index)
    case .blob(let data): try data.withUnsafeBytes { try bind(blob: $0, at: index) }
    }
  }

  /// Binds values to the parameters from 1 on.
  package func bind(_ values: [StorageValue]) throws {
    for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
  }

  /// Binds NULL to a parameter.
  @inlinable
  public func bindNull(at index: Int32) throws {
    guard let statement else { return try collect(.null, at: index) }
    try check(sqlite3_bind_null(statement, offset + index))
  }

  /// Binds an integer to a parameter.
  @inlinable
  public func bind(integer: Int64, at index: Int32) throws {
    guard let statement else { return try collect(.integer(integer), at: index) }
    try check(sqlite3_bind_int64(statement, offset + index, integer))
  }

  /// Binds a floating-point number to a parameter.
  ///
  /// - Throws: ``ValueError`` for NaN, which SQLite would store as NULL.
  @inlinable
  public func bind(real: Double, at index: Int32) throws {
    if real.isNaN { throw ValueError.notANumber }
    guard let statement else { return try collect(.real(real), at: index) }
    try check(sqlite3_bind_double(statement, offset + index, real))
  }

  /// Binds a text to a parameter, as UTF-8.
  @inlinable
  public func bind(text: String, at index: Int32) throws {
    guard let statement else { return try collect(.text(text), at: index) }
    var text = text
    try text.withUTF8 { bytes in
      try bytes.withMemoryRebound(to: CChar.self) { characters in
        // A null pointer would bind NULL, so that the empty text needs an address.
        let start = characters.baseAddress ?? UnsafePointer(emptyBytes)
        try check(
          sqlite3_bind_text64(
            statement, offset + index, start, UInt64(characters.count), transientDestructor, UInt8(SQLITE_UTF8)))
      }
    }
  }

  /// Binds a copy of the bytes to a parameter.
  @inlinable
  public func bind(blob: UnsafeRawBufferPointer, at index: Int32) throws {
    guard let statement else { return try collect(.blob(Data(blob)), at: index) }
    let start = blob.baseAddress ?? UnsafeRawPointer(emptyBytes)
    try check(sqlite3_bind_blob64(statement, offset + index, start, UInt64(blob.count), transientDestructor))
  }

  @inlinable
  func check(_ code: Int32) throws {
    if code != SQLITE_OK { try fail(code) }
  }

  @usableFromInline
  func fail(_ code: Int32) throws -> Never {
    switch code {
    case SQLITE_TOOBIG: throw ValueError("the value is larger than SQLite's limit of about one gigabyte")
    case SQLITE_NOMEM: throw ValueError("SQLite has no memory left for the value")
    default: throw ValueError("SQLite could not bind the value: \(String(cString: sqlite3_errstr(code)))")
    }
  }
}

@available(*, unavailable)
extension ParameterBinder: Sendable {}

extension ValueError {
  @usableFromInline static let notANumber = ValueError("NaN can't be stored: SQLite would store NULL")
}

/// SQLITE_TRANSIENT, with which SQLite copies the bytes before the call returns. The cast is safe: it is that of
/// SQLite's own macro, and SQLite compares the address and never calls it.
@usableFromInline let transientDestructor = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// An address for values of no bytes. It is safe on any thread: only the address is passed on, with a length of 0, so
/// that the byte is never read, written or freed.
@usableFromInline nonisolated(unsafe) let emptyBytes = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
