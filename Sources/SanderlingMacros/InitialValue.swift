import SwiftSyntax

extension ExprSyntax {
  /// The type that a literal gives to a property without annotation.
  var literalTypeName: String? {
    switch self.as(ExprSyntaxEnum.self) {
    case .booleanLiteralExpr: return "Bool"
    case .integerLiteralExpr: return "Int"
    case .floatLiteralExpr: return "Double"
    case .stringLiteralExpr: return "String"
    case .prefixOperatorExpr(let negative) where negative.operator.text == "-":
      let name = negative.expression.literalTypeName
      return name == "Int" || name == "Double" ? name : nil
    default: return nil
    }
  }

  /// The type that an expression probably has, to suggest it: `UUID()` and `UUID.zero` are probably of the type `UUID`.
  var probableTypeName: String? {
    let name: ExprSyntax? =
      if let call = self.as(FunctionCallExprSyntax.self) {
        call.calledExpression
      } else {
        self.as(MemberAccessExprSyntax.self)?.base
      }
    guard let name, name.as(DeclReferenceExprSyntax.self)?.baseName.text.first?.isUppercase == true else { return nil }
    return name.trimmedDescription
  }

  /// Whether the value is the same whenever the expression is evaluated, as far as its syntax tells.
  ///
  /// Such an initial value is also the column's default in SQL. `nil` counts as none: it is what SQL does anyway.
  var isConstant: Bool {
    switch self.as(ExprSyntaxEnum.self) {
    case .booleanLiteralExpr, .integerLiteralExpr, .floatLiteralExpr:
      return true
    case .stringLiteralExpr:
      return stringLiteral != nil
    case .prefixOperatorExpr(let negative):
      return literalTypeName != nil && negative.expression.isConstant
    case .memberAccessExpr(let member):
      // Date.now is another value each time.
      return member.declName.argumentNames == nil && member.declName.baseName.text != "now"
        && (member.base?.namesType ?? true)
    case .arrayExpr(let array):
      return array.elements.allSatisfy { $0.expression.isConstant || $0.expression.is(NilLiteralExprSyntax.self) }
    case .dictionaryExpr(let dictionary):
      guard case .elements(let elements) = dictionary.content else { return true }
      return elements.allSatisfy {
        $0.key.isConstant && ($0.value.isConstant || $0.value.is(NilLiteralExprSyntax.self))
      }
    default:
      return false
    }
  }

  /// `Priority`, `Outer.Priority`, `Self`
  private var namesType: Bool {
    if let reference = self.as(DeclReferenceExprSyntax.self) {
      return reference.baseName.tokenKind == .keyword(.Self) || reference.baseName.text.first?.isUppercase == true
    }
    guard let member = self.as(MemberAccessExprSyntax.self) else { return false }
    return member.declName.baseName.text.first?.isUppercase == true && (member.base?.namesType ?? false)
  }
}
