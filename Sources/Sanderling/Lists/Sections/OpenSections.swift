/// The choice of open sections, including sections that don't exist.
struct OpenSections: Sendable {
  /// Whether sections without a choice of their own are open.
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
