import Sanderling

/// A view's query as a value, with functions that make its live result and switch the result to another query.
///
/// The query's type is erased, so that property wrappers have only the type of their result.
@MainActor
struct FollowedQuery<Result: FollowedResult> {
  /// Equal identities have the same result.
  let identity: AnyHashable
  let make: (Store) -> Result
  let change: Change

  /// How a result gets another query.
  enum Change {
    /// The result takes the query, and shows the old content until the new is read.
    case replacing((Result) -> Void)
    /// A new result takes the place of the old result as soon as it is read, or has failed.
    case anew(isRead: (Result) -> Bool)
  }

  init(identity: AnyHashable, make: @escaping (Store) -> Result, replace: @escaping (Result) -> Void) {
    (self.identity, self.make, change) = (identity, make, .replacing(replace))
  }

  init(identity: AnyHashable, make: @escaping (Store) -> Result, isRead: @escaping (Result) -> Bool) {
    (self.identity, self.make, change) = (identity, make, .anew(isRead: isRead))
  }
}

/// A live result that can be suspended and resumed.
@MainActor
public protocol FollowedResult: AnyObject, Sendable {
  /// Stops following the database until ``resume()``.
  func suspend()

  /// Catches up, and follows the database again.
  func resume()
}

extension LiveList: FollowedResult {}
extension LiveValue: FollowedResult {}
extension LiveSectionedList: FollowedResult {}

extension FollowedQuery {
  static func rows<Root, Element>(
    _ query: Selection<Root, Element>, window: Int
  ) -> FollowedQuery where Result == LiveList<Element> {
    FollowedQuery(identity: query) {
      $0.liveList(query, window: window)
    } replace: {
      $0.replace(query)
    }
  }

  static func sections<Root, Key, Values, Element>(
    _ query: SectionedSelection<Root, Key, Values, Element>, window: Int, startsOpen: Bool
  ) -> FollowedQuery where Result == LiveSectionedList<Key, Values, Element> {
    FollowedQuery(identity: query) {
      $0.liveSections(query, window: window, startsOpen: startsOpen)
    } isRead: { list in
      if case .loading = list.state { false } else { true }
    }
  }

  static func count<Root, Output>(of query: Selection<Root, Output>) -> FollowedQuery where Result == LiveCount {
    FollowedQuery(identity: query) {
      $0.liveCount(query)
    } replace: {
      $0.replace(counting: query)
    }
  }

  static func value<Root, Value>(of query: Selection<Root, Value>) -> FollowedQuery where Result == LiveValue<Value> {
    FollowedQuery(identity: query) {
      $0.liveValue(query)
    } replace: {
      $0.replace(query)
    }
  }

  static func record<R: StoredRecord>(_ record: R.Type, key: R.Key) -> FollowedQuery where Result == LiveValue<R> {
    FollowedQuery(identity: key) {
      $0.liveValue(record, key: key)
    } replace: {
      $0.replace(key: key)
    }
  }
}
