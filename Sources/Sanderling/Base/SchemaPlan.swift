/// How a database's schema differs from the records, and what follows from it.
public struct SchemaPlan: Hashable, Sendable {
  /// One difference.
  public struct Difference: Hashable, Sendable {
    /// What a store does about a difference.
    public enum Effect: Hashable, Sendable {
      /// Opening a store removes it without loss.
      case additive
      /// It needs a decision, for the reason given.
      case refused(String)
      /// Reading and writing work all the same, as the reason tells.
      case harmless(String)
    }

    /// The table, or nothing for what concerns the whole database.
    public let table: String?
    /// What would be done, or what is different.
    public let summary: String
    public let effect: Effect
    /// Explicit steps to choose from, each of which would settle the difference.
    public let steps: [ExplicitStep]
    /// What settles an additive difference; nil for others. It follows from the rest, so it makes no difference another.
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

  public let differences: [Difference]

  /// What opening a store does by itself.
  public var additions: [Difference] {
    differences.filter { $0.effect == .additive }
  }

  /// What has to be settled before the records can be used.
  public var refusals: [Difference] {
    differences.filter { if case .refused = $0.effect { true } else { false } }
  }

  /// Whether anything has to be settled before the records can be used.
  public var isRefused: Bool { !refusals.isEmpty }

  /// What is different and works all the same.
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

/// What a migration does about a difference. Only the migration knows what that is.
protocol SchemaRemedy: Sendable {}
