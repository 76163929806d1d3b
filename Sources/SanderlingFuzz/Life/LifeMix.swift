/// The share of a run that concerns the life of stores, and the kinds of events.
struct LifeMix: Sendable {
  enum Share: Sendable {
    case none, third, all
  }

  var share = Share.third
  var kinds = LifeKind.allCases
  var openings = Opening.allCases

  /// Whether a round has steps of a store's life.
  func concerns(round: Int) -> Bool {
    switch share {
    case .none: false
    case .third: round % 3 == 2
    case .all: true
    }
  }

  /// The command's arguments for this mix, each preceded by a space.
  var arguments: String {
    var text =
      switch share {
      case .none: " --without-life"
      case .third: ""
      case .all: " --life"
      }
    if kinds.count < LifeKind.allCases.count { text += " --steps " + kinds.map(\.rawValue).joined(separator: ",") }
    if openings.count < Opening.allCases.count {
      text += " --stores " + openings.map(\.rawValue).joined(separator: ",")
    }
    return text
  }
}
