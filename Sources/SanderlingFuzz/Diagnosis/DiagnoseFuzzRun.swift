import Foundation
import SanderlingDiagnosis

/// Rounds of diagnoses. Each must end with a report or an error and leave all files unchanged.
struct DiagnoseFuzzRun {
  private let seed: UInt64
  private let folder: URL
  private let watchdog = Watchdog()

  /// The time limit of a diagnosis, and the extra time of a round: one long instruction of SQLite runs to its end.
  private static let budget = Duration.seconds(3)
  private static let patience = Duration.seconds(60)

  init(seed: UInt64) throws {
    self.seed = seed
    folder = FileManager.default.temporaryDirectory.appending(path: "sanderling-fuzz-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    Console.print("sanderling-fuzz diagnose --seed \(seed)")
  }

  func run(for duration: Duration, onlyRewrites: Bool) throws {
    let end = ContinuousClock.now + duration
    var (rounds, reports, errors, rewrites) = (0, 0, 0, 0)
    var round = onlyRewrites ? 1 : 0
    while ContinuousClock.now < end {
      if round % 2 == 1 {
        rewrites += try compareRewrites(round)
        reports += 1
      } else if try run(round) {
        reports += 1
      } else {
        errors += 1
      }
      rounds += 1
      round += onlyRewrites ? 2 : 1
    }
    try FileManager.default.removeItem(at: folder)
    Console.print(
      "\(rounds) rounds: \(reports) reports, \(errors) errors, \(rewrites) rewrites compared, nothing found")
    // A run in which nearly all inputs are refused would test little.
    if reports * 4 < rounds { throw DiagnoseFuzzFailure("Fewer than a quarter of the rounds came to a report") }
  }

  /// The odd rounds: proven rewrites must also be right on other rows.
  ///
  /// - Returns: The number of compared rewrites.
  @discardableResult
  func compareRewrites(_ round: Int) throws -> Int {
    let name = "sanderling-fuzz diagnose --seed \(seed) --round \(round)"
    watchdog.begin(name, limit: Self.patience)
    defer { watchdog.end() }
    var random = SeededGenerator(seed: seed, round: round)
    var options = Diagnosis.Options()
    options.timeBudget = .seconds(8)
    options.temporaryFolder = folder
    options.showsValues = true
    return try RewriteFuzz(random: &random).run(in: folder, options, &random, name: name)
  }

  /// - Returns: Whether the round ended with a report.
  @discardableResult
  func run(_ round: Int) throws -> Bool {
    let name = "sanderling-fuzz diagnose --seed \(seed) --round \(round)"
    watchdog.begin(name, limit: Self.budget + Self.patience)
    defer { watchdog.end() }
    var random = SeededGenerator(seed: seed, round: round)
    let copies = folder.appending(path: "copies")
    try? FileManager.default.removeItem(at: copies)
    try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: true)
    let database = try HostileDatabase(random: &random).write(to: folder, &random)
    var input = HostileInput(random: random)
    let workload = try input.workload(in: folder)
    let before = try Data(contentsOf: database)

    var options = Diagnosis.Options()
    options.timeBudget = Self.budget
    options.statementBudget = .milliseconds(200)
    options.temporaryFolder = copies
    options.diskBudget = 64 << 20
    options.showsValues = input.random.chance(50)
    let report: DiagnosisReport?
    do {
      report = try Diagnosis(database: database, options: options).run(workload)
    } catch is DiagnosisError {
      report = nil
    }
    if let report { try write(report, options.showsValues, name) }

    if try Data(contentsOf: database) != before { throw DiagnoseFuzzFailure("The database was changed: \(name)") }
    let left = try FileManager.default.contentsOfDirectory(atPath: copies.path)
    if !left.isEmpty { throw DiagnoseFuzzFailure("\(left[0]) was left behind: \(name)") }
    if FileManager.default.fileExists(atPath: folder.appending(path: HostileInput.stolenFile).path) {
      throw DiagnoseFuzzFailure("A statement wrote a file: \(name)")
    }
    return report != nil
  }

  /// Writes each form of the report. Text of the input must not become syntax of the report.
  private func write(_ report: DiagnosisReport, _ showsValues: Bool, _ name: String) throws {
    let terminal = TerminalReport(report, width: 80, isColored: false, showsValues: showsValues).text
    if terminal.unicodeScalars.contains(where: { $0.value < 32 && $0 != "\n" }) {
      throw DiagnoseFuzzFailure("The terminal's report has a control character: \(name)")
    }
    _ = try JSONReport(report, showsValues: showsValues).text
    _ = MarkdownReport(report, showsValues: showsValues).text
    let page = HTMLReport(report, showsValues: showsValues).text
    if page.range(of: "<script", options: .caseInsensitive) != nil {
      throw DiagnoseFuzzFailure("The page has a script: \(name)")
    }
  }
}

struct DiagnoseFuzzFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
