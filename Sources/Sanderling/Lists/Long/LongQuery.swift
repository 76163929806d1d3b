import GRDB

/// The live query of a long list. The query knows the number of rows between places some hundred rows apart, and holds
/// the wanted rows.
///
/// The query counts rows in the background, in slices. Each slice reads the snapshot of a turn, after all changes up to
/// its commit are applied. A change in a gap is ignored, since the gap is counted later. A change elsewhere adjusts the
/// count of its block.
final class LongQuery<Element: Sendable>: LiveQuery {
  /// The changes of a batch that `apply` still has to process.
  private struct Noted {
    /// The keys of rows to reload.
    var touched: Set<RowKey> = []
    /// Whether rows were inserted or deleted in counted blocks that aren't loaded.
    var hasMoved = false
    /// The query's condition, prepared at the first row of the batch; nil until then.
    var condition: PreparedTerm??
  }

  /// The result of a load.
  private struct Loaded: Sendable {
    /// The place after which the rows begin; nil for the beginning of the list.
    let beginning: RowStamp?
    let rows: OrderedRows<Element>
    let isLast: Bool
  }

  let following: QueryFollowing
  let form: LongForm<Element>
  private let plan: Result<LongPlan<Element>, any Error>
  private let values: [StorageValue]
  /// The blocks of the list; nil before the first load.
  var blocks: RowBlocks<Element>?
  private var noted: Noted?
  private var loaded = LoadSlot<Loaded>()
  /// Whether the rows are invalidated and need a reload.
  private var isOutdated = true
  private var isResting = false
  private(set) var workDuration = Duration.zero

  init(
    _ form: LongForm<Element>, _ plan: Result<LongPlan<Element>, any Error>, _ values: [StorageValue],
    runAgain reason: RequeryReason?
  ) {
    self.form = form
    self.plan = plan
    self.values = values
    do {
      if let reason { throw reason }
      following = .maintained(try plan.get().routes.get().filled(values))
    } catch {
      following = .runAgain(RequeryReason(error))
    }
  }

  var showsRows: Bool { true }

  func readTables(_ db: Database) throws -> Set<String> {
    let plan = try plan.get()
    try plan.requireDeclaredCollations(db)
    var tables = try db.tables(readBy: plan.statements.ordered())
    for statement in try plan.definition.prefetched.flatMap({ try $0.compiled }) {
      tables.formUnion(try db.tables(readBy: statement))
    }
    return tables
  }

  // MARK: Showing

  func content(window: Int) -> LongContent<Element>? {
    guard var blocks else { return nil }
    var content = LongContent<Element>()
    for index in blocks.loadedIndices {
      guard let rows = blocks[index].loaded?.window, rows.count > 0 else { continue }
      content.add(rows.part(after: 0, count: rows.count), at: blocks.start(of: index))
    }
    content.extent = blocks.count
    content.isCounted = blocks.firstGap == nil
    content.leastCount = content.isCounted ? content.extent : blocks.countedCount
    content.exactEnd = blocks.firstGap.map { blocks.start(of: $0) } ?? content.extent
    let demand = demand(&blocks)
    content.jump = (demand.jump, demand.visible)
    self.blocks = blocks
    return content
  }

  func windowChanged(to window: Int) -> QueryOutcome {
    guard !isOutdated, var blocks else { return .unchanged }
    defer { self.blocks = blocks }
    return missing(&blocks).isEmpty ? .unchanged : .news
  }

  /// The demand, at its current positions.
  private func demand(_ blocks: inout RowBlocks<Element>) -> LongDemand {
    let demand = form.demand
    guard let anchor = demand.anchor else { return demand }
    let index = blocks.index(of: anchor.row)
    let offset = blocks[index].loaded?.window.position(notBefore: anchor.row)
    return demand.moved(anchorTo: offset.map { blocks.start(of: index) + $0 })
  }

  /// The positions to load, within the list.
  private func wanted(_ blocks: inout RowBlocks<Element>) -> Range<Int> {
    let range = demand(&blocks).wanted
    let last = blocks.count
    // A range beyond the last row moves back to the last rows.
    let lower = max(0, min(range.lowerBound, last - range.count))
    return lower..<max(lower, min(range.upperBound, last))
  }

  /// The blocks with wanted rows.
  private func wantedIndices(_ blocks: inout RowBlocks<Element>) -> Range<Int> { blocks.indices(at: wanted(&blocks)) }

  private func missing(_ blocks: inout RowBlocks<Element>) -> [Int] {
    wantedIndices(&blocks).filter { blocks[$0].loaded == nil && !blocks[$0].isGap }
  }

  /// Loads the wanted rows and releases all other rows.
  ///
  /// - Returns: Whether the loaded rows changed; nil if the counts don't match the rows.
  private func loadWanted(_ blocks: inout RowBlocks<Element>, _ reader: LongReader<Element>) throws -> Bool? {
    let (positions, missing) = (wanted(&blocks), missing(&blocks))
    var hasNews = false
    // Backward, because dividing a block shifts the indices of later blocks.
    for index in missing.reversed() {
      guard try blocks.load(positions, in: index, reader) else { return nil }
      hasNews = true
    }
    let wanted = wantedIndices(&blocks)
    for index in blocks.loadedIndices where !wanted.contains(index) {
      blocks.unload(index)
      hasNews = true
    }
    var demand = demand(&blocks)
    demand.anchor = blocks.anchor(near: demand.visible.lowerBound)
    form.anchor(demand)
    return hasNews
  }

  // MARK: Reading

  /// Runs a read that needs the places of rows. If it can't find them, a maintained list is rerun from then on. A list
  /// that is rerun already fails, since a rerun needs the places too.
  private static func findingPlaces<Value>(_ following: QueryFollowing, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let reason as RequeryReason {
      guard case .runAgain = following else { throw reason }
      throw reason.failure ?? LongListError.hasNoPlaces(reason.description)
    }
  }

  func beginLoad(window: Int) -> @Sendable (Database) throws -> Void {
    let loaded = loaded.begin()
    let (plan, values) = (plan, values)
    let (beginning, skipped) = beginningOfVisible()
    let count = max(1, skipped + form.demand.wanted.count)
    return { [following] db in
      try Self.findingPlaces(following) {
        let reader = LongReader(db, try plan.get(), values)
        var (beginning, found) = (beginning, try reader.rows(after: beginning, count: count))
        if let place = beginning, found.rows.isEmpty {
          // The visible rows and all rows after them were deleted.
          let places = try reader.places(before: place.sortKey(plan.get().ordering), count: count + 1)
          beginning = places.count > count ? places.last : nil
          found = try reader.rows(after: beginning, count: count)
        }
        loaded.put(Loaded(beginning: beginning, rows: found.rows, isLast: found.isLast))
      }
    }
  }

  /// The place after which the first visible block begins, and the number of its rows before the visible ones.
  private func beginningOfVisible() -> (place: RowStamp?, skipped: Int) {
    guard var blocks else { return (nil, 0) }
    let visible = demand(&blocks).visible
    guard visible.lowerBound > 0, let index = blocks.indices(at: visible).first, let place = blocks.beginning(of: index)
    else { return (nil, min(visible.lowerBound, 2 * form.sizes.greatest)) }
    return (place, max(0, visible.lowerBound - blocks.start(of: index)))
  }

  func endLoad(window: Int) -> QueryOutcome {
    guard let loaded = loaded.take(), let plan = try? plan.get() else { return .reload }
    // The estimates of gaps keep the previous counts.
    var before = 0
    var total = 0
    if var old = blocks {
      total = old.count
      if let beginning = loaded.beginning { before = old.start(of: old.index(of: beginning)) }
    }
    var made: [RowBlocks<Element>.Block] = []
    if let beginning = loaded.beginning { made.append(.init(gapUpTo: beginning, estimate: before)) }
    let count = loaded.rows.count
    let end = loaded.isLast || count == 0 ? nil : loaded.rows.stamp(at: count - 1)
    made.append(.init(end: end, loaded.rows, plan.ordering))
    if end != nil { made.append(.init(gapUpTo: nil, estimate: max(0, total - before - count))) }
    var blocks = RowBlocks(plan.ordering, form.sizes, made)
    blocks.divideLoaded()
    self.blocks = blocks
    isOutdated = false
    isResting = false
    workDuration = .zero
    return .news
  }

  // MARK: Following

  func rowChanged(_ event: RowEvent, _ dependencies: RouteDependencies, isLoading: Bool) throws {
    var noted = noted ?? Noted()
    defer { self.noted = noted }
    guard !isLoading, blocks != nil else {
      noted.touched.insert(event.key)
      return
    }
    let old = try event.old.flatMap { try block(of: $0, event.key, &noted) }
    let new = event.hasEqualImages ? old : try event.new.flatMap { try block(of: $0, event.key, &noted) }
    for index in [old, new] {
      if let index, blocks?[index].loaded != nil { noted.touched.insert(event.key) }
    }
    guard old != new else { return }
    if let old, note(-1, in: old) { noted.hasMoved = true }
    if let new, note(1, in: new) { noted.hasMoved = true }
  }

  /// Adds a change to the count of a block whose rows are only counted.
  ///
  /// - Returns: Whether the block is counted and not loaded.
  private func note(_ change: Int, in index: Int) -> Bool {
    guard let block = blocks?[index], block.loaded == nil, !block.isGap else { return false }
    blocks?.add(change, to: index)
    return true
  }

  /// The block of a row; nil if the query doesn't have the row.
  ///
  /// - Throws: `EvaluationError` if only SQLite can evaluate the condition or the ordering.
  private func block(of row: LiveRowContext, _ key: RowKey, _ noted: inout Noted) throws -> Int? {
    let routes = try plan.get().routes.get().filled(values)
    guard let ordering = routes.ordering else {
      throw EvaluationError.unsupported("only SQLite can find the place of the row")
    }
    let condition = try noted.condition ?? routes.condition()
    noted.condition = .some(condition)
    guard try condition?.isTrue(in: row) ?? true else { return nil }
    return blocks?.index(of: RowStamp(key: key, sortValues: try ordering.sortKey(in: row), version: 0))
  }

  func forgetChanges() {
    noted = nil
    isOutdated = true
  }

  func apply(_ batch: BatchRows, window: Int) throws -> QueryOutcome {
    let noted = noted
    self.noted = nil
    isResting = false
    guard var blocks else { return .reload }
    // The local variable becomes the only owner of the blocks, so that a change copies none of them.
    self.blocks = nil
    defer { self.blocks = blocks }
    let reader = LongReader(batch.database, try plan.get(), values)
    var hasNews = noted?.hasMoved ?? false
    for key in noted?.touched ?? [] where blocks.replace(key, with: try reader.row(key)) { hasNews = true }
    blocks.divideLoaded()
    blocks.joinSmall()
    guard let hasLoaded = try loadWanted(&blocks, reader) else { return .reload }
    return hasNews || hasLoaded ? .news : .unchanged
  }

  // MARK: Working

  var hasWork: Bool {
    guard !isOutdated, let blocks else { return false }
    return blocks.firstGap != nil && !isResting || blocks.mayHaveLarge || !form.inquiries.isEmpty
  }

  func work(_ db: Database, _ slice: inout WorkSlice) throws -> QueryOutcome {
    do {
      return try Self.findingPlaces(following) { try lookOn(db, &slice) }
    } catch let reason as RequeryReason {
      return .runAgain(reason)
    } catch let error as LongListError {
      // A reload would meet the same row and fail again, without end.
      return .failed(error)
    }
  }

  private func lookOn(_ db: Database, _ slice: inout WorkSlice) throws -> QueryOutcome {
    guard var blocks, !isOutdated else { return .unchanged }
    self.blocks = nil
    defer { self.blocks = blocks }
    let reader = LongReader(db, try plan.get(), values)
    var hasNews = try answerInquiries(&blocks, reader)
    if let gap = blocks.firstGap {
      try blocks.count(gap, reader, &slice)
      hasNews = true
      workDuration += slice.duration
      isResting = form.sizes.restsAfterSlice
    } else if let large = blocks.findLarge() {
      guard try blocks.divide(large, reader) else { return .reload }
    }
    guard let hasLoaded = try loadWanted(&blocks, reader) else { return .reload }
    if try answerInquiries(&blocks, reader) { hasNews = true }
    return hasNews || hasLoaded ? .news : .unchanged
  }

  // MARK: Checking

  func check(window: Int) -> LiveCheck? {
    guard !isOutdated, let blocks, let plan = try? plan.get() else { return nil }
    let (values, statement) = (values, plan.statement)
    let counted = blocks.indices.prefix { !blocks[$0].isGap }.map { index in
      let (block, window) = (blocks[index], blocks[index].loaded?.window)
      return (blocks.beginning(of: index), block.end, block.count, window.map { $0.part(after: 0, count: $0.count) })
    }
    return LiveCheck(
      statement: { try SQLCompiler.compile(statement.filled(values)) }, tables: (try? plan.routes.get().tables) ?? []
    ) { db in try LongReader(db, plan, values).difference(counted) }
  }
}
