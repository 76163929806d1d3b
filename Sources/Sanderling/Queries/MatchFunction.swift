/// The SQL function that decides whether texts match. `sanderling_matches(kind, input, text, …)` is 1 or 0, and NULL
/// matches nothing.
enum MatchFunction {
  static let name = "sanderling_matches"

  static func register(on connection: OpaquePointer?) throws {
    try TextFunction.register(name, argumentCount: -1, on: connection) { call throws(OutOfMemory) in
      guard call.count > 2 else { return call.fail("\(name) takes a kind, an input and texts") }
      if let matcher = call.kept(TextMatcher.self, with: 1) { return try decide(call, matcher) }
      guard let kind = try call.text(at: 0), let input = try call.text(at: 1),
        let kind = SearchKind(rawValue: String(decoding: kind, as: UTF8.self))
      else { return call.fail("\(name) knows no such kind") }
      let matcher = TextMatcher(TextSearch(String(decoding: input, as: UTF8.self), in: kind))
      try decide(call, matcher)
      call.keep(matcher, with: 1)
    }
  }

  private static func decide(_ call: FunctionCall, _ matcher: TextMatcher) throws(OutOfMemory) {
    if call.count == 3 { return call.end(try call.text(at: 2).map(matcher.matches) ?? false) }
    var found: [Bool]?
    for index in 2..<call.count {
      if let text = try call.text(at: index) { matcher.add(text, to: &found) }
    }
    call.end(matcher.search.matches(found: found))
  }
}
