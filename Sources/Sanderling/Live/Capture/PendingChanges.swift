/// The changes of commits that were not taken yet.
struct PendingChanges: Sendable {
  /// The entries that one commit captured.
  struct Segment: Sendable {
    let commit: UInt64
    let bytes: [UInt8]
    /// The programs by their numbers in the entries.
    let programs: [Int: CaptureProgram]
  }

  /// The commits of a note.
  private struct Commits: Sendable {
    var first: UInt64
    var last: UInt64
  }

  private let limit: Int
  private var segments: [Segment] = []
  private(set) var byteCount = 0
  private var overflowed: [RecordType: Commits] = [:]
  private var touched: [String: Commits] = [:]
  private var outside: Commits?
  private var outsideChanges = OutsideChanges.none
  private var schema: Commits?
  /// The moment at which a change was noticed between two commits. A snapshot that was named before may not contain it.
  private var noticed: Int?

  /// The size of a commit with few changes, beside its bytes.
  private static let segmentSize = 64

  init(limit: Int) {
    self.limit = limit
  }

  var isEmpty: Bool {
    segments.isEmpty && overflowed.isEmpty && touched.isEmpty && outside == nil && schema == nil
  }

  /// Whether there are changes beside changed rows.
  var hasNotes: Bool { !overflowed.isEmpty || !touched.isEmpty || outside != nil || schema != nil }

  // MARK: Adding

  mutating func add(_ segment: Segment) {
    guard byteCount + segment.bytes.count + Self.segmentSize <= limit else {
      for segment in segments + [segment] { noteOverflow(segment) }
      segments = []
      byteCount = 0
      return
    }
    segments.append(segment)
    byteCount += segment.bytes.count + Self.segmentSize
  }

  private mutating func noteOverflow(_ segment: Segment) {
    var programs: Set<Int> = []
    segment.bytes.withUnsafeBytes { CapturedEntry.forEach(in: $0) { programs.insert($0.program) } }
    for program in programs {
      if let table = segment.programs[program]?.table { noteOverflow(table, commit: segment.commit) }
    }
  }

  mutating func noteOverflow(_ table: RecordType, commit: UInt64) {
    Self.note(commit, &overflowed[table])
  }

  mutating func noteTouched(_ table: String, commit: UInt64) {
    Self.note(commit, &touched[table])
  }

  /// - Parameter tables: The folded names of the tables that may have been written; nil for all.
  mutating func noteOutside(commit: UInt64, in tables: Set<String>? = nil, noticedAt moment: Int? = nil) {
    Self.note(commit, &outside)
    outsideChanges.add(tables)
    noticed = moment ?? noticed
  }

  mutating func noteSchema(commit: UInt64, noticedAt moment: Int? = nil) {
    Self.note(commit, &schema)
    noticed = moment ?? noticed
  }

  private static func note(_ commit: UInt64, _ commits: inout Commits?) {
    commits = Commits(first: min(commits?.first ?? commit, commit), last: max(commits?.last ?? commit, commit))
  }

  // MARK: Taking

  /// Takes the changes of the commits up to one: the entries in the order of commits, and the notes.
  ///
  /// - Parameter moment: The moment at which the snapshot began; nil when it is unknown.
  mutating func take(through commit: UInt64, snapshotAt moment: Int?) -> (segments: [Segment], CapturedChanges) {
    let count = segments.firstIndex { $0.commit > commit } ?? segments.count
    let taken = Array(segments[..<count])
    segments.removeFirst(count)
    byteCount -= taken.reduce(0) { $0 + $1.bytes.count + Self.segmentSize }

    var changes = CapturedChanges()
    for table in overflowed.keys where Self.take(&overflowed[table], through: commit) {
      changes.overflowed.insert(table)
    }
    for table in touched.keys where Self.take(&touched[table], through: commit) { changes.touchedTables.insert(table) }
    // Changes that were noticed after the snapshot began are reported now, and again with the next snapshot.
    let isKept = noticed.map { noticed in moment.map { $0 < noticed } ?? true } ?? false
    if Self.take(&outside, through: commit, isKept: isKept) {
      changes.outside = outsideChanges
    }
    if outside == nil { outsideChanges = .none }
    changes.schemaChanged = Self.take(&schema, through: commit, isKept: isKept)
    if !isKept { noticed = nil }
    return (taken, changes)
  }

  /// Whether a note has commits up to one. Its later commits remain in it.
  private static func take(_ commits: inout Commits?, through commit: UInt64, isKept: Bool = false) -> Bool {
    guard let current = commits, current.first <= commit else { return false }
    if isKept { return true }
    commits = current.last <= commit ? nil : Commits(first: commit + 1, last: current.last)
    return true
  }
}

extension CapturedChanges {
  /// Adds captured entries, which are in the order of commits.
  mutating func add(_ segments: [PendingChanges.Segment]) {
    var types: [RecordType] = []
    var tables: [CapturedTable] = []
    // The place of the last program. Kept because successive entries mostly share it, and a search costs as much as an
    // entry.
    var last: (program: Int, place: Int)?
    func place(of number: Int, _ program: CaptureProgram) -> Int {
      if let last, last.program == number { return last.place }
      let place = types.firstIndex(of: program.table) ?? types.count
      if place == types.count {
        types.append(program.table)
        tables.append(CapturedTable())
      }
      last = (number, place)
      return place
    }
    for segment in segments {
      last = nil
      var current: (number: Int, program: CaptureProgram)?
      segment.bytes.withUnsafeBytes { bytes in
        CapturedEntry.forEach(in: bytes) { entry in
          if current?.number != entry.program {
            current = segment.programs[entry.program].map { (entry.program, $0) }
          }
          guard let program = current?.program else { return }
          guard let key = RowKey(decoding: UnsafeRawBufferPointer(rebasing: bytes[entry.key])), !key.hasNull else {
            // The key identifies no row: it contains NULL, or a text that no Swift string can hold.
            overflowed.insert(program.table)
            return
          }
          tables[place(of: entry.program, program)].add(
            key,
            old: entry.isPresent
              ? RowImage(layout: program.layout, bytes: segment.bytes, range: entry.image) : nil)
        }
      }
    }
    for (type, table) in zip(types, tables) where !overflowed.contains(type) { self.tables[type] = table }
  }
}
