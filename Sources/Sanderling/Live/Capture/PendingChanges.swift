/// What was committed and not taken yet.
struct PendingChanges {
  /// The entries that one commit captured.
  struct Segment {
    let commit: UInt64
    let bytes: [UInt8]
  }

  /// Commits that a note stands for.
  private struct Commits {
    var first: UInt64
    var last: UInt64
  }

  private let limit: Int
  private var segments: [Segment] = []
  private var byteCount = 0
  private var overflowed: [RecordType: Commits] = [:]
  private var touched: [String: Commits] = [:]
  private var outside: Commits?
  private var schema: Commits?
  /// When something was noticed between two commits, which a snapshot that was named before may not show.
  private var noticed: Int?

  /// What a commit without many changes takes beside its bytes.
  private static let segmentSize = 64

  init(limit: Int) {
    self.limit = limit
  }

  var isEmpty: Bool {
    segments.isEmpty && overflowed.isEmpty && touched.isEmpty && outside == nil && schema == nil
  }

  // MARK: Adding

  mutating func add(_ bytes: [UInt8], commit: UInt64, _ programs: [CaptureProgram]) {
    guard byteCount + bytes.count + Self.segmentSize <= limit else {
      for segment in segments { noteOverflow(segment.bytes, commit: segment.commit, programs) }
      segments = []
      byteCount = 0
      return noteOverflow(bytes, commit: commit, programs)
    }
    segments.append(Segment(commit: commit, bytes: bytes))
    byteCount += bytes.count + Self.segmentSize
  }

  private mutating func noteOverflow(_ bytes: [UInt8], commit: UInt64, _ programs: [CaptureProgram]) {
    var tables: Set<Int> = []
    bytes.withUnsafeBytes { CapturedEntry.forEach(in: $0) { tables.insert($0.program) } }
    for program in tables { noteOverflow(programs[program].table, commit: commit) }
  }

  mutating func noteOverflow(_ table: RecordType, commit: UInt64) {
    Self.note(commit, &overflowed[table])
  }

  mutating func noteTouched(_ table: String, commit: UInt64) {
    Self.note(commit, &touched[table])
  }

  mutating func noteOutside(commit: UInt64, noticedAt moment: Int? = nil) {
    Self.note(commit, &outside)
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

  /// Takes what commits up to one left: their entries, the first ones first, and all else.
  ///
  /// - Parameter moment: When the snapshot began that it is for; nil for unknown.
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
    // What was noticed after the snapshot began is told now, and again with the next snapshot.
    let isKept = noticed.map { noticed in moment.map { $0 < noticed } ?? true } ?? false
    changes.cameFromOutside = Self.take(&outside, through: commit, isKept: isKept)
    changes.schemaChanged = Self.take(&schema, through: commit, isKept: isKept)
    if !isKept { noticed = nil }
    return (taken, changes)
  }

  /// Whether a note stands for commits up to one. What it says of later ones remains, from the next one on.
  private static func take(_ commits: inout Commits?, through commit: UInt64, isKept: Bool = false) -> Bool {
    guard let current = commits, current.first <= commit else { return false }
    if isKept { return true }
    commits = current.last <= commit ? nil : Commits(first: commit + 1, last: current.last)
    return true
  }
}

extension CapturedChanges {
  /// Adds captured entries, the first ones first.
  mutating func add(_ segments: [PendingChanges.Segment], _ programs: [CaptureProgram]) {
    var types: [RecordType] = []
    var tables: [CapturedTable] = []
    // Found once for entries of one program that follow each other: looking up costs as much as an entry.
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
      segment.bytes.withUnsafeBytes { bytes in
        CapturedEntry.forEach(in: bytes) { entry in
          let program = programs[entry.program]
          guard let key = RowKey(decoding: UnsafeRawBufferPointer(rebasing: bytes[entry.key])), !key.hasNull else {
            // The key tells no row from another: it is no text that Swift can hold, or has a NULL.
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
