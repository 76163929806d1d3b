/// The SQL function that returns a text's tokens for full-text indexes: `sanderling_tokens(kind, text)`. The result is
/// empty for NULL.
enum TokenFunction {
  static let name = "sanderling_tokens"

  static func register(on connection: OpaquePointer?) throws {
    let buffer = FoldBuffer()
    var tokens: [UInt8] = []
    try TextFunction.register(name, argumentCount: 2, on: connection) { call throws(OutOfMemory) in
      tokens.removeAll(keepingCapacity: tokens.capacity < 1 << 20)
      let isOfWords = try call.text(at: 0)?.elementsEqual(SearchKind.words.rawValue.utf8) == true
      if let text = try call.text(at: 1) {
        buffer.fold(text)
        buffer.withFolded { folded in
          if isOfWords { WordTokens.append(folded, to: &tokens) } else { SubstringTokens.append(folded, to: &tokens) }
        }
      }
      tokens.withUnsafeBufferPointer { call.end($0) }
    }
  }
}
