import GRDB

/// Reads rows of a long list by their places, at a snapshot.
struct LongReader<Element: Sendable> {
  private let database: Database
  private let plan: LongPlan<Element>
  private let values: [StorageValue]
  private let loader: RowLoader<Element>

  var ordering: WindowOrdering { plan.ordering }

  init(_ database: Database, _ plan: LongPlan<Element>, _ values: [StorageValue]) {
    self.database = database
    self.plan = plan
    self.values = values
    loader = RowLoader(database, plan.statements, plan.definition, plan.decode, values)
  }

  /// The row with a key, if the query has it.
  func row(_ key: RowKey) throws -> Window<Element>.Row? { try loader.row(key) }

  /// The place of the row with a key, if the query has it.
  func stamp(_ key: RowKey) throws -> RowStamp? {
    var stamp: RowStamp?
    let statement = plan.keys.byKey
    try database.forEachRow(of: statement.sql, limit: 1) {
      try $0.bind(plan.keys.arguments(key, values))
    } row: { row in
      if RowKey(plan.keys.key(row)) == key { stamp = try StampRows.stamp(row, plan.keys) }
    }
    return stamp
  }

  /// The rows after a place, or the first rows if the place is nil.
  ///
  /// - Returns: At most `count` rows, and whether no row follows them.
  func rows(after place: RowStamp?, count: Int) throws -> (rows: OrderedRows<Element>, isLast: Bool) {
    guard let place else { return try loader.first(count) }
    return try loader.rows(after: place.sortKey(plan.ordering), count: count, limit: count)
  }

  /// Visits the places of the rows after a place in order, or of all rows if the place is nil.
  ///
  /// - Parameter body: Returns whether to continue. Its argument makes the row's stamp, and is valid only during the
  ///   call.
  /// - Returns: Whether the last row was visited.
  func forEachPlace(after place: RowStamp?, _ body: (() throws -> RowStamp) throws -> Bool) throws -> Bool {
    let statements =
      if let place { try plan.keys.after(place.sortKey(plan.ordering)) } else { [try plan.keys.ordered()] }
    for statement in statements {
      var goesOn = true
      try database.withExecution(of: statement.sql) {
        try $0.bind(statement.filled(values).arguments)
      } _: { execution in
        while goesOn, let row = try execution.next() { goesOn = try body { try StampRows.stamp(row, plan.keys) } }
      }
      if !goesOn { return false }
    }
    return true
  }

  /// The last places before a place, or the last ones of all if the place is nil. The nearest comes first.
  ///
  /// - Parameter place: A sort key, or the first values of a sort key.
  func places(before place: [StorageValue]?, count: Int) throws -> [RowStamp] {
    let reversed = plan.reversedKeys
    let statements =
      if let place { try reversed.after(place, count: count) } else { [try reversed.first(count)] }
    var places: [RowStamp] = []
    for statement in statements where places.count < count {
      let statement = statement.filled(values)
      try database.forEachRow(of: statement.sql, limit: count - places.count) {
        try $0.bind(statement.arguments)
      } row: { row in
        places.append(RowStamp(sortKey: Array(reversed.sortKey(row).dropLast(reversed.keyCount)), plan.ordering))
      }
    }
    return places
  }
}

extension RowStamp {
  func sortKey(_ ordering: WindowOrdering) -> [StorageValue] { withEncoding { $0.sortKey(ordering.valueCount) } }

  /// Creates the place of a row from its sort key, which ends with the row's key.
  init(sortKey: [StorageValue], _ ordering: WindowOrdering) {
    let key = RowKey(Array(sortKey[ordering.valueCount...]))
    self.init(key: key, sortValues: Array(sortKey[..<ordering.valueCount]), version: 0)
  }
}
