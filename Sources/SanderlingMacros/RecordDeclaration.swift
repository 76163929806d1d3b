import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A struct marked `@Record`, in the form that the expansion needs.
struct RecordDeclaration {
  let name: String
  let access: AccessLevel
  let tableName: String
  /// Whether the table is a view, which is read-only.
  let isView: Bool
  let columns: [ColumnDeclaration]
  let associations: [AssociationDeclaration]
  let key: Key
  /// The indexes in the attribute, or nil when the body declares them.
  let indexes: [IndexDeclaration]?
  /// The names of generated members that the body also declares. This problem is reported already.
  let takenNames: [String]
  let hasMemberwiseInitializer: Bool
  /// Whether the body declares an `id`, stored or computed.
  let declaresID: Bool

  enum Key {
    /// No key was found. This problem is reported already.
    case missing
    /// One property, by its position.
    case single(Int)
    /// A property of the type `Int64?` whose value SQLite assigns.
    case assigned(Int)
    case composite([Int])
  }

  var keyColumns: [ColumnDeclaration] { keyIndices.map { columns[$0] } }

  /// The positions of the key's columns.
  var keyIndices: [Int] {
    switch key {
    case .missing: []
    case .single(let index), .assigned(let index): [index]
    case .composite(let indices): indices
    }
  }

  /// Whether SQLite assigns the value of the column at `index`.
  func isAssigned(_ index: Int) -> Bool {
    if case .assigned(index) = key { true } else { false }
  }
}

extension RecordDeclaration {
  /// Reads all parts of a declaration that can be understood, and reports a problem for each other part.
  ///
  /// - Returns: nil when the declaration can't be a record at all.
  init?(
    _ declaration: some DeclGroupSyntax, attribute: AttributeSyntax, in context: some MacroExpansionContext,
    _ diagnostics: inout Diagnostics
  ) {
    guard let structure = declaration.recordableStruct(for: "Record", context.lexicalContext, &diagnostics) else {
      return nil
    }
    let name = structure.name.text
    let access = AccessLevel(ofType: structure.modifiers, in: context.lexicalContext)
    takenNames = structure.report(taken: ["Fields", "Key", "_Codings", "table"], &diagnostics)
    for property in structure.conditionalProperties { diagnostics.report(.conditionalProperty, at: property) }

    var reader = ColumnReader(record: name, access: access, in: context)
    for variable in structure.variables where !variable.isStatic && !variable.isComputed {
      reader.read(variable, &diagnostics)
    }
    reader.checkNames(&diagnostics)

    self.name = name
    self.access = access
    hasMemberwiseInitializer = structure.hasMemberwiseInitializer
    declaresID = structure.variables.contains { !$0.isStatic && $0.identifier?.text.withoutBackticks == "id" }
    columns = reader.columns
    let view = attribute.argument(labeled: "view")
    isView = view != nil
    tableName = Self.tableName(view ?? attribute.argument(labeled: nil), of: name.withoutBackticks, &diagnostics)
    associations = Self.associations(structure, name, access, columns, &diagnostics)
    key = Self.key(structure, reader, &diagnostics)
    indexes = Self.indexes(structure, attribute, reader, &diagnostics)
    checkName(ofKeyIn: structure, &diagnostics)
  }

  private static func tableName(
    _ argument: ExprSyntax?, of record: String, _ diagnostics: inout Diagnostics
  ) -> String {
    let standard = record.asValueName
    guard let argument, !argument.is(NilLiteralExprSyntax.self) else {
      return standard
    }
    guard let name = argument.stringLiteral else {
      diagnostics.report(.notLiteral, at: argument)
      return standard
    }
    if name.isEmpty { diagnostics.report(.emptyTableName, at: argument) }
    for prefix in ["sqlite_", "grdb_"] where name.lowercased().hasPrefix(prefix) {
      diagnostics.report(.reservedTableName(prefix), at: argument)
    }
    return name
  }

  private static func associations(
    _ structure: StructDeclSyntax, _ name: String, _ access: AccessLevel, _ columns: [ColumnDeclaration],
    _ diagnostics: inout Diagnostics
  ) -> [AssociationDeclaration] {
    let reader = AssociationReader(record: name, access: access, columns: columns)
    return structure.variables.filter(\.isStatic).compactMap { variable in
      guard let association = reader.read(variable, &diagnostics) else { return nil }
      let name = association.identifier.withoutBackticks
      guard !columns.contains(where: { $0.property == name }), name != "_scope" else {
        let problem = name == "_scope" ? Problem.nameTaken(name) : .columnAndAssociation(name)
        diagnostics.report(problem, at: variable.binding.pattern)
        return nil
      }
      return association
    }
  }

  private static func key(
    _ structure: StructDeclSyntax, _ reader: ColumnReader, _ diagnostics: inout Diagnostics
  ) -> Key {
    let columns = reader.columns
    let marked = columns.indices.filter { columns[$0].isMarkedAsKey }
    let indices = marked.isEmpty ? columns.indices.filter { columns[$0].property == "id" } : marked
    guard let first = indices.first else {
      let mayBeBroken = reader.brokenProperties.contains("id") || structure.marksKey
      if !mayBeBroken {
        diagnostics.report(.noKey(record: structure.name.text), at: structure.name, structure.keyInsertion)
      }
      return .missing
    }
    let column = columns[first]
    if indices.count == 1, column.type.isOptionalInt64 {
      guard case .own = column.coding else {
        diagnostics.report(.codedAssignedKey, at: column.nameNode)
        return .missing
      }
      return .assigned(first)
    }
    for column in indices.map({ columns[$0] }) where column.type.isOptional {
      guard let node = column.typeNode else { continue }
      let mark = node.as(OptionalTypeSyntax.self)?.questionMark
      let fixIt: FixIt =
        mark.map { .remove($0, .makeRequired) } ?? .replace(node, with: column.type.wrapped, .makeRequired)
      diagnostics.report(.optionalKey(column.type.spelling), at: node, fixIt)
    }
    return indices.count == 1 ? .single(first) : .composite(indices)
  }

  private static func indexes(
    _ structure: StructDeclSyntax, _ attribute: AttributeSyntax, _ reader: ColumnReader,
    _ diagnostics: inout Diagnostics
  ) -> [IndexDeclaration]? {
    let argument = attribute.labeledArguments?.first { $0.label?.text == "indexes" }
    let isInBody = structure.declaration(ofTypeOrStatic: "indexes") != nil
    guard let argument else { return isInBody ? nil : [] }
    if isInBody {
      diagnostics.report(.indexesTwice, at: argument)
      return nil
    }
    let indexReader = IndexReader(
      record: structure.name.text, columns: reader.columns, brokenProperties: reader.brokenProperties)
    return indexReader.read(argument.expression, &diagnostics)
  }

  /// Every record has a property `key`. A stored property of that name must be its whole key.
  private func checkName(ofKeyIn structure: StructDeclSyntax, _ diagnostics: inout Diagnostics) {
    if case .single(let index) = key, columns[index].property == "key" { return }
    let taken = structure.variables.first { !$0.isStatic && $0.identifier?.text.withoutBackticks == "key" }
    if let node = taken?.identifier { diagnostics.report(.nameTakenByKey, at: node) }
  }
}

extension StructDeclSyntax {
  /// The fix-it that adds a key as the first member, in the style of the body.
  fileprivate var keyInsertion: FixIt {
    let next = memberBlock.members.firstToken(viewMode: .sourceAccurate) ?? memberBlock.rightBrace
    let text =
      if memberBlock.members.isEmpty {
        " var id: UUID "
      } else if next.leadingTrivia.contains(where: \.isNewline) {
        "\n\(next.indentationOfLine)var id: UUID"
      } else {
        " var id: UUID;"
      }
    return .insert(text, after: memberBlock.leftBrace, .addKey)
  }

  fileprivate var marksKey: Bool {
    variables.contains { $0.attributes.attribute(named: "PrimaryKey") != nil }
  }
}

extension DeclGroupSyntax {
  /// Reports declarations whose names the macro needs, and returns these names.
  func report(taken names: [String], _ diagnostics: inout Diagnostics) -> [String] {
    names.filter { name in
      guard let node = declaration(ofTypeOrStatic: name) else { return false }
      diagnostics.report(.nameTaken(name), at: node)
      return true
    }
  }

  /// The declaration as a struct that a macro can extend with static members.
  func recordableStruct(
    for macro: String, _ lexicalContext: [Syntax], _ diagnostics: inout Diagnostics
  ) -> StructDeclSyntax? {
    guard let structure = self.as(StructDeclSyntax.self) else {
      let fixIt = self.as(ClassDeclSyntax.self)?.structReplacement
      diagnostics.report(.notAStruct(macro: macro), at: introducer, fixIt)
      return nil
    }
    let outer = lexicalContext.first { $0.asProtocol((any WithGenericParametersSyntax).self)?.isGeneric == true }
    if structure.isGeneric || outer != nil {
      diagnostics.report(.genericRecord(macro: macro), at: structure.name)
      return nil
    }
    let isPrivate = structure.modifiers.first { $0.name.tokenKind == .keyword(.private) }
    if let isPrivate, !lexicalContext.isEmpty {
      diagnostics.report(
        .privateType(structure.name.text), at: isPrivate,
        .replace(isPrivate, with: "fileprivate", .makeFileprivate))
      return nil
    }
    return structure
  }
}

extension ClassDeclSyntax {
  /// The fix-it that makes the class a struct, without `final`.
  fileprivate var structReplacement: FixIt {
    let replacement = FixIt.replace(classKeyword, with: "struct", .makeStruct)
    let final = modifiers.first { $0.name.tokenKind == .keyword(.final) }
    guard let final else { return replacement }
    let removal = FixIt.remove(final, .makeStruct)
    return FixIt(message: replacement.message, changes: removal.changes + replacement.changes)
  }
}

extension WithGenericParametersSyntax {
  fileprivate var isGeneric: Bool { genericParameterClause != nil }
}
