/// A text that the user types, or a message.
enum BrowsePrompt {
  case position(String), value(String), search(String), message(String)

  /// Returns the prompt with its text changed and cut to the longest input.
  func changed(_ change: (inout String) -> Void) -> Self {
    func changed(_ text: String) -> String {
      var text = text
      change(&text)
      return String(text.prefix(BrowsedSearch.longestInput))
    }
    return switch self {
    case .position(let text): .position(changed(text))
    case .value(let text): .value(changed(text))
    case .search(let text): .search(changed(text))
    case .message: self
    }
  }
}
