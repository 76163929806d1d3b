/// The differences between a database's schema and the records, and their consequences.
public struct SchemaPlan: Hashable, Sendable {
  /// One difference.
  public struct Difference: Hashable, Sendable {
    /// The store's answer to a difference.
    public enum Effect: Hashable, Sendable {
      /// Opening a store removes the difference without loss.
      case additive
      /// The difference needs a decision, for the given reason.
      case refused(String)
      /// Reading and writing work despite the difference, as the reason explains.
      case harmless(String)
    }

    /// The table; nil for a difference of the whole database.
    public let table: String?
    /// The change that removes the difference, or the difference itself.
    public let summary: String
    /// Whether opening a store removes the difference, refuses it, or leaves it.
    public let effect: Effect
    /// Explicit steps to choose from. Each of them settles the difference.
    public let steps: [ExplicitStep]
    /// The remedy of an additive difference; nil for others. Equality ignores the remedy, because it follows from the
    /// other properties.
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

  /// The differences that opening a store removes by itself.
  public var additions: [Difference] {
    differences.filter { $0.effect == .additive }
  }

  /// The differences that must be settled before the records can be used.
  public var refusals: [Difference] {
    differences.filter { if case .refused = $0.effect { true } else { false } }
  }

  /// Whether a difference must be settled before the records can be used.
  public var isRefused: Bool { !refusals.isEmpty }

  /// The differences that do no harm.
  public var remarks: [Difference] {
    differences.filter { if case .harmless = $0.effect { true } else { false } }
  }
}

extension SchemaPlan: CustomStringConvertible {
  public var description: String {
    if differences.isEmpty { return "The schema equals the declaration of the records." }
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
