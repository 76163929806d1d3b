import SwiftSyntax

/// A static property that declares an association, as in `static let tasks = hasMany(TodoTask.self, by: \.projectID)`.
struct AssociationDeclaration {
  enum Kind {
    case toMany
    case toOne(isOptional: Bool)
  }

  let identifier: String
  let access: AccessLevel
  /// The type of the records at the other end, as written.
  let destination: String
  let kind: Kind
}

/// Recognizes associations among the static properties of a record.
struct AssociationReader {
  let record: String
  let access: AccessLevel
  let columns: [ColumnDeclaration]

  /// The association that the static property declares, or nil when it declares something else.
  func read(_ variable: Variable, _ diagnostics: inout Diagnostics) -> AssociationDeclaration? {
    guard let identifier = variable.identifier else { return nil }
    let call = variable.initialValue.flatMap(baseCall)
    let annotated = variable.annotation.flatMap(annotatedDestination)
    guard let name = annotated?.name ?? call?.name,
      let destination = annotated?.destination ?? call.flatMap(destination)
    else { return nil }
    var kind = AssociationDeclaration.Kind.toMany
    if name == "BelongsTo" {
      guard let properties = call.map(keyProperties), !properties.isEmpty else {
        diagnostics.report(.unknownToOneKey, at: identifier)
        return nil
      }
      // With a filter, a row can lack its associated row even if its foreign key has a value.
      let isFiltered = variable.initialValue?.as(FunctionCallExprSyntax.self).map { !isBaseCall($0) } ?? false
      let isOptional = isFiltered || columns.contains { $0.type.isOptional && properties.contains($0.property) }
      kind = .toOne(isOptional: isOptional)
    }
    return AssociationDeclaration(
      identifier: identifier.text, access: min(variable.access, access), destination: destination, kind: kind)
  }

  private typealias Call = (name: String, arguments: LabeledExprListSyntax)

  /// The call of `hasMany` or `belongsTo` at the base of a chain like `hasMany(…).filter { … }`.
  private func baseCall(_ expression: ExprSyntax) -> Call? {
    if let call = expression.as(FunctionCallExprSyntax.self) {
      return associationType(call.calledExpression).map { ($0, call.arguments) } ?? baseCall(call.calledExpression)
    }
    return expression.as(MemberAccessExprSyntax.self)?.base.flatMap(baseCall)
  }

  /// Whether the call is `hasMany(…)` or `belongsTo(…)` itself, not a call on its result such as `filter`.
  private func isBaseCall(_ call: FunctionCallExprSyntax) -> Bool {
    associationType(call.calledExpression) != nil
  }

  /// The type that a call of the function creates. The function stands alone, or after `Self.` or the record's name.
  private func associationType(_ function: ExprSyntax) -> String? {
    let types = ["hasMany": "HasMany", "belongsTo": "BelongsTo"]
    if let reference = function.as(DeclReferenceExprSyntax.self) { return types[reference.baseName.text] }
    guard let member = function.as(MemberAccessExprSyntax.self),
      let base = member.base?.as(DeclReferenceExprSyntax.self)?.baseName.text, ["Self", record].contains(base)
    else { return nil }
    return types[member.declName.baseName.text]
  }

  private func destination(of call: Call) -> String? {
    call.arguments.first?.expression.metatypeBase.map { base in
      base.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind == .keyword(.Self) ? record : base.trimmedDescription
    }
  }

  /// The properties in `by: \.a, \.b`.
  private func keyProperties(of call: Call) -> [String] {
    call.arguments.drop { $0.label?.text != "by" }.compactMap { $0.expression.keyPathProperty?.text.withoutBackticks }
  }

  private func annotatedDestination(_ type: TypeSyntax) -> (name: String, destination: String)? {
    for name in ["HasMany", "BelongsTo"] {
      if let destination = type.genericArguments(of: name, count: 2)?.last {
        return (name, PropertyType(destination, in: record).spelling)
      }
    }
    return nil
  }
}
