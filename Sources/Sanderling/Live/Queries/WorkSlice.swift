/// The rest of a turn's allowance for background work. It is small: the turn holds a reader, and other queries wait for
/// it.
struct WorkSlice {
  private let clock: StoreClock
  private var end: Duration
  private var rowsLeft: Int
  /// The rows until the clock is read again.
  private var rowsToNextLook = WorkSlice.rowsBetweenLooks
  private(set) var isOver = false
  private(set) var duration = Duration.zero
  private let start: Duration

  private static let rowsBetweenLooks = 64

  init(_ options: LiveOptions) {
    clock = options.clock
    start = clock.now()
    end = start + options.workTime
    rowsLeft = options.workRowCount
  }

  /// Limits the rest of the slice to a number of rows.
  mutating func limit(rows: Int) {
    rowsLeft = min(rowsLeft, rows)
  }

  /// Notes that the first row of a statement was read, which began a time ago. If SQLite sorted all rows before the
  /// first row, the slice lasts as long again. Otherwise each slice would sort all rows to read few of them.
  mutating func noteFirstRow(after statementStart: Duration) {
    let now = clock.now()
    guard now >= end else { return }
    end = now + (now - statementStart)
    rowsLeft = .max
  }

  /// The time of the slice's clock.
  var now: Duration { clock.now() }

  /// Notes that a row was read.
  mutating func noteRow() {
    rowsLeft -= 1
    rowsToNextLook -= 1
    guard rowsToNextLook == 0 || rowsLeft == 0 else { return }
    rowsToNextLook = Self.rowsBetweenLooks
    duration = clock.now() - start
    isOver = isOver || rowsLeft <= 0 || start + duration >= end
  }
}
