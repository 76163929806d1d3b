import Testing

@testable import SanderlingDiagnosis

@Suite struct StandInsTests {
  let connection: SQLiteConnection
  let standIns = StandIns()

  init() throws {
    connection = try SQLiteConnection(path: "", mode: .memory)
    connection.install(standIns)
  }

  @Test(arguments: [
    ("NSCoreDataStringSearch('Crème brûlée', 'BRULEE', 385, 0)", BoundValue.integer(1)),
    ("NSCoreDataStringSearch('Crème brûlée', 'BRULEE', 0, 0)", .integer(0)),
    ("NSCoreDataStringSearch('Crème brûlée', 'brulee', 393, 0)", .integer(0)),
    ("NSCoreDataStringSearch('Crème brûlée', 'creme', 393, 0)", .integer(1)),
    ("NSCoreDataStringSearch(NULL, 'creme', 393, 0)", .integer(0)),
    ("NSCoreDataLike('Dunlin', 'd*lin', 1)", .integer(1)), ("NSCoreDataCanonical('É')", .text("e")),
    ("sanderling_matches('words', 'ete CAFE', 'Un café', 'Été')", .integer(1)),
    ("sanderling_matches('words', 'ete the', 'Un café', 'Été')", .integer(0)),
    ("sanderling_matches('substrings', 'n caf', NULL, 'Un café')", .integer(1)),
    ("sanderling_matches('substrings', 'caf n', 'Un café')", .integer(0)),
    ("sanderling_matches('words', 'a', NULL)", .integer(0)), ("sanderling_fold('É')", .text("e")),
    ("fold('ÀB')", .text("ab")), ("appPrice(3, 4)", .integer(3)), ("appPrice()", .null),
    ("'A' < 'b' COLLATE localizedCompare", .integer(1)), ("'a' = 'A' COLLATE appNoCase", .integer(1)),
    ("'a' = 'A' COLLATE appOrder", .integer(0)),
  ])
  func standInsReturnTheirValues(sql: String, value: BoundValue) throws {
    #expect(try connection.value("SELECT \(sql)") == value)
  }

  @Test func notesNameTheUsedStandIns() throws {
    #expect(standIns.notes == [])
    let statement = try connection.prepare("SELECT appPrice(1), lower('a')")
    #expect(statement.standInFunctions == ["appprice"])
    #expect(standIns.notes.count == 1 && standIns.notes.first?.hasPrefix("appprice() is a function of the app") == true)
  }

  @Test func tokenizerOfTheApp() throws {
    try connection.run("CREATE VIRTUAL TABLE note USING fts5(body, tokenize = 'appWords remove_everything 7')")
    try connection.run("INSERT INTO note VALUES ('Crème brûlée')")
    #expect(try connection.value("SELECT count(*) FROM note WHERE note MATCH 'brulee'") == .integer(1))
  }

  @Test func missingModule() throws {
    #expect(throws: DiagnosisError.self) { try connection.run("CREATE VIRTUAL TABLE place USING spatialite(a)") }
    do {
      try connection.run("CREATE VIRTUAL TABLE place USING spatialite(a)")
    } catch let error as DiagnosisError {
      #expect("\(error)".contains("spatialite"))
    }
  }

  /// The number of stand-ins is limited, so that a hostile schema or log can't fill the memory with names.
  @Test func numberOfStandInsIsLimited() throws {
    let calls = (0..<70).map { "f\($0)()" }.joined(separator: ", ")
    #expect(throws: DiagnosisError.self) { try connection.prepare("SELECT \(calls)") }
  }
}
