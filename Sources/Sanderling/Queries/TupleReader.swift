/// A reader of rows as tuples.
///
/// A closure that captured the parts would ask the runtime for their types, and for that of the tuple, at every row:
/// 0.5 µs for three parts.
final class TupleReader<each Value: Sendable>: Sendable {
  /// The selected terms of all parts, in order.
  let terms: [Term]
  /// A `PartReader` of each value, in order.
  private let parts: [any AnyObject & Sendable]

  init(_ parts: repeat SelectedFields<each Value>) {
    var terms: [Term] = []
    var readers: [any AnyObject & Sendable] = []
    for part in repeat each parts {
      readers.append(PartReader(part, at: Int32(terms.count)))
      terms += part.terms
    }
    self.terms = terms
    self.parts = readers
  }

  func read(_ row: ResultRow) throws -> (repeat each Value) {
    var index = 0
    func next<Part>(_ type: Part.Type) throws -> Part {
      defer { index += 1 }
      // Safe: `init` made the readers in the order of the pack, so that each one has the type that is read here.
      return try unsafeDowncast(parts[index], to: PartReader<Part>.self).read(row)
    }
    return (repeat try next((each Value).self))
  }
}

/// A reader of one part of a tuple.
private final class PartReader<Value>: Sendable {
  private let start: Int32
  private let decode: @Sendable (ResultRow) throws -> Value

  init(_ fields: SelectedFields<Value>, at start: Int32) where Value: Sendable {
    self.start = start
    decode = fields.decode
  }

  func read(_ row: ResultRow) throws -> Value {
    try decode(row.advanced(by: start))
  }
}
