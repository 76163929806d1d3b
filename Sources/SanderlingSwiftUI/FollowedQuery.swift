import Sanderling

/// A view's query as a value, with functions that make its live result and switch the result to another query.
///
/// The query's type is erased, so that property wrappers have only the type of their result.
@MainActor
struct FollowedQuery<Result: FollowedResult> {
  /// Equal identities have the same result.
  let identity: AnyHashable
  let make: (Store) -> Result
  let replace: (Result) -> Void
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
