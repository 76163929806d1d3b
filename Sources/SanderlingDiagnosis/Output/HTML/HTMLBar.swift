/// A bar drawn in SVG, as wide as its container and filled by a share.
struct HTMLBar: Sendable {
  /// 0 to 1.
  let share: Double
  /// The meaning of the bar: `before`, `after`, `work` or `rows`.
  let style: String
  /// Shares at which thin lines are drawn, for scales.
  var ticks: [Double] = []

  var html: HTMLFragment {
    let width = share.isFinite ? min(max(share, 0), 1) * 100 : 0
    let lines: [HTMLFragment] = ticks.map { tick in
      "<line class=\"tick\" x1=\"\(length: tick * 100)%\" x2=\"\(length: tick * 100)%\" y1=\"0\" y2=\"12\"/>"
    }
    // The second rectangle has a fixed width, so that small shares remain visible.
    let least: HTMLFragment = width > 0 ? "<rect class=\"fill\" width=\"2\" height=\"12\"/>" : ""
    return """
      <svg class="bar \(style)" width="100%" height="12" aria-hidden="true" focusable="false">\
      <rect class="track" width="100%" height="12" rx="3"/>\(lines)\
      <rect class="fill" width="\(length: width)%" height="12" rx="3"/>\(least)</svg>
      """
  }
}
