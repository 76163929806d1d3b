import Sanderling

/// A server's answer to a mutation.
struct HTTPJudgement: Sendable {
  var outcome: MutationOutcome
  /// Whether the answer is a 403 without further information, which may concern the change or the caller.
  var isForbidden = false
  /// Whether the server accepted the caller: it executed the request, or judged its content.
  var letsCallerIn = false
}

/// The conclusions about the caller and the form of requests, from the server's answers to several mutations.
///
/// A server answers 403 to a change that this user may not make, but also to each change of a suspended account. In the
/// first case the change is refused, in the second nothing is quarantined. Two consecutive forbidden changes are
/// attributed to the caller, until the server accepts or judges another change.
///
/// Created by an adapter and shared by its copies. It ends with the adapter: the next adapter starts without it.
final class HTTPStanding: Sendable {
  /// Guards the numbers of the mutations that were forbidden since the server last judged one.
  private let forbidden = Lock<Set<HTTPMutationNumber>>([])
  /// Guards the number of times that the server refused the form of each mutation's request.
  private let misformed = Lock<[HTTPMutationNumber: Int]>([:])

  /// The number of refusals of its form after which a mutation is refused: the first ones may come from a proxy.
  private static let formLimit = 3

  /// Counts a refusal of the form of a mutation's request.
  ///
  /// - Returns: Whether no other answer can be expected.
  func noteMisformed(_ mutation: Mutation) -> Bool {
    let number = HTTPMutationNumber(mutation)
    return misformed.withLock { counts in
      let count = counts[number, default: 0] + 1
      counts[number] = count < Self.formLimit ? count : nil
      return count >= Self.formLimit
    }
  }

  /// Decides about the forbidden mutations of a push.
  ///
  /// - Parameter mayRead: Checks whether the server lets the caller read the record of a mutation; called if only one
  ///   is forbidden.
  func outcomes(
    _ judgements: [HTTPJudgement], of mutations: [Mutation], mayRead: (Mutation) async -> Bool
  ) async -> [MutationOutcome] {
    let places = judgements.indices.filter { judgements[$0].isForbidden }
    var outcomes = judgements.map(\.outcome)
    if judgements.contains(where: \.letsCallerIn) {
      forbidden.withLock { $0 = [] }
      return outcomes
    }
    guard let first = places.first else { return outcomes }
    let count = forbidden.withLock { forbidden in
      forbidden.formUnion(places.map { HTTPMutationNumber(mutations[$0]) })
      return forbidden.count
    }
    if count == 1, await mayRead(mutations[first]) { return outcomes }
    let reason = "the server answered 403 \(count == 1 ? "to the change and to reading its records" : "to all changes")"
    let remedy = ": this account has no access. Sign in again, or check the account's rights"
    for place in places { outcomes[place] = .failed(reason + remedy) }
    return outcomes
  }
}

/// The number that identifies a mutation among the mutations of all databases.
struct HTTPMutationNumber: Hashable, Sendable {
  private let client: String
  private let sequence: Int64

  init(_ mutation: Mutation) { (client, sequence) = (mutation.client, mutation.sequence) }
}
