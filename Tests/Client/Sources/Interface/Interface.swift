/// What the app uses of SwiftUI, as far as types go: a framework isolates its own to the main actor.

@MainActor public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  public var body: Never { return fatalError() }
}

public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
  public var body: Never { return fatalError() }
}

extension Optional: View, PrimitiveView where Wrapped: View {}

@resultBuilder public enum ViewBuilder {
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> Group { Group() }
  public static func buildOptional<Content: View>(_ content: Content?) -> Content? { content }
}

public struct Group: PrimitiveView {
  nonisolated public init() {}
}

public struct List: PrimitiveView {
  public init(@ViewBuilder _ content: () -> some View) {}
}

public struct ForEach<Rows: RandomAccessCollection>: PrimitiveView where Rows.Element: Identifiable {
  public init(_ rows: Rows, @ViewBuilder _ content: (Rows.Element) -> some View) {}
}

public struct Text: PrimitiveView {
  public init(_ text: String) {}
}

public struct Button: PrimitiveView {
  public init(_ title: String, action: @escaping @MainActor () -> Void) {}
}

extension View {
  public func onAppear(_ action: @escaping @MainActor () -> Void) -> some View { Group() }
  public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { Group() }
}

@MainActor @propertyWrapper public struct State<Value> {
  public var wrappedValue: Value
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public init(initialValue: Value) { wrappedValue = initialValue }
}
