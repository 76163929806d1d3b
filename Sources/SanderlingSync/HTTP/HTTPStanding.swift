import Sanderling

/// A server's answer to a mutation.
struct HTTPJudgement: Sendable {
  var outcome: MutationOutcome
  /// Whether it is 403 and nothing but the status tells more: it concerns the change or the caller.
  var isForbidden = false
  /// Whether the server let the caller in: it did the request, or judged its content.
  var letsCallerIn = false
}

/// The conclusions from the server's answers to several mutations about the caller and the form of requests.
///
/// A server answers 403 to a change that this user may not make, and to each change of an account that is suspended.
/// The first is of one change, which is refused. The second quarantines nothing: two changes in a row that are
/// forbidden are taken for the caller's, until the server takes or judges another one.
///
/// An adapter makes it, and its copies share it. It ends with the adapter: the next one begins without knowledge.
final class HTTPStanding: Sendable {
  /// Guards the numbers of the mutations that were forbidden since the server judged another one.
  private let forbidden = Lock<Set<HTTPMutationNumber>>([])
  /// Guards how often the server didn't take the form of each mutation's request.
  private let misformed = Lock<[HTTPMutationNumber: Int]>([:])

  /// After how many answers about its form a mutation is refused: the first ones may be of a proxy.
  private static let formLimit = 3

  /// Notes an answer about the form of a mutation's request.
  ///
  /// - Returns: Whether no other answer is to be expected.
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
  /// - Parameter mayRead: Asks whether the server lets the caller read the records of a mutation; called for the only forbidden one.
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
    let remedy = ": it doesn't let this account in. Sign in again, or check the account's rights"
    for place in places { outcomes[place] = .failed(reason + remedy) }
    return outcomes
  }
}

/// The number that tells a mutation from those of all databases.
struct HTTPMutationNumber: Hashable, Sendable {
  private let client: String
  private let sequence: Int64

  init(_ mutation: Mutation) { (client, sequence) = (mutation.client, mutation.sequence) }
}
