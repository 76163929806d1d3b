/// The reason why `sanderling diagnose` failed.
enum DiagnoseError: CommandError, Equatable {
  /// The library's message, which says what to do.
  case failed(String)
  /// No argument is a statement that can be diagnosed. The reason is the error in the first argument, if it is known.
  case noStatements(reason: String?)
  /// Some given statements couldn't be diagnosed: their number, and the place and error of the first.
  case leftOut(count: Int, place: String, reason: String)
  /// Some given statements didn't run: their number, and the place and error of the first.
  case notMeasured(count: Int, place: String, reason: String)
  /// No given statement could be diagnosed: the place and error of the first, and the number of further statements.
  case noneDiagnosed(place: String, reason: String, further: Int)
  /// A file was given in place of a statement.
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

  /// Returns a place as the beginning of its message; empty for an unknown place.
  private static func head(_ place: String) -> String { place.isEmpty ? "" : "\(place.printable): " }
}

extension String {
  /// The text with a period at its end, unless it ends a sentence already.
  fileprivate var endingSentence: String { last.map { ".!?".contains($0) } ?? false ? self : self + "." }
}
