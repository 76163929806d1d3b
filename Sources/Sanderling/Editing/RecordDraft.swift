public import Observation

/// A record while the user edits it: the values on screen, the changes of others, and the save.
///
/// ```swift
/// struct TaskForm: View {
///   @Bindable var draft: RecordDraft<TodoTask>
///
///   var body: some View {
///     TextField("Title", text: $draft.values.title)
///     if draft.isConflicting(\.title) { Text("Changed elsewhere to \(draft.theirs?.title ?? "")") }
///     Button("Save") { Task { await save() } }.disabled(!draft.isChanged)
///   }
///
///   private func save() async {
///     if try await draft.save() == .conflicting { … }  // keepMine(), takeTheirs(), or edit on
///   }
/// }
/// ```
///
/// The draft follows its row. A property that the user has not edited shows the value of the row, also when another
/// screen, another process or the synchronisation changes it. An edited property keeps the user's value. If the row has
/// a third value in that property, the property is in conflict: ``save()`` then writes nothing until the user decides.
///
/// Properties are compared in their stored form. The draft holds one live value, which ends when the draft is released.
/// O(columns) for each access.
@MainActor @Observable
public final class RecordDraft<R: StoredRecord> {
  /// The result of ``save()``.
  public enum Outcome: Hashable, Sendable {
    /// The row has the user's values.
    case saved
    /// Nothing was written: properties are in conflict. See ``conflicts``.
    case conflicting
    /// Nothing was written: the row was deleted. See ``keepMine()``.
    case deleted
  }

  /// The edited record. `base` has the values on which the edits of the user are based.
  private struct Edit: Sendable {
    var base: [StorageValue]
    var mine: R
    /// The stored values of `mine`, or of the last record that could be stored.
    var mineValues: [StorageValue]
    /// Whether `mine` can be stored.
    var isStorable = true
    /// Whether a deleted row is inserted again.
    var outlivesDeletion = false

    init(_ record: R) throws {
      mine = record
      mineValues = try record.storageValues()
      base = mineValues
    }
  }

  private var edit: Edit
  @ObservationIgnored private let latest: LiveValue<R>
  @ObservationIgnored private let store: Store
  @ObservationIgnored private let key: R.Key

  /// Begins to edit a record.
  ///
  /// - Parameter record: The record as the user sees it, of a row of the store.
  /// - Throws: ``StoreError/unassignedKey(table:)`` for a record without a key, and the error of a value that
  ///   can't be stored.
  public init(_ record: R, in store: Store) throws {
    key = try record.key
    edit = try Edit(record)
    self.store = store
    latest = store.liveValue(R.self, key: key)
  }

  // MARK: Values

  /// The values to show and edit: the user's where the user has edited, and the row's otherwise.
  ///
  /// The key must stay: ``save()`` throws for a changed key. A value that can't be stored, such as NaN, is kept, and
  /// ``save()`` throws for it.
  public var values: R {
    get {
      guard edit.isStorable, let row else { return edit.mine }
      return (try? Self.merged(edit.base, edit.mineValues, row.values)) ?? edit.mine
    }
    set {
      var next = edit
      next.mine = newValue
      let values = try? newValue.storageValues()
      next.isStorable = values != nil
      next.mineValues = values ?? edit.mineValues
      if let theirs = row?.values {
        // In a property without edits, the user saw the row's value.
        for column in theirs.indices where edit.mineValues[column] == edit.base[column] {
          next.base[column] = theirs[column]
        }
      }
      edit = next
    }
  }

  /// The row as it is now; nil if it was deleted, and before its first read.
  public var theirs: R? { latest.value }

  /// Whether the user has edited a property.
  public var isChanged: Bool { edit.outlivesDeletion || !edit.isStorable || edit.mineValues != edit.base }

  /// Whether the row was deleted. ``keepMine()`` lets the next ``save()`` insert it again.
  public var isDeleted: Bool { latest.commit != nil && latest.value == nil && !edit.outlivesDeletion }

  /// The names of the properties in conflict, in the order of their declaration.
  public var conflicts: [String] {
    guard let row else { return [] }
    return columns { isConflicting($0, row.values, edit) }.map { R.table.columns[$0].property }
  }

  /// Whether a property is in conflict.
  public func isConflicting(_ property: PartialKeyPath<R>) -> Bool {
    guard let row, let column = R._keyPaths.firstIndex(of: property) else { return false }
    return isConflicting(column, row.values, edit)
  }

  // MARK: Decisions

  /// Keeps the user's values of properties in conflict: the next ``save()`` overwrites the row's values. If the row was
  /// deleted, the next save inserts it again.
  public func keepMine() {
    if isDeleted { edit.outlivesDeletion = true }
    guard let theirs = row?.values else { return }
    for column in columns(where: { isConflicting($0, theirs, edit) }) { edit.base[column] = theirs[column] }
  }

  /// Takes the row's values of properties in conflict. Other edits stay.
  public func takeTheirs() {
    guard let row else { return }
    var next = edit
    for column in columns(where: { isConflicting($0, row.values, edit) }) {
      (next.base[column], next.mineValues[column]) = (row.values[column], row.values[column])
    }
    guard let mine = try? Self.record(next.mineValues) else { return }
    (next.mine, next.isStorable) = (mine, true)
    edit = next
  }

  /// Takes the row's values of all properties.
  public func discard() {
    if let row, let next = try? Edit(row.record) { edit = next }
  }

  // MARK: Saving

  /// Writes the edited properties, in one transaction that compares them with the row first.
  ///
  /// Input during the save stays an edit. The draft can be used on, whatever the result.
  ///
  /// - Throws: The errors of ``Store/write(_:priority:function:line:_:)``. Nothing is written, and the edits
  ///   stay.
  @discardableResult
  public func save() async throws -> Outcome {
    let (sent, key) = (edit, key)
    let sentValues = try sent.mine.storageValues()
    let result: (outcome: Outcome, saved: R?) = try await store.write("save \(R.table.name)") { tx in
      guard let row = try tx.fetch(R.self, key: key) else {
        guard sent.outlivesDeletion else { return (.deleted, nil) }
        try Self.requireKey(key, sent.mine)
        try tx.insert(sent.mine)
        return (.saved, try tx.fetch(R.self, key: key))
      }
      let theirs = try row.storageValues()
      if theirs.indices.contains(where: { Self.isConflict(sent.base[$0], sentValues[$0], theirs[$0]) }) {
        return (.conflicting, nil)
      }
      let merged = try Self.merged(sent.base, sentValues, theirs)
      try Self.requireKey(key, merged)
      try tx.update(merged)
      return (.saved, try tx.fetch(R.self, key: key))
    }
    // The values on screen stay those of the user until the live value has them.
    try? await latest.caughtUp()
    guard let saved = result.saved, let values = try? saved.storageValues() else { return result.outcome }
    var next = edit
    for column in values.indices where next.mineValues[column] == sentValues[column] {
      next.mineValues[column] = values[column]
    }
    next.base = values
    next.outlivesDeletion = false
    if next.isStorable { next.mine = try Self.record(next.mineValues) }
    edit = next
    return result.outcome
  }

  // MARK: Columns

  /// The row, and its stored values.
  private var row: (record: R, values: [StorageValue])? {
    latest.value.flatMap { record in (try? record.storageValues()).map { (record, $0) } }
  }

  private func columns(where isMeant: (Int) -> Bool) -> [Int] { R.table.columns.indices.filter(isMeant) }

  private func isConflicting(_ column: Int, _ theirs: [StorageValue], _ edit: Edit) -> Bool {
    Self.isConflict(edit.base[column], edit.mineValues[column], theirs[column])
  }

  nonisolated private static func record(_ values: [StorageValue]) throws -> R {
    try R(_values: _StorageValues(values, table: R.table))
  }

  nonisolated private static func isConflict(_ base: StorageValue, _ mine: StorageValue, _ theirs: StorageValue) -> Bool
  {
    mine != base && theirs != base && mine != theirs
  }

  /// The user's value of an edited column, and the row's value of every other column.
  nonisolated private static func merged(
    _ base: [StorageValue], _ mine: [StorageValue], _ theirs: [StorageValue]
  ) throws -> R {
    try record(mine.indices.map { mine[$0] == base[$0] ? theirs[$0] : mine[$0] })
  }

  nonisolated private static func requireKey(_ key: R.Key, _ record: R) throws {
    guard try record.key == key else {
      throw StoreError.invalidQuery(
        "a draft can't change the key of a record: delete the record, and insert it with the new key")
    }
  }
}
