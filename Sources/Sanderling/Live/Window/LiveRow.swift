/// One row of a live list with an identity: the selected value, and the key of its row. See ``LiveRows/identified``.
///
/// The row offers the properties of its element: `row.title` is `row.element.title`.
@dynamicMemberLookup
public struct LiveRow<Element: Sendable>: Identifiable, Sendable {
  /// The identity of the row. It is the same in every snapshot, however the row's values and position change.
  public let id: RowID
  /// The selected value of the row.
  public let element: Element
  /// A number that changes with the element.
  let version: UInt64

  init(id: RowID, element: Element, version: UInt64) {
    self.id = id
    self.element = element
    self.version = version
  }

  public subscript<Value>(dynamicMember keyPath: KeyPath<Element, Value>) -> Value {
    element[keyPath: keyPath]
  }
}

extension LiveRow: Equatable where Element: Equatable {
  public static func == (lhs: LiveRow, rhs: LiveRow) -> Bool {
    lhs.id == rhs.id && lhs.element == rhs.element
  }
}

extension LiveRow: Hashable where Element: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(element)
  }
}
