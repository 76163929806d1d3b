/// What live queries have in common that differ only in the values that they compare with.
///
/// An engine has one of a kind, see ``LiveForms``: queries of the same form with the same values are the same.
protocol LiveForm: AnyObject, Sendable {
  /// The query with values.
  ///
  /// - Parameter reason: Why the query is to be run again; nil for the best way to follow it.
  func makeQuery(_ values: [StorageValue], runAgain reason: RequeryReason?) -> any LiveQuery

  /// Its query can't be read, or nobody follows it any more: those who asked it for something get the error.
  func giveUp(_ error: any Error)
}

extension LiveForm {
  func giveUp(_ error: any Error) {}
}

/// What makes two live queries of an engine the same.
struct LiveQueryKey: Hashable, Sendable {
  let form: any LiveForm
  let values: [StorageValue]

  /// - Parameter reason: Why the query is to be run again; nil for the best way to follow it.
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
