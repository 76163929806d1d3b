import ArgumentParser
import Foundation

/// The command `sanderling-fuzz live`.
struct LiveFuzzCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Compares live results with fresh SELECTs while random transactions change random databases.",
    discussion: """
      Each round makes a database, live queries and transactions from the seed and its number. The first difference \
      ends the run with exit code 1, the seed, and the smallest case with a difference. A construct in fewer than one \
      in a hundred queries fails the run as well.

      Writes are checked, too: tables are as before after a transaction is undone, and changed rows count their versions.

      A third of the rounds covers a store's whole life: it is erased, migrated, closed and opened again, stands beside \
      other stores, is suspended, and its reads fail.
      """)

  @OptionGroup var length: RunLengthOptions

  @OptionGroup var rounds: RoundOptions

  @Flag(help: "Print the steps of the round of --round before it runs.")
  var describe = false

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "The constructs for which queries are made, by their names in the report.", valueName: "constructs"))
  var only: [String] = []

  @Flag(help: "Cover a store's whole life in all rounds, not only in a third of them.")
  var life = false

  @Flag(help: "Cover a store's life in no round.")
  var withoutLife = false

  @Option(
    help: ArgumentHelp(
      "The events of a store's life, with commas between. Means --life. (\(LifeKind.allCases.map(\.rawValue).joined(separator: ", ")))",
      valueName: "kinds"))
  var steps: String?

  @Option(
    help: ArgumentHelp(
      "How stores are opened, with commas between. Means --life. (\(Opening.allCases.map(\.rawValue).joined(separator: ", ")))",
      valueName: "kinds"))
  var stores: String?

  @Option(
    help: ArgumentHelp(
      "The shape in which lists are shown, where they allow it. Leaves the battery out. (\(OpenStyle.Shape.allCases.map(\.rawValue).joined(separator: ", ")))",
      valueName: "shape"))
  var shownAs: String?

  @Option(help: "How long to look for a smaller case, in seconds.")
  var shrinkSeconds = 60

  @Flag(help: "Continue after a difference, without looking for a smaller case.")
  var keepGoing = false

  func validate() throws {
    if let unknown = only.first(where: { Construct(rawValue: $0) == nil }) {
      let names = Construct.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      throw ValidationError("There is no construct '\(unknown)'. The constructs are \(names).")
    }
    _ = try Self.kinds(LifeKind.self, steps)
    _ = try Self.kinds(Opening.self, stores)
    if shownAs != nil { _ = try Self.kinds(OpenStyle.Shape.self, shownAs) }
    if withoutLife, life || steps != nil || stores != nil {
      throw ValidationError("--without-life can't be combined with --life, --steps or --stores.")
    }
  }

  /// The kinds that an argument names; all kinds without an argument.
  private static func kinds<Kind: CaseIterable & RawRepresentable<String>>(
    _ type: Kind.Type, _ argument: String?
  ) throws -> [Kind] {
    guard let argument else { return Array(Kind.allCases) }
    return try argument.split(separator: ",").map { name in
      if let kind = Kind(rawValue: String(name)) { return kind }
      let names = Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("There is no kind '\(name)'. The kinds are \(names).")
    }
  }

  private func mix() throws -> LifeMix {
    let isAll = life || steps != nil || stores != nil
    return LifeMix(
      share: withoutLife ? .none : isAll ? .all : .third, kinds: try Self.kinds(LifeKind.self, steps),
      openings: try Self.kinds(Opening.self, stores))
  }

  func run() async throws {
    let run = LiveFuzzRun(
      seed: rounds.chosenSeed,
      constructs: only.isEmpty ? Construct.allCases : only.compactMap(Construct.init), mix: try mix(),
      shape: shownAs.flatMap(OpenStyle.Shape.init), shrinkDuration: .seconds(shrinkSeconds), keepsGoing: keepGoing)
    let hasPassed =
      if let round = rounds.round {
        await run.run(round: round, times: rounds.repetitions, describes: describe)
      } else {
        // The least shares of constructs hold only for the usual mixture.
        await run.run(
          for: length.length,
          reportsShortfalls: only.isEmpty && shownAs == nil && !life && !withoutLife && steps == nil && stores == nil)
      }
    if !hasPassed { throw ExitCode.failure }
  }
}
