extension Association {
  /// Whether values that match in the association are identical: integers, blobs, and texts under BINARY, of one type
  /// on both sides.
  var comparesAsStored: Bool {
    columns.allSatisfy { pair in
      let (from, to) = (origin.table.columns[pair.origin], destination.table.columns[pair.destination])
      return from.type == to.type && from.type != .real && from.collation == .binary && to.collation == .binary
    }
  }
}
