/// What the guides use of SwiftUI and UIKit, as far as types go, so that their code is checked on Linux too.
let frameworkStandIns = #"""
  // SwiftUI

  @MainActor protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
  }

  extension Never: View {
    var body: Never { return fatalError() }
  }

  protocol PrimitiveView: View where Body == Never {}

  extension PrimitiveView {
    var body: Never { return fatalError() }
  }

  extension Optional: View, PrimitiveView where Wrapped: View {}

  @resultBuilder enum ViewBuilder {
    static func buildBlock<each Content: View>(_ content: repeat each Content) -> Group { Group() }
    static func buildOptional<Content: View>(_ content: Content?) -> Content? { content }
  }

  struct Group: PrimitiveView {}

  struct List: PrimitiveView {
    init(@ViewBuilder _ content: () -> some View) {}
  }

  struct ForEach<Rows: RandomAccessCollection>: PrimitiveView where Rows.Element: Identifiable {
    init(_ rows: Rows, @ViewBuilder _ content: (Rows.Element) -> some View) {}
  }

  struct Text: PrimitiveView {
    init(_ text: String) {}
    func onAppear(_ action: () -> Void) -> Group { Group() }
  }

  struct Button: PrimitiveView {
    init(_ title: String, action: @escaping @MainActor () -> Void) {}
  }

  @MainActor @propertyWrapper struct State<Value> {
    var wrappedValue: Value
    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    init(initialValue: Value) { wrappedValue = initialValue }
  }

  // UIKit

  final class NSCoder {}

  @MainActor class UITableViewController {
    enum Style { case plain }
    let tableView = UITableView()
    init(style: Style) {}
    required init?(coder: NSCoder) { nil }
    func viewDidLoad() {}
  }

  @MainActor final class UITableView {
    func register(_ type: UITableViewCell.Type, forCellReuseIdentifier identifier: String) {}
    func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
      UITableViewCell()
    }
  }

  @MainActor final class UITableViewCell {
    var textLabel: UILabel?
  }

  @MainActor final class UILabel {
    var text: String?
  }

  extension IndexPath {
    var row: Int { self[1] }
  }

  @MainActor final class UITableViewDiffableDataSource<Section: Hashable & Sendable, Item: Hashable & Sendable> {
    init(tableView: UITableView, cellProvider: @escaping (UITableView, IndexPath, Item) -> UITableViewCell?) {}
    func apply(_ snapshot: NSDiffableDataSourceSnapshot<Section, Item>) {}
  }

  struct NSDiffableDataSourceSnapshot<Section: Hashable & Sendable, Item: Hashable & Sendable> {
    mutating func appendSections(_ sections: [Section]) {}
    mutating func appendItems(_ items: [Item]) {}
    mutating func reconfigureItems(_ items: [Item]) {}
  }
  """#
