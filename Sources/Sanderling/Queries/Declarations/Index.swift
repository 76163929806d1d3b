/// An index of a record's table.
///
/// ```swift
/// static let indexes: [Index<TodoTask>] = [
///   .on(.ascending(\.projectID), .descending(\.dueAt)),
///   .unique(on: .ascending(\.slug, collation: .nocase)),
///   .on(.ascending(\.dueAt)).where { !$0.isCompleted },
///   .on(.expression { $0.title.lowercased() }),
/// ]
/// ```
public struct Index<Owner: StoredRecord>: Hashable, Sendable {
  /// The index without its record's type: its name, parts and condition.
  public let definition: IndexDefinition

  /// One column or expression of an index.
  public struct Part: Hashable, Sendable {
    let part: IndexDefinition.Part

    /// A column in ascending order.
    public static func ascending<Value>(
      _ column: KeyPath<Owner.Fields, Field<Value>>, collation: Collation? = nil
    ) -> Part {
      Part(part: .init(column, of: Owner.self, collation: collation, isDescending: false))
    }

    /// A column in descending order.
    public static func descending<Value>(
      _ column: KeyPath<Owner.Fields, Field<Value>>, collation: Collation? = nil
    ) -> Part {
      Part(part: .init(column, of: Owner.self, collation: collation, isDescending: true))
    }

    /// The values of an expression of the record's fields.
    public static func expression<Value>(
      isDescending: Bool = false, collation: Collation? = nil, _ expression: (Owner.Fields) -> Field<Value>
    ) -> Part {
      let term = Nesting.atRoot { expression(Owner.fields).term }
      return Part(part: .init(term: term, collation: collation, isDescending: isDescending))
    }
  }

  /// Declares an index on the parts, in order. By default, its name consists of the names of the table and the columns.
  public static func on(_ parts: Part..., name: String? = nil) -> Index {
    Index(definition: IndexDefinition(name: name, isUnique: false, parts: parts.map(\.part), condition: nil))
  }

  /// Declares a unique index on the parts: no two rows are equal in all of them.
  public static func unique(on parts: Part..., name: String? = nil) -> Index {
    Index(definition: IndexDefinition(name: name, isUnique: true, parts: parts.map(\.part), condition: nil))
  }

  /// The same index, restricted to rows that satisfy the condition.
  public func `where`(_ condition: (Owner.Fields) -> Field<Bool>) -> Index {
    var definition = definition
    definition.condition = Nesting.atRoot { condition(Owner.fields).condition }
    return Index(definition: definition)
  }
}

/// An index without its record type.
public struct IndexDefinition: Hashable, Sendable {
  package struct Part: Hashable, Sendable {
    package let term: Term
    package let collation: Collation?
    package let isDescending: Bool

    package init(term: Term, collation: Collation?, isDescending: Bool) {
      self.term = term
      self.collation = collation
      self.isDescending = isDescending
    }

    package init<Owner: StoredRecord, Value>(
      _ column: KeyPath<Owner.Fields, Field<Value>>, of owner: Owner.Type, collation: Collation?, isDescending: Bool
    ) {
      self.init(
        term: Owner.fields[keyPath: column].term, collation: collation, isDescending: isDescending)
    }
  }

  package let name: String?
  package let isUnique: Bool
  package let parts: [Part]
  package var condition: Term?
}
