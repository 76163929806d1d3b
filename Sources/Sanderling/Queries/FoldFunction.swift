/// The SQL function that folds a text as ``TextFold`` does. NULL stays NULL.
enum FoldFunction {
  static let name = "sanderling_fold"

  static func register(on connection: OpaquePointer?) throws {
    let buffer = FoldBuffer()
    try TextFunction.register(name, argumentCount: 1, on: connection) { call throws(OutOfMemory) in
      guard let text = try call.text(at: 0) else { return }
      buffer.fold(text)
      buffer.withFolded { call.end($0) }
    }
  }
}
