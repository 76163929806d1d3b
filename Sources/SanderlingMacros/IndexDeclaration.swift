import SwiftDiagnostics
import SwiftSyntax

/// An index that the attribute declares, as in `.unique(on: \.projectID, \.title)`.
struct IndexDeclaration {
  struct Part {
    let property: String
    let isDescending: Bool
  }

  let isUnique: Bool
  let parts: [Part]
}

/// Reads the indexes off the attribute of a record.
struct IndexReader {
  let record: String
  let columns: [ColumnDeclaration]
  /// The names that are no columns because their properties have another, already reported problem.
  let brokenProperties: [String]

  func read(_ argument: ExprSyntax, _ diagnostics: inout Diagnostics) -> [IndexDeclaration] {
    guard let array = argument.as(ArrayExprSyntax.self) else {
      diagnostics.report(.indexesNotLiteral, at: argument)
      return []
    }
    return array.elements.compactMap { index($0.expression, &diagnostics) }
  }

  private func index(_ expression: ExprSyntax, _ diagnostics: inout Diagnostics) -> IndexDeclaration? {
    guard let call = expression.as(FunctionCallExprSyntax.self), let name = call.placeholderName,
      ["on", "unique"].contains(name), !call.arguments.isEmpty
    else {
      diagnostics.report(.indexNotLiteral, at: expression)
      return nil
    }
    var parts: [IndexDeclaration.Part] = []
    for argument in call.arguments {
      guard let part = part(argument.expression, &diagnostics) else { return nil }
      parts.append(part)
    }
    return IndexDeclaration(isUnique: name == "unique", parts: parts)
  }

  private func part(_ expression: ExprSyntax, _ diagnostics: inout Diagnostics) -> IndexDeclaration.Part? {
    let call = expression.as(FunctionCallExprSyntax.self)
    let isDescending = call?.placeholderName == "descending"
    let path = isDescending ? call?.arguments.first?.expression : expression
    guard let property = path?.keyPathProperty else {
      diagnostics.report(.indexNotLiteral, at: expression)
      return nil
    }
    let name = property.text.withoutBackticks
    guard !brokenProperties.contains(name) else { return nil }
    guard let column = columns.first(where: { $0.property == name }) else {
      report(missing: property, &diagnostics)
      return nil
    }
    return IndexDeclaration.Part(property: column.identifier, isDescending: isDescending)
  }

  private func report(missing property: TokenSyntax, _ diagnostics: inout Diagnostics) {
    let name = property.text.withoutBackticks
    let problem = Problem.noProperty(record: record, name: name)
    let nearest = name.nearest(in: columns.map(\.property))
    diagnostics.report(
      problem, at: property, nearest.map { .replace(property, with: $0, .replace(with: $0)) })
  }
}

extension FunctionCallExprSyntax {
  /// `on` of `.on(…)` and of `IndexPlaceholder.on(…)`
  fileprivate var placeholderName: String? {
    calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
  }
}
