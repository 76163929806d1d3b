import SwiftSyntax

/// One variable that a declaration binds, and that declaration.
struct Variable {
  let declaration: VariableDeclSyntax
  let binding: PatternBindingSyntax

  /// The name as written, or nil for a tuple pattern.
  var identifier: TokenSyntax? {
    binding.pattern.as(IdentifierPatternSyntax.self)?.identifier
  }

  /// The type of the property. In `var a, b: Int`, the annotation of `b` is also that of `a`.
  var annotation: TypeSyntax? {
    if let own = binding.typeAnnotation?.type { return own }
    guard binding.initializer == nil else { return nil }
    return declaration.bindings.drop { $0.id != binding.id }.lazy.compactMap(\.typeAnnotation?.type).first
  }

  var initialValue: ExprSyntax? { binding.initializer?.value }

  var isStatic: Bool {
    declaration.modifiers.contains { ["static", "class"].contains($0.name.text) }
  }

  var isConstant: Bool { declaration.bindingSpecifier.tokenKind == .keyword(.let) }

  var lazyModifier: DeclModifierSyntax? {
    declaration.modifiers.first { $0.name.tokenKind == .keyword(.lazy) }
  }

  /// Whether the value is computed. A property with observers is stored.
  var isComputed: Bool {
    switch binding.accessorBlock?.accessors {
    case nil: false
    case .getter: true
    case .accessors(let accessors):
      accessors.contains { ![.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind) }
    }
  }

  var attributes: AttributeListSyntax { declaration.attributes }

  var access: AccessLevel { AccessLevel(declaration.modifiers) }
}

extension DeclGroupSyntax {
  /// The variables that the body declares outside `#if`, in order.
  var variables: [Variable] {
    memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }.flatMap { declaration in
      declaration.bindings.map { Variable(declaration: declaration, binding: $0) }
    }
  }

  /// The stored properties between `#if` and `#endif`.
  var conditionalProperties: [VariableDeclSyntax] {
    memberBlock.members.compactMap { $0.decl.as(IfConfigDeclSyntax.self) }.flatMap(\.storedProperties)
  }

  /// Whether the compiler generates an initializer for the struct whose parameters are all stored properties with their
  /// own types.
  ///
  /// It generates none if the body declares an initializer. Property wrappers may change the types of its parameters,
  /// and private properties make it less visible.
  var hasMemberwiseInitializer: Bool {
    let declaresOne = memberBlock.members.contains {
      $0.decl.is(InitializerDeclSyntax.self) || $0.decl.is(IfConfigDeclSyntax.self)
    }
    return !declaresOne
      && variables.filter { !$0.isStatic && !$0.isComputed }.allSatisfy { variable in
        let attributes = variable.attributes.map { $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription }
        return variable.access > .fileprivate
          && attributes.allSatisfy { ["Stored", "References", "PrimaryKey"].contains($0) }
      }
  }

  /// The place where the body declares a type or a static of this name.
  func declaration(ofTypeOrStatic name: String) -> TokenSyntax? {
    for member in memberBlock.members {
      let named = member.decl.asProtocol((any NamedDeclSyntax).self)
      if let token = named?.name, !member.decl.is(FunctionDeclSyntax.self), token.text.withoutBackticks == name {
        return token
      }
    }
    return variables.first { $0.isStatic && $0.identifier?.text.withoutBackticks == name }?.identifier
  }
}

extension IfConfigDeclSyntax {
  fileprivate var storedProperties: [VariableDeclSyntax] {
    clauses.flatMap { clause -> [VariableDeclSyntax] in
      guard case .decls(let members) = clause.elements else { return [] }
      return members.flatMap { member -> [VariableDeclSyntax] in
        if let nested = member.decl.as(IfConfigDeclSyntax.self) { return nested.storedProperties }
        guard let declaration = member.decl.as(VariableDeclSyntax.self) else { return [] }
        let isStored = declaration.bindings.contains {
          let variable = Variable(declaration: declaration, binding: $0)
          return !variable.isStatic && !variable.isComputed
        }
        return isStored ? [declaration] : []
      }
    }
  }
}
