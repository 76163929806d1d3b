import SwiftDiagnostics

/// Every problem that the macros report, with the message that the user reads.
enum Problem {
  // Problems of the declaration
  case notAStruct(macro: String)
  case genericRecord(macro: String)
  case nameTaken(String)
  case nameTakenByKey
  case conditionalProperty
  case notLiteral
  case privateType(String)
  case emptyTableName
  case reservedTableName(String)

  // Problems of properties
  case noType(String)
  case constantProperty(String)
  case lazyProperty(String)
  case tuplePattern
  case unsupportedType(String)
  case emptyColumnName
  case duplicateColumn(String)
  case columnAndAssociation(String)
  case mismatchedCoding(coding: String, stores: String, type: String)
  case codedAssignedKey
  case codingNotNamed
  case noCoding(String)

  // Problems of attributes
  case notAColumn(attribute: String)
  case outsideOfRecord(attribute: String)

  case notSearchable(String)
  case searchableCoding(String)
  case searchableTwice
  case foldedNameTaken(String, of: String)

  // Problems of keys
  case noKey(record: String)
  case optionalKey(String)

  // Problems of associations and indexes
  case unknownToOneKey
  case indexesTwice
  case indexesNotLiteral
  case indexNotLiteral
  case noProperty(record: String, name: String)

  // Problems of projections
  case noSource
}

extension Problem: DiagnosticMessage {
  var message: String {
    switch self {
    case .notAStruct(let macro): "@\(macro) applies to structs"
    case .genericRecord(let macro): "@\(macro) can't be applied to a generic type: each of its types would need a table"
    case .nameTaken(let name): "the name '\(name)' is taken by @Record or @Projection"
    case .nameTakenByKey:
      "the name 'key' is taken by @Record; name the property otherwise: '@Stored(\"key\") var keyName'"
    case .conditionalProperty: "a column can't depend on a compilation condition"
    case .notLiteral: "expected a string literal, which the macro can read"
    case .privateType(let name):
      "'\(name)' can't be private in another type, since the extension that @Record or @Projection makes stands outside"
    case .emptyTableName: "a table needs a name"
    case .reservedTableName(let name): "table names that start with '\(name)' are reserved"
    case .noType(let name):
      "the type of '\(name)' must be written out, since its value doesn't name it and macros see no inferred types"
    case .constantProperty(let name): "'\(name)' can't be read from the database, since its value is constant"
    case .lazyProperty(let name): "'\(name)' can't be a column and lazy"
    case .tuplePattern: "a column can't be declared by a tuple pattern"
    case .unsupportedType(let type): "'\(type)' can't be stored in a column"
    case .emptyColumnName: "a column needs a name"
    case .duplicateColumn(let name): "two columns are named '\(name)'"
    case .columnAndAssociation(let name): "'\(name)' can't be a column and an association"
    case .mismatchedCoding(let coding, let stores, let type): "'.\(coding)' stores '\(stores)', not '\(type)'"
    case .codedAssignedKey: "a key that SQLite assigns has no other coding"
    case .codingNotNamed: "expected the name of a coding, like '.json', or a type, like 'MyCoding.self'"
    case .noCoding(let name): "there is no coding named '\(name)'"

    case .notAColumn(let attribute): "@\(attribute) applies to stored properties"
    case .outsideOfRecord(let attribute): "@\(attribute) has a meaning in a struct marked @Record only"
    case .notSearchable(let type): "@Searchable applies to texts, 'String' or 'String?', and '\(type)' is none"
    case .searchableCoding(let name):
      "@Searchable applies to texts, 'String' or 'String?': '\(name)' is stored by another coding"
    case .searchableTwice: "the property is searchable already"
    case .foldedNameTaken(let name, let property):
      "the column '\(name)' holds the folded text of '\(property)', which is searchable: give the other property another column"
    case .noKey(let record):
      "'\(record)' needs a key: a property named 'id', or properties marked @PrimaryKey"
    case .optionalKey(let type):
      "a key can't be '\(type)'; only a single 'Int64?' may be optional, which SQLite assigns"
    case .unknownToOneKey:
      "write this association as 'belongsTo(…, by: …)', so that the macro sees whether its key is optional"
    case .indexesTwice: "the indexes are declared in the attribute and in the body"
    case .indexesNotLiteral: "the indexes must be an array literal, which the macro can read"
    case .indexNotLiteral: "expected '.on(…)' or '.unique(on: …)' of key paths; declare any other index in the body"
    case .noProperty(let record, let name): "'\(record)' has no stored property '\(name)'"
    case .noSource: "expected the record that is projected: '@Projection(of: Project.self)'"
    }
  }

  var severity: DiagnosticSeverity { .error }

  var diagnosticID: MessageID {
    let name = Mirror(reflecting: self).children.first?.label ?? "\(self)"
    return MessageID(domain: "Sanderling", id: name)
  }
}

/// The fix-its that the macros offer for a problem.
enum Correction {
  case makeStruct
  case makeVariable
  case makeFileprivate
  case remove(String)
  case addKey
  case addType
  case storeAsJSON
  case makeRequired
  case makeOptional
  case replace(with: String)
}

extension Correction: FixItMessage {
  var message: String {
    switch self {
    case .makeStruct: "change it to 'struct'"
    case .makeVariable: "change it to 'var'"
    case .makeFileprivate: "change it to 'fileprivate'"
    case .remove(let what): "remove '\(what)'"
    case .addKey: "add 'var id: UUID'"
    case .addType: "add the type"
    case .storeAsJSON: "store it as JSON"
    case .makeRequired: "remove '?'"
    case .makeOptional: "make it optional"
    case .replace(let text): "replace it with '\(text)'"
    }
  }

  var fixItID: MessageID {
    let name = Mirror(reflecting: self).children.first?.label ?? "\(self)"
    return MessageID(domain: "Sanderling", id: name)
  }
}
