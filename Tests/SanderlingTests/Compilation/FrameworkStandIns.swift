import Foundation

/// The stand-in for SwiftUI, also for the app in `Tests/Client`.
let swiftUIStandIn = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: "Client/Sources/Interface/Interface.swift")

/// The declarations of UIKit that a guide uses, with their types and without behaviour.
let uiKitStandIn = #"""
  final class NSCoder {}

  @MainActor class UITableViewController {
    enum Style { case plain }
    let tableView = UITableView()
    init(style: Style) {}
    required init?(coder: NSCoder) { nil }
    func viewDidLoad() {}
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell { UITableViewCell() }
  }

  @MainActor protocol UITableViewDataSourcePrefetching: AnyObject {
    func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath])
  }

  @MainActor final class UITableView {
    enum RowAnimation { case none }
    weak var prefetchDataSource: (any UITableViewDataSourcePrefetching)?
    var indexPathsForVisibleRows: [IndexPath]? { nil }
    func reloadData() {}
    func performBatchUpdates(_ updates: (() -> Void)?) {}
    func deleteRows(at paths: [IndexPath], with animation: RowAnimation) {}
    func insertRows(at paths: [IndexPath], with animation: RowAnimation) {}
    func reconfigureRows(at paths: [IndexPath]) {}
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

/// The declarations of AppKit that the guide uses, with their types and without behaviour.
let appKitStandIn = #"""
  @MainActor final class NSTableView {
    struct AnimationOptions { static let effectFade = AnimationOptions() }
    func beginUpdates() {}
    func endUpdates() {}
    func removeRows(at rows: IndexSet, withAnimation options: AnimationOptions) {}
    func insertRows(at rows: IndexSet, withAnimation options: AnimationOptions) {}
    func moveRow(at row: Int, to newRow: Int) {}
    func reloadData(forRowIndexes rows: IndexSet, columnIndexes: IndexSet) {}
  }
  """#
