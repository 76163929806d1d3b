/// Why `sanderling diagnose` could not do its work.
enum DiagnoseError: CommandError, Equatable {
  /// The library's message, which names the remedy.
  case failed(String)
  /// None of the arguments is a statement that can be diagnosed; with the mistake in the first, where more is known.
  case noStatements(reason: String?)
  /// Statements that were given as such could not be diagnosed: how many, where the first is, and why.
  case leftOut(count: Int, place: String, reason: String)
  /// Statements that were given as such did not run: how many, where the first is, and why.
  case notMeasured(count: Int, place: String, reason: String)
  /// None of the statements that were given as such could be diagnosed: where the first is, and why.
  case noneDiagnosed(place: String, reason: String, further: Int)
  /// A file was given where a statement is expected.
  case isFile(String)
  case isFolder(String, option: String)
  case noFolder(path: String, folder: String, option: String)
  case isInput(String, option: String)
  case isDatabase(String, option: String)
  case notWritable(String, option: String)

  var description: String {
    switch self {
    case .failed(let message): message
    case .noStatements(let reason):
      "The arguments have no statement that could be diagnosed\(reason.map { ": \($0.printable.endingSentence)" } ?? ".") Give "
        + "SELECT, INSERT, UPDATE or DELETE statements."
    case .leftOut(let count, let place, let reason):
      "\(count == 1 ? "A statement was" : "\(count) statements were") left out. \(Self.head(place))\(reason.printable.endingSentence) "
        + "Correct \(count == 1 ? "it" : "them"), and run again; the report has the others."
    case .notMeasured(let count, let place, let reason):
      "\(count == 1 ? "A statement was" : "\(count) statements were") not measured. \(Self.head(place))\(reason.printable.endingSentence)"
    case .noneDiagnosed(let place, let reason, let further):
      "\(Self.head(place))\(reason.printable.endingSentence)"
        + (further > 0
          ? " \(further == 1 ? "One more statement has" : "\(further) more statements have") errors, too." : "")
        + " Correct \(further > 0 ? "them" : "it"), and run again."
    case .isFile(let path):
      "\(path.printable) is a file and no statement. Give it with --sql-file, or with --log."
    case .isFolder(let path, let option): "\(path.printable) is a folder. Name a file with \(option)."
    case .noFolder(let path, let folder, let option):
      "\(path.printable) can't be written: there is no folder \(folder.printable). Make it, or name another file with \(option)."
    case .isInput(let path, let option):
      "\(path.printable) is read by this command, and was left alone. Name another file with \(option)."
    case .isDatabase(let path, let option):
      "\(path.printable) is an SQLite database, and was left alone. Name another file with \(option)."
    case .notWritable(let path, let option):
      "\(path.printable) can't be written. Check the permissions of the file and of its folder, or name another file with \(option)."
    }
  }

  /// The place in front of its message; empty if the place is unknown.
  private static func head(_ place: String) -> String { place.isEmpty ? "" : "\(place.printable): " }
}

extension String {
  /// With a full stop, unless there is one.
  fileprivate var endingSentence: String { last.map { ".!?".contains($0) } ?? false ? self : self + "." }
}
