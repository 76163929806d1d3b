/// The differences between a database's schema and the records, and their consequences.
public struct SchemaPlan: Hashable, Sendable {
  /// One difference.
  public struct Difference: Hashable, Sendable {
    /// The store's answer to a difference.
    public enum Effect: Hashable, Sendable {
      /// Opening a store removes it without loss.
      case additive
      /// It needs a decision, for the reason given.
      case refused(String)
      /// Reading and writing work all the same; the reason explains it.
      case harmless(String)
    }

    /// The table; nil for a difference of the whole database.
    public let table: String?
    /// The work that would be done, or the difference.
    public let summary: String
    /// Whether opening a store removes the difference, refuses it, or leaves it.
    public let effect: Effect
    /// Explicit steps to choose from. Each of them settles the difference.
    public let steps: [ExplicitStep]
    /// The remedy of an additive difference; nil for others. It follows from the other properties, so that it has no
    /// part in equality.
    let remedy: (any SchemaRemedy)?

    public static func == (lhs: Difference, rhs: Difference) -> Bool {
      lhs.table == rhs.table && lhs.summary == rhs.summary && lhs.effect == rhs.effect && lhs.steps == rhs.steps
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(table)
      hasher.combine(summary)
      hasher.combine(effect)
      hasher.combine(steps)
    }
  }

  /// All differences between the database and the records.
  public let differences: [Difference]

  /// The changes that opening a store makes by itself.
  public var additions: [Difference] {
    differences.filter { $0.effect == .additive }
  }

  /// The differences that must be settled before the records can be used.
  public var refusals: [Difference] {
    differences.filter { if case .refused = $0.effect { true } else { false } }
  }

  /// Whether anything has to be settled before the records can be used.
  public var isRefused: Bool { !refusals.isEmpty }

  /// The differences that do no harm.
  public var remarks: [Difference] {
    differences.filter { if case .harmless = $0.effect { true } else { false } }
  }
}

extension SchemaPlan: CustomStringConvertible {
  public var description: String {
    if differences.isEmpty { return "The schema is that of the records." }
    var text = "The schema differs from the records\(isRefused ? " in ways that need a decision" : "").\n"
    for (title, differences) in [("Refused", refusals), ("Additive", additions), ("Harmless", remarks)]
    where !differences.isEmpty {
      text += "\n\(title):\n"
      for difference in differences { text += difference.description }
    }
    return text
  }
}

extension SchemaPlan.Difference: CustomStringConvertible {
  /// The difference as an item of a list, with its reason and steps.
  public var description: String {
    var text = "- \(table.map { "\($0): " } ?? "")\(summary)\n"
    switch effect {
    case .additive: break
    case .refused(let reason), .harmless(let reason): text += "  \(reason)\n"
    }
    for step in steps {
      text += "  \(step.purpose):\n\n"
      for line in step.description.split(separator: "\n", omittingEmptySubsequences: false) {
        text += line.isEmpty ? "\n" : "      \(line)\n"
      }
      text += "\n"
    }
    return text
  }
}

/// A migration's remedy for a difference. Only the migration knows its content.
protocol SchemaRemedy: Sendable {}
