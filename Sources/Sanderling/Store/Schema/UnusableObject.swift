package import GRDB
import SanderlingSQL

/// A table, view or other object of a schema that can't be read here, with the reason.
///
/// SQLite keeps objects that need an app's functions, collations, tokenizers and modules, and views of dropped tables.
/// Only reading such an object fails; all others work.
package struct UnusableObject: Hashable, Sendable {
  /// `table`, `view`, `virtual table`, `index` or `trigger`.
  package let kind: String
  package let name: String
  /// The reason, as a clause that completes "it can't be read:".
  package let reason: String

  package init(kind: String, name: String, reason: String) {
    (self.kind, self.name, self.reason) = (kind, name, reason)
  }

  /// Whether an error concerns an object, and not the whole file, its locks or the system.
  package static func isOfObject(_ error: DatabaseError) -> Bool {
    switch error.resultCode {
    case .SQLITE_ERROR, .SQLITE_CORRUPT, .SQLITE_AUTH, .SQLITE_MISMATCH, .SQLITE_TOOBIG, .SQLITE_RANGE: true
    default: false
    }
  }

  /// The meaning of an error of SQLite for the object that it concerns.
  package static func reason(_ error: DatabaseError) -> String {
    let message = error.message ?? error.resultCode.description
    let meanings: [(beginning: String, meaning: (String) -> String)] = [
      ("no such function: ", { "it calls the function \($0), which only an app has" }),
      ("unknown function: ", { "it calls the function \($0), which only an app has" }),
      ("no such collation sequence: ", { "it needs the collation \($0), which only an app has" }),
      ("no such tokenizer: ", { "it needs the tokenizer \($0), which only an app has" }),
      ("no such module: ", { "it needs the module \($0), which this SQLite doesn't have" }),
      ("no such table: ", { "it reads the table \($0), which doesn't exist" }),
      ("no such column: ", { "it reads the column \($0), which doesn't exist" }),
    ]
    for (beginning, meaning) in meanings where message.hasPrefix(beginning) {
      var name = message.dropFirst(beginning.count)
      if name.hasPrefix("main.") { name = name.dropFirst(5) }
      if name.hasSuffix("()") { name = name.dropLast(2) }
      return meaning(String(name))
    }
    return message
  }
}

extension SchemaReader {
  /// A table or view of the main database.
  package struct Listed: Hashable {
    package enum Kind: String {
      case table, view
      case virtual = "virtual table"
    }

    package let name: String
    package let kind: Kind
    package let isWithoutRowID: Bool
  }

  /// Reads each table and view by itself, in the order of their names. An object that can't be read doesn't prevent the
  /// reading of others.
  ///
  /// Tables in which SQLite and virtual tables keep their data are left out. O(objects), plus the time of `read`.
  ///
  /// - Throws: Errors that concern no object, such as those of a lock.
  package func each<Value>(
    _ read: (Listed, TableReader) throws -> Value
  ) throws -> (read: [Value], unusable: [UnusableObject]) {
    let entries = try entries()
    var unusable = damaged(known: Set(entries.map(\.name.folded)))
    var values: [Value] = []
    for entry in entries where entry.type != "shadow" && !entry.name.folded.hasPrefix("sqlite_") {
      let listed = Listed(
        name: entry.name, kind: entry.type == "view" ? .view : entry.type == "virtual" ? .virtual : .table,
        isWithoutRowID: entry.isWithoutRowID)
      do {
        values.append(try read(listed, TableReader(listed.name, connection)))
      } catch let error as DatabaseError where UnusableObject.isOfObject(error) {
        let cause = error.message == "no query solution" ? try missingCollation(of: listed.name) : nil
        let reason = UnusableObject.reason(cause ?? error)
        unusable.append(UnusableObject(kind: listed.kind.rawValue, name: listed.name, reason: reason))
      }
    }
    return (values, unusable)
  }

  /// SQLite's error for a collation that an index of a table needs and the connection lacks; nil if it has all of them.
  ///
  /// If the connection lacks a collation of the key, SQLite has no plan for a table without a rowid. SQLite's error is
  /// then "no query solution", which doesn't name the collation.
  private func missingCollation(of table: String) throws -> DatabaseError? {
    let reader = TableReader(table, connection)
    for term in try reader.indexes().flatMap(reader.terms) {
      do {
        _ = try connection.schemaRows("SELECT '' = '' COLLATE \(term.collation.quotedIdentifier)", [])
      } catch let error as DatabaseError where UnusableObject.isOfObject(error) {
        return error
      }
    }
    return nil
  }

  /// The objects whose definition SQLite can't parse. A connection sees other objects beside them only while its schema
  /// is writable.
  private func damaged(known: Set<FoldedName>) -> [UnusableObject] {
    objects.filter { object in
      switch object.type {
      case "table", "view": !known.contains(object.name.folded)
      case "index", "trigger": false
      default: true
      }
    }.map { UnusableObject(kind: $0.type, name: $0.name, reason: "its definition in the file is damaged") }
  }
}
