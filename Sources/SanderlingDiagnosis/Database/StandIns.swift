import SanderlingSQLite

/// Replacements for functions, collations and tokenizers that only the app has, so that its statements can be planned
/// and run.
///
/// Shared by the connections to one copy, and used on their thread.
final class StandIns {
  private var functions: [String: StandInFunction] = [:]
  private var collations: [String: StandInCollation] = [:]
  private var tokenizers: Set<String> = []
  private var extraNotes: [String] = []
  private var usedFunctions: Set<String> = []

  /// The greatest number of stand-ins, which limits a hostile schema or log.
  private static let maximumCount = 200

  /// The functions, collations and tokenizers that were replaced, and the effect on the figures.
  var notes: [String] {
    let functions = functions.filter { usedFunctions.contains($0.key) }.sorted { $0.key < $1.key }
      .map { "\($0.key)() is a function of the app; \($0.value.effect)." }
    let collations = collations.values.sorted { $0.name < $1.name }.map {
      "\($0.name) is a collation of the app; a stand-in compared \($0.folds ? "folded texts" : "bytes"), and the copy's "
        + "indexes were sorted again by it: plans are right, orders may differ."
    }
    let tokenizers = tokenizers.sorted().map {
      "\($0) is a tokenizer of the app; unicode61 took its place: plans are right, rows may differ."
    }
    return functions + collations + tokenizers + extraNotes
  }

  /// Returns the stand-ins among the functions that a statement calls. Names are in lower case.
  func functions(among names: Set<String>) -> [String] {
    let found = names.filter { functions[$0] != nil }
    usedFunctions.formUnion(found)
    return found.sorted()
  }

  func install(on database: OpaquePointer) {
    for (name, arguments, function) in StandInFunction.coreData {
      functions[name.lowercased()] = function
      register(function, name: name, arguments: arguments, on: database)
    }
    let coreData = Set(StandInFunction.coreData.map { $0.name.lowercased() })
    for (name, function) in functions where !coreData.contains(name) {
      register(function, name: name, arguments: -1, on: database)
    }
    for name in tokenizers { FullTextTokenizer.register(name, on: database) }
    // SQLite doesn't retain its context. The connection keeps these stand-ins alive.
    sqlite3_collation_needed(database, Unmanaged.passUnretained(self).toOpaque()) { context, database, _, name in
      guard let context, let database, let name else { return }
      let standIns = Unmanaged<StandIns>.fromOpaque(context).takeUnretainedValue()
      _ = standIns.provideCollation(String(cString: name), on: database)
    }
  }

  /// Registers a stand-in for the name that a failed preparation lacks. Returns false if the failure has another cause.
  ///
  /// - Parameter sql: The statement in the form that an error may show.
  ///
  /// Throws `DiagnosisError.unavailable` if no stand-in is possible.
  func provide(for message: String, on database: OpaquePointer, sql: String) throws -> Bool {
    if let name = message.name(after: "no such function: ")
      ?? message.name(after: "wrong number of arguments to function ")
    {
      let key = name.lowercased()
      guard functions[key] == nil, functions.count < Self.maximumCount else { return false }
      let function = StandInFunction(guessing: name)
      functions[key] = function
      register(function, name: name, arguments: -1, on: database)
      return true
    }
    if let name = message.name(after: "no such tokenizer: ") {
      guard tokenizers.count < Self.maximumCount, tokenizers.insert(name).inserted else { return false }
      return FullTextTokenizer.register(name, on: database)
    }
    if let name = message.name(after: "no such module: ") {
      throw DiagnosisError.unavailable(
        sql: sql, reason: "it reads a virtual table of the module \(name), which this SQLite does not have")
    }
    if let name = message.name(after: "unknown tokenizer: ") {
      throw DiagnosisError.unavailable(
        sql: sql, reason: "it reads a full-text table of the tokenizer \(name), which only the app has")
    }
    return false
  }

  /// Registers a comparison under the name. Returns false for SQLite's own names and beyond the greatest number.
  func provideCollation(_ name: String, on database: OpaquePointer) -> Bool {
    let key = name.lowercased()
    guard !["binary", "nocase", "rtrim"].contains(key) else { return false }
    guard collations[key] != nil || collations.count < Self.maximumCount else { return false }
    let collation = collations[key] ?? StandInCollation(name: name)
    collations[key] = collation
    let code = sqlite3_create_collation_v2(
      database, name, SQLITE_UTF8, Unmanaged.passRetained(collation).toOpaque(),
      { context, count, bytes, otherCount, otherBytes in
        guard let context else { return 0 }
        return Unmanaged<StandInCollation>.fromOpaque(context).takeUnretainedValue()
          .compare(
            UnsafeRawBufferPointer(start: bytes, count: Int(count)),
            UnsafeRawBufferPointer(start: otherBytes, count: Int(otherCount)))
      },
      { context in
        if let context { Unmanaged<StandInCollation>.fromOpaque(context).release() }
      })
    return code == SQLITE_OK
  }

  /// Makes a collation distinguish texts that differ only in folded properties.
  func breakTies(of collation: String) {
    collations[collation.lowercased()]?.breaksTies = true
  }

  func note(unsorted collation: String) {
    extraNotes.append(
      "An index in the order of the app's collation \(collation) could not be sorted again: rows found by it may differ."
    )
  }

  private func register(_ function: StandInFunction, name: String, arguments: Int32, on database: OpaquePointer) {
    final class Context {
      let function: StandInFunction
      init(_ function: StandInFunction) { self.function = function }
    }
    // Innocuous, because the schema's own triggers, views and indexes call it.
    sqlite3_create_function_v2(
      database, name, arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
      Unmanaged.passRetained(Context(function)).toOpaque(),
      { context, count, values in
        guard let data = sqlite3_user_data(context) else { return }
        Unmanaged<Context>.fromOpaque(data).takeUnretainedValue().function
          .call(context, UnsafeBufferPointer(start: values, count: Int(count)))
      }, nil, nil,
      { data in
        if let data { Unmanaged<Context>.fromOpaque(data).release() }
      })
  }
}

/// A comparison that replaces a collation of the app.
final class StandInCollation {
  let name: String
  /// Whether the comparison ignores case, diacritics and width; otherwise it compares bytes.
  let folds: Bool
  var breaksTies = false

  init(name: String) {
    self.name = name
    let key = name.lowercased()
    folds = ["local", "nocase", "insensitive", "unicode", "fold", "finderlike", "natural", "icu"]
      .contains { key.contains($0) }
    // A collation for sorting finally distinguishes "a" from "A". A collation whose name says that it ignores case does
    // not.
    breaksTies = folds && !["nocase", "insensitive", "fold"].contains { key.contains($0) }
  }

  func compare(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int32 {
    let folded = folds ? FoldedText.compare(one, other) : 0
    if folded != 0 || (folds && !breaksTies) { return folded }
    for (left, right) in zip(one, other) where left != right { return left < right ? -1 : 1 }
    return one.count == other.count ? 0 : one.count < other.count ? -1 : 1
  }
}

extension String {
  /// Returns the word after a prefix, up to white space or a parenthesis.
  fileprivate func name(after beginning: String) -> String? {
    guard hasPrefix(beginning) else { return nil }
    let name = dropFirst(beginning.count).prefix { !$0.isWhitespace && $0 != "(" }
    return name.isEmpty || name.utf8.count > 200 ? nil : String(name)
  }
}
