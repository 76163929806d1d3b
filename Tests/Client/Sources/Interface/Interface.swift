/// The declarations of SwiftUI that the app, the property wrappers for views and the guides use. They contain types
/// only, so that all of these compile on Linux too.

@MainActor @preconcurrency public protocol View {
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
  public static func buildEither<Content: View>(first content: Content) -> Group { Group() }
  public static func buildEither<Content: View>(second content: Content) -> Group { Group() }
}

public struct Group: PrimitiveView {
  nonisolated public init() {}
}

public struct List: PrimitiveView {
  public init(@ViewBuilder _ content: () -> some View) {}
}

public struct ForEach<Rows: RandomAccessCollection>: PrimitiveView {
  public init(_ rows: Rows, @ViewBuilder _ content: (Rows.Element) -> some View) where Rows.Element: Identifiable {}
  public init<ID: Hashable>(
    _ rows: Rows, id: KeyPath<Rows.Element, ID>, @ViewBuilder _ content: (Rows.Element) -> some View
  ) {}
}

public struct Section: PrimitiveView {
  public init(_ title: String, @ViewBuilder content: () -> some View) {}
}

public struct Text: PrimitiveView {
  public init(_ text: String) {}
}

public struct Button: PrimitiveView {
  public init(_ title: String, action: @escaping @MainActor () -> Void) {}
}

public struct Animation: Sendable {
  public static let `default` = Animation()
}

extension View {
  public func onAppear(perform action: (() -> Void)? = nil) -> some View { Group() }
  public func onDisappear(perform action: (() -> Void)? = nil) -> some View { Group() }
  public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View { Group() }
  public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { Group() }
  public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View { Group() }
}

@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder var body: Body { get }
}

extension Never: Scene {}

@resultBuilder public enum SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup: Scene {
  public init(@ViewBuilder content: () -> some View) {}
  public var body: Never { return fatalError() }
}

@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder var body: Body { get }
  init()
}

extension App {
  public static func main() {}
}

public protocol DynamicProperty {
  mutating func update()
}

extension DynamicProperty {
  public mutating func update() {}
}

@propertyWrapper public struct State<Value>: DynamicProperty {
  public init(wrappedValue: Value) {}
  public init(initialValue: Value) {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { fatalError() }
}

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  public init(projectedValue: Binding) { self = projectedValue }
  public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Binding<Member> { fatalError() }
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
}

public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

public struct EnvironmentValues {
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { Key.defaultValue }
    set {}
  }
}

@propertyWrapper public struct Environment<Value>: DynamicProperty {
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
  public var wrappedValue: Value { fatalError() }
}
