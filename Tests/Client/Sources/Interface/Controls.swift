import Foundation
import Observation

/// Further declarations of SwiftUI, for the views of Examples/Tasks.

extension Text {
  public init(_ text: AttributedString) {}
}

public struct TabView: PrimitiveView {
  public init(@ViewBuilder content: () -> some View) {}
}

public struct Tab: PrimitiveView {
  public init(_ title: String, systemImage: String, @ViewBuilder content: () -> some View) {}
}

public struct NavigationStack: PrimitiveView {
  public init(@ViewBuilder root: () -> some View) {}
}

public struct NavigationLink: PrimitiveView {
  public init(value: some Hashable, @ViewBuilder label: () -> some View) {}
}

public struct ScrollViewReader: PrimitiveView {
  public init(@ViewBuilder content: (ScrollViewProxy) -> some View) {}
}

@MainActor public struct ScrollViewProxy {
  public func scrollTo(_ id: some Hashable, anchor: UnitPoint? = nil) {}
}

public struct UnitPoint: Sendable {
  public static let top = UnitPoint()
}

public struct Form: PrimitiveView {
  public init(@ViewBuilder content: () -> some View) {}
}

public struct HStack: PrimitiveView {
  public init(@ViewBuilder content: () -> some View) {}
}

public struct Spacer: PrimitiveView {
  public init() {}
}

public struct TextField: PrimitiveView {
  public init(_ title: String, text: Binding<String>) {}
}

public struct SecureField: PrimitiveView {
  public init(_ title: String, text: Binding<String>) {}
}

public struct ProgressView: PrimitiveView {
  public init(value: Double?, total: Double = 1) {}
}

public struct HierarchicalShapeStyle: Sendable {
  public static let secondary = HierarchicalShapeStyle()
}

@MainActor @dynamicMemberLookup @propertyWrapper public struct Bindable<Value: AnyObject & Observable> {
  public var wrappedValue: Value
  public var projectedValue: Bindable { self }
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public subscript<Member>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Member>) -> Binding<Member> {
    fatalError()
  }
}

extension View {
  public func id(_ id: some Hashable) -> some View { Group() }
  public func disabled(_ isDisabled: Bool) -> some View { Group() }
  public func foregroundStyle(_ style: HierarchicalShapeStyle) -> some View { Group() }
  public func navigationTitle(_ title: String) -> some View { Group() }
  public func navigationDestination<Value: Hashable>(
    for value: Value.Type, @ViewBuilder destination: (Value) -> some View
  ) -> some View { Group() }
  public func onSubmit(_ action: @escaping () -> Void) -> some View { Group() }
  public func searchable(text: Binding<String>) -> some View { Group() }
  public func swipeActions(@ViewBuilder content: () -> some View) -> some View { Group() }
  public func toolbar(@ViewBuilder content: () -> some View) -> some View { Group() }
}

/// Foundation declares this on Apple's systems only.
public struct InlinePresentationIntent: Sendable {
  public static let stronglyEmphasized = InlinePresentationIntent()
}

extension AttributeContainer {
  public func inlinePresentationIntent(_ intent: InlinePresentationIntent) -> AttributeContainer { self }
}
