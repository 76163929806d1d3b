import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A struct marked `@Projection`, in the form that the expansion needs.
struct ProjectionDeclaration {
  enum ValueSource {
    /// The record's field of the same name.
    case field
    /// The static of the same name in the body, which is one field.
    case aggregate
    /// The static of the same name in the body, which consists of several fields.
    case nested
  }

  struct Property {
    let identifier: String
    let type: PropertyType
    let access: AccessLevel
    /// The source of the property's values.
    let source: ValueSource
    /// The directive that makes the compiler report errors in the generated code at the property's line.
    let location: String?
  }

  let name: String
  let access: AccessLevel
  /// The record that is projected, as written.
  let source: String
  let properties: [Property]
  /// The names of generated members that the body also declares. This problem is reported already.
  let takenNames: [String]
}

extension ProjectionDeclaration {
  init?(
    _ declaration: some DeclGroupSyntax, attribute: AttributeSyntax, in context: some MacroExpansionContext,
    _ diagnostics: inout Diagnostics
  ) {
    guard let structure = declaration.recordableStruct(for: "Projection", context.lexicalContext, &diagnostics) else {
      return nil
    }
    guard let source = attribute.argument(labeled: "of")?.metatypeBase else {
      diagnostics.report(.noSource, at: attribute)
      return nil
    }
    takenNames = structure.report(taken: ["Fields", "Source", "_terms", "_properties"], &diagnostics)
    for property in structure.conditionalProperties { diagnostics.report(.conditionalProperty, at: property) }
    name = structure.name.text
    access = AccessLevel(ofType: structure.modifiers, in: context.lexicalContext)
    self.source = source.trimmedDescription
    let statics = structure.variables.filter(\.isStatic)
    properties = structure.variables.filter { !$0.isStatic && !$0.isComputed }.compactMap { [name, access] variable in
      Self.property(variable, of: name, access, statics, in: context, &diagnostics)
    }
  }

  private static func property(
    _ variable: Variable, of projection: String, _ access: AccessLevel, _ statics: [Variable],
    in context: some MacroExpansionContext, _ diagnostics: inout Diagnostics
  ) -> Property? {
    guard let identifier = variable.identifier else {
      diagnostics.report(.tuplePattern, at: variable.binding.pattern)
      return nil
    }
    let name = identifier.text.withoutBackticks
    if variable.isConstant, variable.initialValue != nil {
      let keyword = variable.declaration.bindingSpecifier
      diagnostics.report(.constantProperty(name), at: keyword, .replace(keyword, with: "var", .makeVariable))
      return nil
    }
    if let lazy = variable.lazyModifier {
      diagnostics.report(.lazyProperty(name), at: lazy, .remove(lazy, .remove("lazy")))
      return nil
    }
    if name == "_source" {
      diagnostics.report(.nameTaken(name), at: identifier)
      return nil
    }
    let type: PropertyType
    if let annotation = variable.annotation {
      type = PropertyType(annotation, in: projection)
    } else if let inferred = variable.initialValue.flatMap({ PropertyType(of: $0, in: projection) }) {
      type = inferred
    } else {
      let suggestion = variable.initialValue?.probableTypeName ?? "<#Type#>"
      diagnostics.report(.noType(name), at: identifier, .insert(": \(suggestion)", after: identifier, .addType))
      return nil
    }
    return Property(
      identifier: identifier.text, type: type, access: min(variable.access, access),
      source: statics.first { $0.identifier?.text.withoutBackticks == name }?.valueSource ?? .field,
      location: context.lineDirective(of: variable.binding))
  }
}

extension Variable {
  /// The source that a static of a projection gives to the property of the same name.
  fileprivate var valueSource: ProjectionDeclaration.ValueSource {
    if annotation?.genericArguments(of: "SelectedFields", count: 1) != nil { return .nested }
    let function = initialValue?.as(FunctionCallExprSyntax.self)?.calledExpression
    let name =
      function?.as(DeclReferenceExprSyntax.self)?.baseName
      ?? function?.as(MemberAccessExprSyntax.self)?.declName.baseName
    return name?.text == "nested" ? .nested : .aggregate
  }
}
