/// Makes the values of a domain from their places in its order. A place always gives the same value, and a higher place
/// a greater one.
struct ValueMaker: Sendable {
  private let parts: [ProfiledValues]
  /// The first place of each part.
  private let starts: [Int64]
  let count: Int64

  init(_ parts: [ProfiledValues]) {
    self.parts = parts.filter { $0.count > 0 }
    var starts: [Int64] = []
    var count: Int64 = 0
    for part in self.parts {
      starts.append(count)
      count += part.count
    }
    (self.starts, self.count) = (starts, count)
  }

  func value(at place: Int64) -> BoundValue {
    guard let (part, place) = part(at: place) else { return .null }
    return PartMaker(part).value(place)
  }

  /// Returns a value between the one at a place and all smaller ones, if there is room.
  func value(below place: Int64) -> BoundValue {
    guard let last = parts.last else { return .integer(0) }
    if place >= count { return PartMaker(last).value(after: last.count - 1) }
    guard let (part, place) = part(at: max(0, place)) else { return .null }
    return PartMaker(part).value(below: place)
  }

  /// Returns the common beginning of the texts from a place on.
  func beginning(at place: Int64) -> String {
    part(at: place).map { PartMaker($0.0).beginning(of: $0.1) } ?? "~"
  }

  /// Returns a value of an uncounted column, for any number.
  func value(ofRow number: UInt64) -> BoundValue {
    guard count > 0 else { return .null }
    return value(at: Int64(Scramble.bits(number, 17) % UInt64(count)))
  }

  private func part(at place: Int64) -> (ProfiledValues, Int64)? {
    guard let index = starts.lastIndex(where: { $0 <= place }) else { return nil }
    return (parts[index], min(place - starts[index], parts[index].count - 1))
  }
}
