import Foundation
import Sanderling
import Testing

@testable import SanderlingSync

/// The transitions of all states and events keep the rules, and equal the table in `Documentation/PendingChanges.md`.
@Suite struct TransitionTableTests {
  private static let documentation = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Documentation")
  private static let (begin, end) = ("<!-- states × events -->\n", "<!-- end of states × events -->")

  private func cells() throws -> [(state: String, event: String, from: OutboxEntry?, to: OutboxTransition)] {
    try SampleEntries.events.flatMap { event in
      try SampleEntries.entries.map { state in
        (
          state.name, event.name, state.entry,
          try OutboxEntry.transition(state.entry, event.event, SampleEntries.policy)
        )
      }
    }
  }

  /// The table in the documentation equals the transition function. `SANDERLING_WRITE_TABLE=1` writes the table.
  @Test func theTableIsDocumented() throws {
    let url = Self.documentation.appendingPathComponent("PendingChanges.md")
    let text = try String(contentsOf: url, encoding: .utf8)
    let parts = text.components(separatedBy: Self.begin)
    let rest = try #require(parts.count == 2 ? parts[1].components(separatedBy: Self.end) : nil)
    let table = try self.table()
    if ProcessInfo.processInfo.environment["SANDERLING_WRITE_TABLE"] != nil {
      try (parts[0] + Self.begin + table + Self.end + rest[1]).write(to: url, atomically: true, encoding: .utf8)
    } else {
      #expect(rest[0] == table, "The table differs from the function: write it with SANDERLING_WRITE_TABLE=1.")
    }
  }

  /// The table as Markdown: for each event, the states with the same transition share a line.
  private func table() throws -> String {
    var lines = ["| Event | State | becomes | Base | Effects |", "| --- | --- | --- | --- | --- |"]
    let cells = try cells()
    for event in SampleEntries.events.map(\.name) {
      var groups: [(states: [String], text: String)] = []
      for cell in cells where cell.event == event {
        let text = Self.text(cell.from, cell.to)
        if let index = groups.firstIndex(where: { $0.text == text }) {
          groups[index].states.append(cell.state)
        } else {
          groups.append(([cell.state], text))
        }
      }
      for (index, group) in groups.enumerated() {
        lines.append("| \(index == 0 ? event : "") | \(group.states.joined(separator: "; ")) | \(group.text) |")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func text(_ from: OutboxEntry?, _ transition: OutboxTransition) -> String {
    let to = transition.entry
    let becomes = from == to && from != nil ? "unchanged" : name(to)
    let base: String =
      if to == nil || from?.base == to?.base { "" } else if to?.base == nil {
        "none"
      } else if to?.base == from?.sent?.row {
        "the row that was sent"
      } else if from == nil { "the row before" } else { "the row that was pulled" }
    return "\(becomes) | \(base) | \(transition.effects.map(name).joined(separator: ", "))"
  }

  private static func name(_ entry: OutboxEntry?) -> String {
    guard let entry else { return "nothing" }
    var parts: [String]
    switch entry.state {
    case .unsent: parts = ["unsent"]
    case .uncertain: parts = ["uncertain"]
    case .taken: parts = ["taken"]
    case .returned: parts = ["returned"]
    case .sending(_, let meanwhile):
      parts = ["sending"]
      if meanwhile.basis == .toldAgain { parts.append("told again") }
      if meanwhile.basis == .changed { parts.append("rebased") }
      if meanwhile.held != nil { parts.append("held") }
      if meanwhile.acknowledgement != nil { parts.append("answered") }
      if meanwhile.isEdited { parts.append("edited") }
      if meanwhile.failure != nil { parts.append("with the reason") }
    case .refused(_, _, let isEdited): parts = ["refused"] + (isEdited ? ["edited"] : [])
    }
    if entry.isAssumed { parts.append("assumed") }
    if entry.conflicts > OutboxEntry.stuckCount { parts.append("all named") }
    return (parts + (entry.isDeparted ? ["departed"] : [])).joined(separator: ", ")
  }

  private static func name(_ effect: OutboxEffect) -> String {
    switch effect {
    case .write(nil): "delete the row"
    case .write: "write the row"
    case .look: "look at it"
    case .setVersion(nil): "forget the version"
    case .setVersion: "note the version"
    case .log: "log the loss"
    case .quarantine: "quarantine"
    case .unquarantine: "leave the quarantine"
    case .compareAll: "compare all rows"
    case .noteSeen: "note as seen"
    case .keep: "keep it"
    case .stage: "stage it"
    case .park: "park"
    case .merge: "merge the held change or park it"
    case .attempt(let effects, let others):
      effects.map(name).joined(separator: ", ") + " or "
        + (others.isEmpty ? "nothing" : others.map(name).joined(separator: ", "))
    }
  }

  /// Each combination of a state and an event keeps the rules of pending changes.
  @Test func allCellsKeepTheRules() throws {
    for (state, event, from, transition) in try cells() {
      let comment: Comment = "\(state), \(event)"
      let to = transition.entry
      // A number belongs to one mutation until the server has answered.
      if case .sending(let sent, _)? = from?.state {
        let isAnswer = ["acknowledged", "conflicted", "refused", "parent refused", "went back"].contains {
          event.hasPrefix($0)
        }
        if isAnswer {
          #expect(to?.isSending != true, comment)
        } else {
          #expect(to?.isSending == true && to?.sent?.number == sent.number, comment)
          #expect(to?.sent?.row?.prefix(2) == sent.row?.prefix(2) && to?.sent?.columns == sent.columns, comment)
        }
      } else if to?.isSending == true {
        #expect(event == "sent", comment)
      }
      // The base is the server's row, so only events from the server change it.
      if let from, let to, from.base != to.base {
        let isTold = ["pulled", "acknowledged", "cascaded", "completed", "went back"].contains { event.hasPrefix($0) }
        // A mutation that replaces an accepted mutation is based on the values of the accepted mutation.
        #expect(isTold || (event == "sent" && to.isAssumed), comment)
      }
      // A pending change disappears only if the server has it, its loss is logged, or the user discards it.
      if let from, to == nil, from.row != from.base, event != "discarded" {
        let isLogged = transition.effects.contains { if case .log = $0 { true } else { false } }
        #expect(isLogged || event.hasPrefix("acknowledged"), comment)
      }
      #expect(to.map { $0.key == SampleEntries.key && $0.sequence == 3 } ?? true, comment)
    }
  }

  /// Each arrow of the diagram is a transition of the function, and each transition between states has an arrow.
  @Test func diagramMatchesTheTransitionFunction() throws {
    let svg = try String(
      contentsOf: Self.documentation.appendingPathComponent("pending-changes.svg"), encoding: .utf8)
    let arrows = svg.replacingOccurrences(of: "&gt;", with: ">").components(separatedBy: "data-move=\"").dropFirst()
      .compactMap { $0.components(separatedBy: "\"").first }
    #expect(arrows.count >= 12)
    var moves: Set<String> = []
    for (_, event, from, transition) in try cells() {
      let (before, after) = (Self.name(from), Self.name(transition.entry))
      let short = [before, after].map { $0.components(separatedBy: ",")[0] }
      moves.insert("\(short[0]) > \(short[1]): \(event.components(separatedBy: ",")[0])")
    }
    for arrow in arrows { #expect(moves.contains(arrow), "\(arrow)") }
    // The pairs of states that transitions or arrows connect.
    func pairs(_ moves: some Sequence<String>) -> Set<String> {
      Set(moves.map { $0.components(separatedBy: ":")[0] }).filter {
        let states = $0.components(separatedBy: " > ")
        // Every state leads to `returned`; the diagram says so in words.
        return states[0] != states[1] && !states.contains("returned")
      }
    }
    #expect(pairs(arrows) == pairs(moves))
  }
}
