/// Which queries there is something to do for, so that a turn looks at no others.
final class LiveAgenda {
  /// Wait until what they depend on is captured.
  private(set) var waiting: Set<Int> = []
  /// Have to be read.
  private(set) var due: Set<Int> = []
  /// Are waiting, due or being read.
  private(set) var unsettled: Set<Int> = []
  /// Have noted changes that have to be applied at a snapshot.
  private(set) var noted: Set<Int> = []
  /// Have values that consumers were not told of.
  private(set) var news: Set<Int> = []

  func phaseChanged(_ query: LiveQuery) {
    waiting.set(query.number, query.phase == .waitsForCapture)
    due.set(query.number, query.phase == .needsLoad)
    unsettled.set(query.number, !query.isSettled)
  }

  func note(_ query: LiveQuery) { noted.insert(query.number) }
  func tell(_ query: LiveQuery) { news.insert(query.number) }

  func remove(_ query: LiveQuery) {
    waiting.remove(query.number)
    due.remove(query.number)
    unsettled.remove(query.number)
    noted.remove(query.number)
    news.remove(query.number)
  }

  func takeNoted() -> Set<Int> {
    defer { noted = [] }
    return noted
  }

  func takeNews() -> Set<Int> {
    defer { news = [] }
    return news
  }
}

extension Set {
  fileprivate mutating func set(_ member: Element, _ isMember: Bool) {
    if isMember { insert(member) } else { remove(member) }
  }
}
