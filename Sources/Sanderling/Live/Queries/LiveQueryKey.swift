/// The part that live queries share when they differ only in compared values.
///
/// An engine has one form of each kind, see ``LiveForms``. Queries of the same form with the same values are the same
/// query.
protocol LiveForm: AnyObject, Sendable {
  /// Makes the query with some values.
  ///
  /// - Parameter reason: The reason for reruns; nil to maintain the query if possible.
  func makeQuery(_ values: [StorageValue], runAgain reason: RequeryReason?) -> any LiveQuery

  /// Fails the open requests to its query, which can't be read or has no consumers any more.
  func failRequests(_ error: any Error)
}

extension LiveForm {
  func failRequests(_ error: any Error) {}
}

/// The identity of a live query in an engine.
struct LiveQueryKey: Hashable, Sendable {
  let form: any LiveForm
  let values: [StorageValue]

  /// - Parameter reason: The reason for reruns; nil to maintain the query if possible.
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
