/// The frames of a write-ahead log: the pages that each commit wrote.
///
/// The format is that of [WAL files](https://www.sqlite.org/fileformat2.html#the_write_ahead_log). A log is reset after
/// a checkpoint: its next writer begins at the first frame, with other salts in the header and in each frame.
///
/// Writers commit one after the other. A commit's frames are in the file a moment before the commit is visible, and the
/// frames of a process that died are never visible. So the last commit in the file may not be visible, and all commits
/// before it are.
///
/// A transaction that changes a page again which it has already written leaves out the salts and the checksums of the
/// following frames, and adds them when it commits. SQLite 3.50.0 and earlier versions do not add them if a part of the
/// transaction was rolled back; 3.50.4 does. So the log's end is unknown while a frame has none.
///
/// Belongs to the writer's queue.
struct LogFrames {
  private static let headerSize = 32
  private static let frameHeaderSize = 24
  /// The most frames that are read at once.
  private static let greatestCount = 20_000

  private(set) var pageSize = 0
  private var salts: UInt64?
  /// Whether the log has too many frames. They are not read again before the log is reset.
  private var isTooLong = false
  /// The number of frames of all commits but the last.
  private var visibleCount = 0
  /// The newest of these frames of each page.
  private var newest: [UInt32: Int] = [:]
  /// The pages of the last commit's frames.
  private(set) var last: [UInt32] = []
  /// The headers of the last commit's first and last frame. They have checksums of the log so far, so that other frames
  /// in their place have other headers.
  private var lastHeaders: [PageBytes?] = []

  /// Reads the frames that were written since.
  ///
  /// - Returns: The pages of the commits that are visible since the last call; nil if the log was reset meanwhile, has
  ///   too many new frames or an unknown end, or can't be read.
  mutating func advance(_ files: DatabaseFiles) -> [UInt32]? {
    guard let header = files.readLog(Self.headerSize, at: 0), let magic = header.number(at: 0),
      magic & ~1 == 0x377F_0682, let size = header.number(at: 8), let first = header.number(at: 16),
      let second = header.number(at: 20), (512...65_536).contains(size)
    else {
      self = LogFrames()
      return nil
    }
    let current = UInt64(first) << 32 | UInt64(second)
    let isSame = salts == current
    if !isSame {
      self = LogFrames()
      (salts, pageSize) = (current, Int(size))
    }
    if isTooLong { return nil }
    return readFrames(files).flatMap { isSame ? $0 : nil }
  }

  private mutating func readFrames(_ files: DatabaseFiles) -> [UInt32]? {
    var place = visibleCount
    var unfinished: [UInt32] = []
    var beginning: PageBytes?
    var commits: [(pages: [UInt32], headers: [PageBytes?])] = []
    // The last commit is read again only if other frames are in its place.
    if !last.isEmpty, [place, place + last.count - 1].map({ header($0, files) }) == lastHeaders {
      commits.append((last, lastHeaders))
      place += last.count
    }
    let limit = place + Self.greatestCount
    var hasUnknownEnd = false
    while let header = header(place, files), let page = header.number(at: 0), let size = header.number(at: 4),
      let first = header.number(at: 8), let second = header.number(at: 12)
    {
      let found = UInt64(first) << 32 | UInt64(second)
      if found != salts {
        hasUnknownEnd = found == 0
        break
      }
      if unfinished.isEmpty { beginning = header }
      unfinished.append(page)
      if size != 0 {
        commits.append((unfinished, [beginning, header]))
        unfinished = []
      }
      place += 1
      if place == limit {
        (isTooLong, newest, last, lastHeaders) = (true, [:], [], [])
        return nil
      }
    }
    let end = commits.popLast() ?? ([], [])
    let visible = commits.flatMap(\.pages)
    for page in visible {
      newest[page] = visibleCount
      visibleCount += 1
    }
    (last, lastHeaders) = end
    return hasUnknownEnd ? nil : visible
  }

  private func header(_ frame: Int, _ files: DatabaseFiles) -> PageBytes? {
    files.readLog(Self.frameHeaderSize, at: Self.headerSize + frame * (Self.frameHeaderSize + pageSize))
  }

  /// The content of a page after the last commit in the log.
  func page(_ number: UInt32, _ files: DatabaseFiles) -> PageBytes? {
    guard let frame = last.lastIndex(of: number).map({ visibleCount + $0 }) ?? newest[number] else {
      return files.readDatabase(pageSize, at: (Int(number) - 1) * pageSize)
    }
    let place = Self.headerSize + frame * (Self.frameHeaderSize + pageSize) + Self.frameHeaderSize
    return files.readLog(pageSize, at: place)
  }
}
