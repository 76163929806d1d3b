import Foundation
import SanderlingDiagnosis

/// Rounds of diagnoses. Each must end with a report or an error and leave all files unchanged.
struct DiagnoseFuzzRun {
  private let seed: UInt64
  private let folder: URL
  private let watchdog = Watchdog()

  /// The time limit of a diagnosis, and the extra time of a round. SQLite can't be stopped within one long instruction.
  private static let budget = Duration.seconds(3)
  private static let patience = Duration.seconds(60)

  init(seed: UInt64) throws {
    self.seed = seed
    folder = FileManager.default.temporaryDirectory.appending(path: "sanderling-fuzz-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    Console.print("sanderling-fuzz diagnose --seed \(seed)")
  }

  /// - Returns: Whether no failure was found.
  func run(for length: RunLength, onlyRewrites: Bool) throws -> Bool {
    let start = ContinuousClock.now
    var (rounds, reports, errors, rewrites) = (0, 0, 0, 0)
    var round = onlyRewrites ? 1 : 0
    while !length.isOver(afterRounds: rounds, since: start) {
      guard let outcome = outcome(of: round) else { return false }
      rewrites += outcome.rewrites
      if outcome.isReport { reports += 1 } else { errors += 1 }
      rounds += 1
      round += onlyRewrites ? 2 : 1
    }
    try FileManager.default.removeItem(at: folder)
    Console.print(
      "\(rounds) rounds: \(reports) reports, \(errors) errors, \(rewrites) rewrites compared, nothing found")
    // If most inputs are refused, the run tests too little.
    if reports * 4 < rounds {
      Console.print("Fewer than a quarter of the rounds came to a report.")
      let option = onlyRewrites ? " --rewrites" : ""
      Console.print("To run it again: sanderling-fuzz diagnose --seed \(seed) --rounds \(rounds)\(option)")
      return false
    }
    return true
  }

  /// - Returns: Whether no failure was found.
  func run(only round: Int) throws -> Bool {
    guard outcome(of: round) != nil else { return false }
    try FileManager.default.removeItem(at: folder)
    Console.print("Round \(round) found nothing.")
    return true
  }

  /// Runs a round and prints its failure.
  ///
  /// - Returns: Whether the round reached a report, and the number of compared rewrites; nil for a failure.
  private func outcome(of round: Int) -> (isReport: Bool, rewrites: Int)? {
    do {
      if round % 2 == 1 { return (true, try compareRewrites(round)) }
      return (try run(round), 0)
    } catch {
      Console.print("\nRound \(round) failed: \(error)")
      Console.print("Its databases are in \(folder.path)")
      Console.print("To run it again: \(name(of: round))")
      return nil
    }
  }

  private func name(of round: Int) -> String { "sanderling-fuzz diagnose --seed \(seed) --round \(round)" }

  /// Runs an odd round, in which proven rewrites must be right on other rows.
  ///
  /// - Returns: The number of proven rewrites.
  private func compareRewrites(_ round: Int) throws -> Int {
    let name = name(of: round)
    watchdog.begin(name, limit: Self.patience)
    defer { watchdog.end() }
    var random = SeededGenerator(seed: seed, round: round)
    var options = Diagnosis.Options()
    options.timeBudget = .seconds(8)
    options.temporaryFolder = folder
    options.showsValues = true
    return try RewriteFuzz(random: &random).run(in: folder, options, &random, name: name)
  }

  /// - Returns: Whether the round reached a report.
  private func run(_ round: Int) throws -> Bool {
    let name = name(of: round)
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
