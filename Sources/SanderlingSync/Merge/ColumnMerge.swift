import Foundation
public import Sanderling

/// Merges two values of one column, a local one and the server's.
public struct ColumnMerge: Sendable {
  /// Merges the base, the local value and the server's value.
  let merge: @Sendable (StorageValue?, StorageValue, StorageValue) throws -> StorageValue

  /// Creates a merge by a function of the stored values.
  ///
  /// - Parameter merge: Gets the server's value when the local changes began (nil if both sides created the record),
  ///   the local value and the server's present value. An error that it throws ends the pull, which changes nothing.
  public init(
    _ merge:
      @escaping @Sendable (_ base: StorageValue?, _ local: StorageValue, _ theirs: StorageValue) throws ->
      StorageValue
  ) {
    self.merge = merge
  }

  /// Creates a merge of values of a Swift type.
  ///
  /// - Parameter merge: Returns the merged value from the base, the local value and the server's value. A stored value
  ///   that isn't of the type ends the pull.
  public static func of<Coding: ColumnCoding>(
    _ coding: Coding.Type,
    _ merge:
      @escaping @Sendable (_ base: Coding.Value?, _ local: Coding.Value, _ theirs: Coding.Value) throws ->
      Coding.Value
  ) -> ColumnMerge {
    ColumnMerge { base, local, theirs in
      try coding.encode(merge(base.map { try coding.decode($0) }, coding.decode(local), coding.decode(theirs)))
    }
  }

  /// Merges counters: the increments of both sides are added. If a value isn't an integer, the local value stays.
  public static let counter = ColumnMerge { base, local, theirs in
    guard case .integer(let local) = local, case .integer(let theirs) = theirs else { return local }
    var start: Int64 = 0
    if case .integer(let base)? = base { start = base }
    let (added, overflows) = local.subtractingReportingOverflow(start)
    let (sum, overflowsAgain) = theirs.addingReportingOverflow(added)
    return .integer(overflows || overflowsAgain ? local : sum)
  }

  /// Merges sets, as JSON arrays of texts.
  ///
  /// The result has the elements that either side added, and lacks the elements that either side removed. It is sorted.
  /// If a value is no such array, the local value stays.
  public static let set = ColumnMerge { base, local, theirs in
    func elements(_ value: StorageValue?) -> Set<String>? {
      guard case .text(let text)? = value else { return nil }
      return (try? JSONDecoder().decode([String].self, from: Data(text.utf8))).map { Set($0) }
    }
    guard let ours = elements(local), let others = elements(theirs) else { return local }
    let start = elements(base) ?? []
    let removed = start.subtracting(ours).union(start.subtracting(others))
    return .text(StoredJSON.text(names: ours.union(others).subtracting(removed).sorted()))
  }
}
