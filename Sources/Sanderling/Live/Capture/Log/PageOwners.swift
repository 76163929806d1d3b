/// Finds the tables that pages of a database belong to.
///
/// A page doesn't name its table. But the search for its first key in the table's b-tree leads through the page, and in
/// other tables it doesn't. So a page costs one search for each table, of some pages each. The format is that of
/// [b-tree pages](https://www.sqlite.org/fileformat2.html#b_tree_pages).
///
/// Each change of a row writes a page of the table's b-tree, or only overflow pages of the row. Pages of indexes need no
/// search.
struct PageOwners {
  /// The content of a page; nil if it can't be read.
  private let read: (UInt32) -> PageBytes?
  private let usableSize: Int
  private var cache: [UInt32: PageBytes] = [:]

  /// The kinds of b-tree pages, by their first byte.
  fileprivate enum Kind: Int {
    case indexInterior = 2, tableInterior = 5, indexLeaf = 10, tableLeaf = 13

    var isOfTable: Bool { self == .tableInterior || self == .tableLeaf }
  }

  /// The most pages of overflowing rows that are followed for one row.
  private static let longestChain = 10_000
  /// The most searches. With more, reading all results again costs less.
  private static let mostSearches = 2_000

  /// - Returns: Nil if the first page can't be read, or is encrypted.
  init?(pageSize: Int, read: @escaping (UInt32) -> PageBytes?) {
    guard let header = read(1), header.bytes.starts(with: Array("SQLite format 3".utf8)),
      let reserved = header.byte(at: 20)
    else { return nil }
    self.read = read
    usableSize = pageSize - reserved
    // Pages that map others to their parents, of databases that vacuum themselves, are not understood.
    if header.number(at: 52) != 0 { return nil }
  }

  /// Returns the tables that own some of the pages.
  ///
  /// - Parameters:
  ///   - roots: The root pages of the tables.
  ///   - pages: The written pages.
  /// - Returns: Nil if the owner of a page can't be found.
  mutating func tables(_ roots: [String: UInt32], owning pages: Set<UInt32>) -> Set<String>? {
    var found: Set<String> = []
    var others: Set<UInt32> = []
    var hasIndexPages = false
    var searchCount = 0
    for number in pages where number != 1 {
      guard let page = page(number) else { return nil }
      guard let kind = Kind(page) else {
        others.insert(number)
        continue
      }
      if !kind.isOfTable {
        hasIndexPages = true
        continue
      }
      for (table, root) in roots where !found.contains(table) {
        searchCount += 1
        if searchCount > Self.mostSearches { return nil }
        guard let isOwner = isOwner(root, of: number, page) else { return nil }
        if isOwner {
          found.insert(table)
          break
        }
      }
    }
    // A table WITHOUT ROWID is an index. Each of them may own the written pages of indexes.
    for (table, root) in roots where hasIndexPages && !found.contains(table) {
      guard let page = page(root), let kind = Kind(page) else { return nil }
      if !kind.isOfTable { found.insert(table) }
    }
    return hasOwners(others, among: pages) ? found : nil
  }

  private mutating func page(_ number: UInt32) -> PageBytes? {
    if let known = cache[number] { return known }
    let page = read(number)
    cache[number] = page
    return page
  }

  // MARK: Searching

  /// Whether a table's b-tree has a page; nil if the b-tree is damaged.
  private mutating func isOwner(_ root: UInt32, of number: UInt32, _ page: PageBytes) -> Bool? {
    if root == number { return true }
    // Only a root can be empty.
    guard page.cellCount > 0 else { return false }
    guard let key = page.key(ofCell: 0) else { return nil }
    var current = root
    for _ in 0..<64 {
      guard let page = self.page(current), let kind = Kind(page) else { return nil }
      // A table WITHOUT ROWID has no pages of this kind.
      if kind != .tableInterior { return false }
      guard let child = page.child(for: key) else { return nil }
      if child == number { return true }
      current = child
    }
    return nil
  }

  // MARK: Overflow pages and free pages

  /// Whether all pages that are in no b-tree are overflow pages of written b-tree pages, or free pages.
  private mutating func hasOwners(_ others: Set<UInt32>, among pages: Set<UInt32>) -> Bool {
    if others.isEmpty { return true }
    var left = others
    // Each page of the list names further free pages, which SQLite may have filled with zeros.
    var next = page(1)?.number(at: 32) ?? 0
    for _ in 0..<Self.longestChain where next != 0 && !left.isEmpty {
      left.remove(next)
      guard let list = page(next), let count = list.number(at: 4) else { return false }
      for index in 0..<min(Int(count), usableSize / 4) { list.number(at: 8 + 4 * index).map { _ = left.remove($0) } }
      next = list.number(at: 0) ?? 0
    }
    for number in pages where !left.isEmpty && number != 1 {
      guard let page = page(number), let kind = Kind(page), kind != .tableInterior else { continue }
      for cell in 0..<page.cellCount {
        guard var next = page.overflow(ofCell: cell, isOfTable: kind.isOfTable, usableSize) else { continue }
        for _ in 0..<Self.longestChain where next != 0 {
          left.remove(next)
          next = self.page(next)?.number(at: 0) ?? 0
        }
      }
    }
    return left.isEmpty
  }
}

extension PageOwners.Kind {
  fileprivate init?(_ page: PageBytes) {
    guard let byte = page.byte(at: 0), let kind = Self(rawValue: byte) else { return nil }
    self = kind
  }
}

extension PageBytes {
  /// The number of cells of a b-tree page.
  fileprivate var cellCount: Int { short(at: 3) ?? 0 }

  private var isInterior: Bool { bytes.first.map { $0 == 2 || $0 == 5 } ?? false }

  private func cell(_ index: Int) -> Int? { short(at: (isInterior ? 12 : 8) + 2 * index) }

  /// The rowid of a cell of a table's b-tree.
  fileprivate func key(ofCell index: Int) -> Int64? {
    guard let start = cell(index) else { return nil }
    if isInterior { return varint(at: start + 4)?.value }
    return varint(at: start).flatMap { varint(at: $0.end) }?.value
  }

  /// The page to go to in search of a rowid: that of the first cell whose rowid is not less, else the last page.
  fileprivate func child(for key: Int64) -> UInt32? {
    var (low, high) = (0, cellCount)
    while low < high {
      let middle = (low + high) / 2
      guard let other = self.key(ofCell: middle) else { return nil }
      if other < key { low = middle + 1 } else { high = middle }
    }
    return low < cellCount ? cell(low).flatMap { number(at: $0) } : number(at: 8)
  }

  /// The first overflow page of a cell's payload; nil for none.
  fileprivate func overflow(ofCell index: Int, isOfTable: Bool, _ usableSize: Int) -> UInt32? {
    guard let start = cell(index), let (size, end) = varint(at: start + (isInterior ? 4 : 0)), size >= 0 else {
      return nil
    }
    let most = isOfTable ? usableSize - 35 : (usableSize - 12) * 64 / 255 - 23
    if size <= most { return nil }
    let least = (usableSize - 12) * 32 / 255 - 23
    let rest = least + (Int(size) - least) % (usableSize - 4)
    guard let payload = isOfTable ? varint(at: end)?.end : end else { return nil }
    return number(at: payload + (rest <= most ? rest : least))
  }
}
