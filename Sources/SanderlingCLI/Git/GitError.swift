/// A failure of git or of its repository.
enum GitError: CommandError, Equatable {
  case notInstalled
  case noSuchDirectory(String)
  case notARepository(String)
  case noCommits(String)
  /// The command failed with git's own message.
  case failed(command: String, status: String, message: String)
  case unexpectedOutput(command: String)

  var description: String {
    switch self {
    case .notInstalled:
      "git was not found in PATH. Install it (Debian: apt-get install git; macOS: xcode-select --install) and run again."
    case .noSuchDirectory(let path):
      "There is no directory \(path.printable). Name a directory inside of a git repository."
    case .notARepository(let path):
      "\(path.printable) is not inside of a git repository. Name a directory inside of a repository, or run git init there."
    case .noCommits(let path):
      "The repository at \(path.printable) has no commits: HEAD leads nowhere. Commit a change, or check out a branch with commits."
    case .failed(let command, let status, let message):
      "git \(command) ended with \(status)"
        + (message.isEmpty
          ? " and said nothing. Run it by hand in the repository to see why."
          : ". It says:\n\(message)\nCorrect this, and run again; the imported commits stay.")
    case .unexpectedOutput(let command):
      "git \(command) printed a text that this version of sanderling can't read. Compare git --version with 2.31, the oldest "
        + "that is supported, and report the two versions."
    }
  }
}
