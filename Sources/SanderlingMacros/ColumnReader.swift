import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Reads the columns off the stored properties of a record.
struct ColumnReader {
  /// The name of the record.
  let record: String
  /// The record's own level, which no generated member exceeds.
  let access: AccessLevel
  private let context: any MacroExpansionContext
  private(set) var columns: [ColumnDeclaration] = []
  /// The properties that became no columns because of a reported problem.
  private(set) var brokenProperties: [String] = []

  init(record: String, access: AccessLevel, in context: some MacroExpansionContext) {
    self.record = record
    self.access = access
    self.context = context
  }

  /// Reads a property that is stored in each value of the record, not a static one.
  mutating func read(_ variable: Variable, _ diagnostics: inout Diagnostics) {
    guard let identifier = variable.identifier else {
      return diagnostics.report(.tuplePattern, at: variable.binding.pattern)
    }
    if let column = column(variable, identifier, &diagnostics) {
      columns.append(column)
    } else {
      brokenProperties.append(identifier.text.withoutBackticks)
    }
  }

  /// Reports columns whose names are the same name in SQL.
  func checkNames(_ diagnostics: inout Diagnostics) {
    var names: Set<String> = []
    for column in columns where !names.insert(column.sqlName.foldedAsInSQL).inserted {
      diagnostics.report(.duplicateColumn(column.sqlName), at: column.nameNode)
    }
    for column in columns where column.searchKinds.contains(".prefix") {
      let name = column.sqlName + "_folded"
      if names.contains(name.foldedAsInSQL) {
        diagnostics.report(.foldedNameTaken(name, of: column.property), at: column.nameNode)
      }
    }
  }

  private func column(
    _ variable: Variable, _ identifier: TokenSyntax, _ diagnostics: inout Diagnostics
  ) -> ColumnDeclaration? {
    let name = identifier.text.withoutBackticks
    if let lazy = variable.lazyModifier {
      diagnostics.report(.lazyProperty(name), at: lazy, .remove(lazy, .remove("lazy")))
      return nil
    }
    if variable.isConstant, variable.initialValue != nil {
      let keyword = variable.declaration.bindingSpecifier
      diagnostics.report(.constantProperty(name), at: keyword, .replace(keyword, with: "var", .makeVariable))
      return nil
    }
    // After the dot in "_Codings.Type", "Type" and "Protocol" are keywords.
    if ["_scope", "Type", "Protocol"].contains(name) {
      diagnostics.report(.nameTaken(name), at: identifier)
      return nil
    }
    guard let type = type(of: variable, identifier, &diagnostics) else { return nil }
    let stored = variable.attributes.attribute(named: "Stored")
    guard let coding = coding(of: variable, type, stored, &diagnostics),
      let sqlName = sqlName(stored, identifier, &diagnostics)
    else { return nil }
    return ColumnDeclaration(
      identifier: identifier.text, sqlName: sqlName.text, access: min(variable.access, access), type: type,
      coding: coding, defaultValue: defaultValue(of: variable, stored, &diagnostics),
      collation: stored?.argument(labeled: "collation")?.trimmedDescription,
      touch: stored?.argument(labeled: "touch")?.trimmedDescription,
      reference: reference(of: variable, &diagnostics),
      isMarkedAsKey: variable.attributes.attribute(named: "PrimaryKey") != nil,
      searchKinds: searchKinds(variable, type, coding, &diagnostics),
      nameNode: sqlName.node, typeNode: variable.annotation.map { Syntax($0) },
      location: context.lineDirective(of: variable.binding))
  }

  private func type(
    of variable: Variable, _ identifier: TokenSyntax, _ diagnostics: inout Diagnostics
  ) -> PropertyType? {
    if let annotation = variable.annotation { return PropertyType(annotation, in: record) }
    if let type = variable.initialValue.flatMap({ PropertyType(of: $0, in: record) }) { return type }
    let suggestion = variable.initialValue?.probableTypeName ?? "<#Type#>"
    diagnostics.report(
      .noType(identifier.text.withoutBackticks), at: identifier, .insert(": \(suggestion)", after: identifier, .addType)
    )
    return nil
  }

  private func sqlName(
    _ stored: AttributeSyntax?, _ identifier: TokenSyntax, _ diagnostics: inout Diagnostics
  ) -> (text: String, node: Syntax)? {
    guard let argument = stored?.argument(labeled: nil), !argument.is(NilLiteralExprSyntax.self) else {
      return (identifier.text.withoutBackticks, Syntax(identifier))
    }
    guard let name = argument.stringLiteral else {
      diagnostics.report(.notLiteral, at: argument)
      return nil
    }
    guard !name.isEmpty else {
      diagnostics.report(.emptyColumnName, at: argument)
      return nil
    }
    return (name, Syntax(argument))
  }

  private func coding(
    of variable: Variable, _ type: PropertyType, _ stored: AttributeSyntax?, _ diagnostics: inout Diagnostics
  ) -> ColumnDeclaration.Coding? {
    if type.storage == .implicitlyUnwrapped, let annotation = variable.annotation {
      let mark = annotation.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)?.exclamationMark
      diagnostics.report(
        .unsupportedType(type.spelling), at: annotation,
        .replace(mark.map { Syntax($0) } ?? Syntax(annotation), with: "?", .makeOptional))
      return nil
    }
    guard let argument = stored?.argument(labeled: "as"), !argument.is(NilLiteralExprSyntax.self) else {
      guard type.storage != .named,
        let node = variable.annotation.map({ Syntax($0) }) ?? variable.initialValue.map({ Syntax($0) })
      else { return .own }
      report(unsupported: type, node, of: variable, stored, &diagnostics)
      return nil
    }
    if let custom = argument.metatypeBase { return .custom(custom.trimmedDescription) }
    guard let token = argument.as(MemberAccessExprSyntax.self)?.declName.baseName else {
      diagnostics.report(.codingNotNamed, at: argument)
      return nil
    }
    let name = token.text
    guard let coding = NamedCoding(rawValue: name) else {
      let nearest = name.nearest(in: NamedCoding.allCases.map(\.rawValue))
      let fixIt = nearest.map { FixIt.replace(token, with: $0, .replace(with: $0)) }
      diagnostics.report(.noCoding(name), at: argument, fixIt)
      return nil
    }
    if let stores = coding.storedType, !type.canBe(stores) {
      diagnostics.report(.mismatchedCoding(coding: name, stores: stores, type: type.spelling), at: argument)
      return nil
    }
    return .named(coding)
  }

  private func report(
    unsupported type: PropertyType, _ node: Syntax, of variable: Variable, _ stored: AttributeSyntax?,
    _ diagnostics: inout Diagnostics
  ) {
    let problem = Problem.unsupportedType(type.spelling)
    guard type.storage == .collection else { return diagnostics.report(problem, at: node) }
    let fixIt: FixIt =
      if let arguments = stored?.labeledArguments, let name = arguments.first(where: { $0.label == nil }) {
        .insert(", as: .json", after: name.expression, .storeAsJSON)
      } else if let first = stored?.labeledArguments?.first {
        .insert("as: .json, ", before: first, .storeAsJSON)
      } else if let stored {
        .replace(stored, with: "@Stored(as: .json)", .storeAsJSON)
      } else {
        .insert("@Stored(as: .json) ", before: variable.declaration, .storeAsJSON)
      }
    diagnostics.report(problem, at: node, fixIt)
  }

  private func defaultValue(
    of variable: Variable, _ stored: AttributeSyntax?, _ diagnostics: inout Diagnostics
  ) -> ColumnDeclaration.Default? {
    if let argument = stored?.argument(labeled: "default"), !argument.is(NilLiteralExprSyntax.self) {
      guard argument.stringLiteral != nil else {
        diagnostics.report(.notLiteral, at: argument)
        return nil
      }
      return .sql(argument.trimmedDescription)
    }
    guard let value = variable.initialValue, value.isConstant else { return nil }
    return .value(value.trimmedDescription)
  }

  private func searchKinds(
    _ variable: Variable, _ type: PropertyType, _ coding: ColumnDeclaration.Coding, _ diagnostics: inout Diagnostics
  ) -> [String] {
    let attributes = variable.attributes.attributes(named: "Searchable")
    guard let attribute = attributes.first else { return [] }
    if attributes.count > 1 {
      diagnostics.report(
        .searchableTwice, at: attributes[1], .remove(attributes[1], .remove("@Searchable")))
    }
    let isOwn = if case .own = coding { true } else { false }
    guard isOwn, type.unqualifiedName == "String" else {
      diagnostics.report(
        isOwn ? .notSearchable(type.spelling) : .searchableCoding(variable.identifier?.text.withoutBackticks ?? ""),
        at: attribute, .remove(attribute, .remove("@Searchable")))
      return []
    }
    let kinds = attribute.arguments?.as(LabeledExprListSyntax.self)?.map(\.expression.trimmedDescription) ?? []
    return kinds.isEmpty ? [".prefix"] : kinds
  }

  private func reference(
    of variable: Variable, _ diagnostics: inout Diagnostics
  ) -> ColumnDeclaration.Reference? {
    guard let attribute = variable.attributes.attribute(named: "References") else { return nil }
    guard let record = attribute.argument(labeled: nil), record.metatypeBase != nil else {
      diagnostics.leaveToCompiler()
      return nil
    }
    return ColumnDeclaration.Reference(
      record: record.trimmedDescription,
      onDelete: attribute.argument(labeled: "onDelete")?.trimmedDescription,
      onUpdate: attribute.argument(labeled: "onUpdate")?.trimmedDescription)
  }
}
