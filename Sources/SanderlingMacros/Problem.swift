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
    case .genericRecord(let macro):
      "@\(macro) can't be applied to a generic type, or inside of one: declare a struct for each concrete type"
    case .nameTaken(let name):
      "the name '\(name)' is reserved for code that @Record and @Projection generate: rename this declaration"
    case .nameTakenByKey:
      "the name 'key' is reserved for the record's key: rename the property, and keep its column with '@Stored(\"key\")'"
    case .conditionalProperty: "a column can't depend on a compilation condition: move the property out of '#if'"
    case .notLiteral: "expected a string literal without interpolation: a macro reads only source text"
    case .privateType(let name):
      "'\(name)' can't be private inside another type: the extension that the macro generates stands outside and can't see it"
    case .emptyTableName: "a table needs a name"
    case .reservedTableName(let name): "table names that start with '\(name)' are reserved"
    case .noType(let name):
      "write out the type of '\(name)': its initial value doesn't name the type, and a macro can't infer it"
    case .constantProperty(let name): "'\(name)' can't be read from the database, since its value is constant"
    case .lazyProperty(let name): "'\(name)' is lazy, and a lazy property can't be a column"
    case .tuplePattern: "a column can't be declared by a tuple pattern: declare each property by itself"
    case .unsupportedType(let type): "'\(type)' can't be stored in a column"
    case .emptyColumnName: "a column needs a name"
    case .duplicateColumn(let name):
      "two columns are named '\(name)', and SQL ignores case: give one property another column with '@Stored(\"…\")'"
    case .columnAndAssociation(let name):
      "a column and an association are both named '\(name)': rename the association"
    case .mismatchedCoding(let coding, let stores, let type): "'.\(coding)' stores '\(stores)', not '\(type)'"
    case .codedAssignedKey: "SQLite assigns this key as an integer, so it can't have a coding: remove 'as:'"
    case .codingNotNamed: "expected the name of a coding, like '.json', or a type, like 'MyCoding.self'"
    case .noCoding(let name): "there is no coding named '\(name)'"

    case .notAColumn(let attribute): "@\(attribute) applies only to stored properties of instances"
    case .outsideOfRecord(let attribute): "@\(attribute) applies only inside a struct marked @Record"
    case .notSearchable(let type): "@Searchable needs a property of the type 'String' or 'String?', not '\(type)'"
    case .searchableCoding(let name):
      "@Searchable needs a text that is stored without a coding: remove 'as:' from the @Stored of '\(name)'"
    case .searchableTwice: "this property has @Searchable twice: list all kinds of searches in the first attribute"
    case .foldedNameTaken(let name, let property):
      "the column '\(name)' stores the folded text of '\(property)': give the other property another column with '@Stored(\"…\")'"
    case .noKey(let record):
      "'\(record)' needs a key: a property named 'id', or properties marked @PrimaryKey"
    case .optionalKey(let type):
      "a key can't be optional, as '\(type)' is; exception: a single key of the type 'Int64?', which SQLite assigns"
    case .unknownToOneKey:
      "write this association as 'belongsTo(…, by: …)', so that the macro sees whether its key is optional"
    case .indexesTwice: "indexes are declared in the attribute and in the body: declare all of them in the body"
    case .indexesNotLiteral:
      "expected an array literal: a macro reads only source text; declare computed indexes in the body"
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
