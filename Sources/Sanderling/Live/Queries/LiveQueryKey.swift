/// The shared part of live queries that differ only in compared values.
///
/// An engine has one for each form, see ``LiveForms``. Queries of the same form with the same values are the same.
protocol LiveForm: AnyObject, Sendable {
  /// The query with values.
  ///
  /// - Parameter reason: The reason for rerunning the query; nil for the best way to follow it.
  func makeQuery(_ values: [StorageValue], runAgain reason: RequeryReason?) -> any LiveQuery

  /// Its query can't be read, or has no consumers any more: open requests get the error.
  func giveUp(_ error: any Error)
}

extension LiveForm {
  func giveUp(_ error: any Error) {}
}

/// The identity of a live query in an engine.
struct LiveQueryKey: Hashable, Sendable {
  let form: any LiveForm
  let values: [StorageValue]

  /// - Parameter reason: The reason for rerunning the query; nil for the best way to follow it.
  func makeQuery(runAgain reason: RequeryReason?) -> any LiveQuery {
    form.makeQuery(values, runAgain: reason)
  }

  static func == (one: LiveQueryKey, other: LiveQueryKey) -> Bool {
    one.form === other.form && one.values == other.values
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(form))
    hasher.combine(values)
  }
}
