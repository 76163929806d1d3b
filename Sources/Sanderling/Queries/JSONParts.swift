import Foundation

/// A step of a path into JSON: the name of a member, or the position of an element.
///
/// A string literal is a name, and an integer literal is a position. Positions count from 0. Negative positions count
/// from the end: -1 is the last element.
public enum JSONStep: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// The member of an object with this name.
  case member(String)
  /// The element of an array at this position.
  case element(Int)

  /// Creates the step to a member.
  public init(stringLiteral name: String) { self = .member(name) }

  /// Creates the step to an element.
  public init(integerLiteral position: Int) { self = .element(position) }

  /// The step in SQLite's path language; nil for a name that JSON writes with escapes: SQLite compares names as they are
  /// written.
  fileprivate var text: String? {
    switch self {
    case .member(let name):
      name.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") } ? nil : ".\"\(name)\""
    case .element(let position): position < 0 ? "[#\(position)]" : "[\(position)]"
    }
  }
}

extension Field {
  /// The value at a path of the JSON that the property stores: `@Stored(as: .json)`, or a text.
  ///
  /// ```swift
  /// let berlin = Person.where { $0.address.json("city", as: String.self) == "Berlin" }
  /// let byFirst = Order.order { $0.lines.json(0, "price", as: Double.self) }
  /// ```
  ///
  /// The value is NULL if the text is no JSON, and if there is nothing or `null` at the path. `true` and `false` are 1
  /// and 0, and objects and arrays are their JSON text. A live list reads the value again for each changed row. No
  /// declared index serves the condition: store a value that is often searched in a column of its own.
  ///
  /// Running the query throws ``StoreError/invalidQuery(_:)`` if the property stores no JSON, and for parts of the types
  /// `Data`, `UUID` and `Decimal`, which columns store in another form. It also throws if a member's name contains a
  /// quotation mark, a backslash or a control character.
  ///
  /// - Parameters:
  ///   - path: The way from the whole value to the part.
  ///   - part: The type of the part.
  public func json<Part: ColumnValue>(_ path: JSONStep..., as part: Part.Type) -> Field<Part?> {
    do {
      return Field<Part?>(.function(.jsonPart, [term, try jsonPath(path, to: part)]), as: Part?.self)
    } catch {
      return Field<Part?>(.invalid(error), as: Part?.self)
    }
  }

  /// Whether the JSON array that the property stores has an element that equals a value. Unknown if the text is no JSON.
  ///
  /// ```swift
  /// let urgent = TodoTask.where { $0.tags.jsonContains("urgent") }
  /// ```
  ///
  /// Running the query throws ``StoreError/invalidQuery(_:)`` in the cases of ``json(_:as:)``. A live list decides the
  /// condition again for each changed row. No index serves it: it reads each row's array.
  ///
  /// - Parameters:
  ///   - element: The element.
  ///   - path: The way from the whole value to the array. Empty if the whole value is the array.
  public func jsonContains<Element: ColumnValue>(_ element: Element, at path: JSONStep...) -> Field<Bool> {
    do {
      let path = try jsonPath(path, to: Element.self)
      return Field<Bool>(.function(.jsonContains, [term, path, .constant(try Element.encode(element))]))
    } catch {
      return Field<Bool>(.invalid(error))
    }
  }

  /// The types whose values a column stores in another form than JSON does.
  private static var partsWithoutForm: [any Any.Type] { [Data.self, UUID.self, Decimal.self] }

  /// A path as SQLite writes paths.
  ///
  /// - Throws: ``ValueError`` if the field stores no JSON, or if the path or the part's type can't be read.
  private func jsonPath(_ steps: [JSONStep], to part: Any.Type) throws -> Term {
    guard coding is any JSONStored.Type else {
      throw ValueError("json() reads properties with @Stored(as: .json) and texts, and this is a \(Value.self)")
    }
    if Self.partsWithoutForm.contains(where: { $0 == part }) {
      throw ValueError(
        "a column stores a \(part) in another form than JSON does: ask for the part as a String or a Double")
    }
    let texts = steps.compactMap(\.text)
    guard texts.count == steps.count else {
      throw ValueError(
        "SQLite finds no member of JSON whose name has a quotation mark, a backslash or a control character")
    }
    return .literal(.text("$" + texts.joined()))
  }
}

/// A coding whose stored values are JSON, or texts that may be JSON.
private protocol JSONStored {}

extension JSONCoding: JSONStored {}
extension OptionalCoding: JSONStored where Wrapped: JSONStored {}
extension String: JSONStored {}
extension Optional: JSONStored where Wrapped: JSONStored {}
