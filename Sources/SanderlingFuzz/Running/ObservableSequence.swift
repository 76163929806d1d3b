import Sanderling

/// A sequence of a live list's values, which a consumer follows in its own task.
protocol ObservableSequence: Sendable {
  associatedtype Row: Sendable
  func follow(_ log: ConsumerLog, _ values: @escaping @Sendable (Row) throws -> [StorageValue]) -> Task<Void, Never>
}

extension LiveSnapshots: ObservableSequence {
  func follow(
    _ log: ConsumerLog, _ values: @escaping @Sendable (Row) throws -> [StorageValue]
  ) -> Task<Void, Never> {
    Task.detached {
      for await snapshot in self {
        log.add(Observation(snapshot, values), problem: nil)
        await log.pass()
      }
    }
  }
}

extension LiveChanges: ObservableSequence {
  /// Applies each change to the previous rows, and compares the result with the rows that the change names.
  func follow(
    _ log: ConsumerLog, _ values: @escaping @Sendable (Row) throws -> [StorageValue]
  ) -> Task<Void, Never> {
    Task.detached {
      var rows: [LiveRow<Row>] = []
      for await change in self {
        let problem = change.problem(appliedTo: rows, values)
        rows = Array(change.snapshot.rows.identified)
        log.add(Observation(change.snapshot, values), problem: problem)
        await log.pass()
      }
    }
  }
}

extension Observation {
  fileprivate init<Element>(
    _ snapshot: LiveSnapshot<Element>, _ values: (Element) throws -> [StorageValue]
  ) {
    self.init(
      rows: storedValues(of: snapshot.rows, values) + snapshot.unreadableRows.marks, commit: snapshot.commit,
      isCurrent: snapshot.state.isCurrent, error: snapshot.state.error.map { "\($0)" })
  }
}

extension LiveChange {
  /// The error in the change, for a consumer that has the rows before it; nil if it is right.
  fileprivate func problem(
    appliedTo old: [LiveRow<Element>], _ values: (Element) throws -> [StorageValue]
  ) -> String? {
    let new = Array(snapshot.rows.identified)
    var rows = old
    for change in difference {
      switch change {
      case .remove(let position) where rows.indices.contains(position): rows.remove(at: position)
      case .insert(let position) where position <= rows.count && new.indices.contains(position):
        rows.insert(new[position], at: position)
      case .move(let from, let to) where rows.indices.contains(from) && rows.indices.contains(to):
        rows.insert(rows.remove(at: from), at: to)
      case .update(let position) where rows.indices.contains(position) && new.indices.contains(position):
        if rows[position].id != new[position].id { return "the update at \(position) is of another row: \(difference)" }
        rows[position] = new[position]
      default: return "\(change) can't be applied to \(rows.count) rows: \(Array(difference))"
      }
    }
    guard rows.map(\.id) == new.map(\.id) else {
      return "the changes \(Array(difference)) lead from \(old.map(\.id)) to \(rows.map(\.id)), not to \(new.map(\.id))"
    }
    for (row, expected) in zip(rows, new) {
      let (values, expected) = ((try? values(row.element)), (try? values(expected.element)))
      if values != expected { return "the row \(row.id) was not updated: \(Array(difference))" }
    }
    for moved in difference.movedRows where old[moved.from].id != new[moved.to].id {
      return "the row moved from \(moved.from) to \(moved.to) is another: \(Array(difference))"
    }
    return nil
  }
}
