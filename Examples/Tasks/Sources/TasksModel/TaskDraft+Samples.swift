import Sanderling

extension TaskDraft {
  /// Returns tasks to try the app with. They are the same each time, and spread over a year around a day.
  public static func samples(_ count: Int, around day: LocalDay) -> [TaskDraft] {
    (0..<count).map { number in
      // A multiplication by a large prime scatters the numbers.
      let scattered = number * 1_000_003
      func pick(_ texts: [String], _ divisor: Int) -> String { texts[scattered / divisor % texts.count] }
      let distance = scattered % 367 - 60
      return TaskDraft(
        title: "\(pick(verbs, 3)) \(pick(things, 11)) \(pick(people, 41))", project: pick(projects, 101),
        dueOn: number % 20 == 0 ? nil : day.advanced(by: distance),
        isCompleted: distance < 0 ? number % 50 != 0 : number % 11 == 0)
    }
  }

  private static let verbs = ["Plan", "Paint", "Check", "Sketch", "Repair", "Order", "Clean", "Review", "Photograph"]
  private static let things = [
    "the café", "a birthday cake", "the bicycle", "the poster", "the tax return", "the greenhouse", "train tickets",
    "the smørrebrød", "the old camera", "the bookshelf", "a weekend in Málaga", "the front door", "the band’s flyer",
  ]
  private static let people = [
    "with Ada", "for Bjørn", "with Zoë", "for Mum", "with the choir", "for Grandpa", "with Łukasz",
  ]
  private static let projects = [
    "Garden", "Home", "Reading", "Journey to Málaga", "Workshop", "Choir", "Taxes", "Kitchen", "Photos", "Bicycle",
    "Neighbours", "Open source",
  ]
}
