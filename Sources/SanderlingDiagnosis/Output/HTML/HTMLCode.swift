/// A block of code. It can be focused by keyboard, because wide code scrolls.
struct HTMLCode: Sendable {
  private let text: String

  init(code: String) {
    text = code.visibleLines()
  }

  init(sql: String) {
    text = SQLLayout.text(sql.visibleLines())
  }

  init(script: [String]) {
    text = SQLLayout.script(script)
  }

  var html: HTMLFragment {
    "<pre tabindex=\"0\"><code>\(text)</code></pre>"
  }
}
