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

  /// A guess of the expression's type, for a suggestion: `UUID()` and `UUID.zero` are probably `UUID`.
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

  /// The type that the expression names and therefore has: `Status.open`, `Tag(name: "x")`, `UUID()` and `[Tag]()`.
  ///
  /// Nil for initializers that may return nil. If a static has another type, the compiler reports an error at the
  /// property's line.
  var namedType: String? {
    if let call = self.as(FunctionCallExprSyntax.self) {
      guard call.trailingClosure == nil else { return nil }
      let callee = call.calledExpression
      let member = callee.as(MemberAccessExprSyntax.self)
      let name = (member?.declName.baseName.text == "init" ? member?.base : callee)?.typeName
      return call.mayReturnNil(as: name) ? nil : name
    }
    guard let member = self.as(MemberAccessExprSyntax.self), !namesType else { return nil }
    return member.base?.typeName
  }

  /// The expression as the name of a type: `Tag`, `Outer.Tag`, `Set<Tag>`, `[Tag]`, `[String: Tag]`.
  private var typeName: String? {
    let isType =
      switch self.as(ExprSyntaxEnum.self) {
      case .genericSpecializationExpr(let generic): generic.expression.typeName != nil
      case .arrayExpr(let array): array.elements.count == 1 && array.elements.first?.expression.typeName != nil
      case .dictionaryExpr(let dictionary):
        if case .elements(let elements) = dictionary.content, elements.count == 1, let element = elements.first {
          element.key.typeName != nil && element.value.typeName != nil
        } else {
          false
        }
      // For a macro, a record's own name is the record, whose statics can have any type.
      default: namesType && self.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind != .keyword(.Self)
      }
    return isType ? trimmedDescription : nil
  }

  /// Whether each evaluation of the expression gives the same value, judged by its syntax alone.
  ///
  /// A constant initial value is also the column's default in SQL. `nil` does not count, because NULL is SQL's default
  /// anyway.
  var isConstant: Bool {
    switch self.as(ExprSyntaxEnum.self) {
    case .booleanLiteralExpr, .integerLiteralExpr, .floatLiteralExpr:
      return true
    case .stringLiteralExpr:
      return stringLiteral != nil
    case .prefixOperatorExpr(let negative):
      return literalTypeName != nil && negative.expression.isConstant
    case .memberAccessExpr(let member):
      // `Date.now` gives another value at each evaluation.
      return member.declName.argumentNames == nil && member.declName.baseName.text != "now"
        && (member.base?.namesType ?? true)
    case .functionCallExpr(let call):
      // An empty collection.
      guard call.arguments.isEmpty, call.trailingClosure == nil else { return false }
      return call.calledExpression.typeName != nil && !call.calledExpression.namesType
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

extension FunctionCallExprSyntax {
  /// Whether this is one of the initializers of Swift and Foundation that return nil for some arguments.
  fileprivate func mayReturnNil(as type: String?) -> Bool {
    let failing: Set = [
      "rawValue", "string", "uuidString", "exactly", "data", "bytes", "validating", "validatingCString",
      "base64Encoded",
    ]
    return arguments.contains { argument in
      guard let label = argument.label?.text else {
        // Int("5")
        return type != "String" && argument.expression.literalTypeName == "String"
      }
      return failing.contains(label)
    }
  }
}
