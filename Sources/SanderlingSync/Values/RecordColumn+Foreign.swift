import Foundation
import Sanderling

extension RecordColumn {
  /// Returns the stored value for a value of a file or a server. Without a conversion, it is a value that the column
  /// doesn't accept.
  func stored(_ value: ForeignValue) -> StorageValue { form.stored(value) }

  /// Returns the form of a stored value at a server. ``stored(_:)`` converts it back.
  func foreign(_ value: StorageValue) -> ForeignValue { form.foreign(value) }

  /// Returns the stored value for a field of a file without types.
  func stored(field text: String) -> StorageValue { form.stored(field: text) }

  /// Whether the column holds bytes unchanged.
  var holdsBlobs: Bool { form.coding is Data.Type }

  /// Whether the column has no type, and holds all values unchanged.
  var isUntyped: Bool { form.coding is UntypedCoding.Type }

  /// Returns the value as records would have written it, if numbers are equal.
  func normalized(_ stored: StorageValue) -> StorageValue { form.normalized(stored) }

  /// Returns the reason why the column can't have a value; nil if it can. The reason contains no value.
  func misfit(_ stored: StorageValue) -> String? {
    if stored.isNull { return acceptsNull ? nil : "it is NULL, and the column doesn't accept NULL" }
    if stored.isBeyondNumbers { return "it is a number beyond the range of a double" }
    if form.includes(stored) {
      if form.canRead(stored) { return nil }
      return
        "this version of the app can't read it as a \(form.coding.valueName): add the case or the member, or conform an "
        + "enumeration to OpenColumnValue, and try the change again"
    }
    if let coding = form.coding as? any ExplainedCoding.Type, let reason = coding.misfit(stored) { return reason }
    let found = stored.storageClassName
    if found == form.className { return "the \(found) is not the stored form of a \(form.coding.valueName)" }
    // For a value that is stored unchanged, the coding's name would add nothing.
    return form.needsValues
      ? "it is \(found), and a \(form.coding.valueName) is stored as \(form.className)"
      : "it is \(found) and not \(form.className)"
  }
}

/// A coding that gives its own reasons for refusing values.
protocol ExplainedCoding: ColumnCoding {
  /// - Returns: The reason; nil for a value that the coding accepts.
  static func misfit(_ stored: StorageValue) -> String?
}

extension ColumnCoding {
  fileprivate static var valueName: String { String(describing: Value.self) }
}
