/// Which sections are to be open, whether there are such sections or not.
struct OpenSections: Sendable {
  /// Whether those are open of which nothing else was said.
  private(set) var isOpenByDefault: Bool
  private var exceptions: Set<RowID> = []

  init(isOpenByDefault: Bool) {
    self.isOpenByDefault = isOpenByDefault
  }

  func contains(_ section: RowID) -> Bool {
    exceptions.contains(section) != isOpenByDefault
  }

  mutating func set(_ section: RowID, isOpen: Bool) {
    if isOpen == isOpenByDefault { exceptions.remove(section) } else { exceptions.insert(section) }
  }

  mutating func setAll(isOpen: Bool) {
    self = OpenSections(isOpenByDefault: isOpen)
  }
}
