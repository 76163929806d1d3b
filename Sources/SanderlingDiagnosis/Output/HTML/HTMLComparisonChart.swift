/// The cost of a statement before and after, as bars: one pair for each figure.
struct HTMLComparisonChart: Sendable {
  let title: String
  let comparison: Comparison

  var html: HTMLFragment {
    let figures: [HTMLFragment] = ComparedFigure.all(comparison).map(pair)
    let cut: HTMLFragment =
      comparison.before.isComplete && comparison.after.isComplete
      ? "" : "<p class=\"muted\">≥: a budget ended the execution.</p>"
    return """
      <section class="comparison"><h5>\(title.visible(limit: 120))</h5>\
      <div class="pairs">\(figures)</div>\(cut)</section>
      """
  }

  private func pair(_ figure: ComparedFigure) -> HTMLFragment {
    let most = max(figure.before, figure.after)
    let gain: HTMLFragment = figure.gain.isEmpty ? "" : "<b>\(figure.gain)</b>"
    let after = figure.after < figure.before * 0.95 ? "after" : "after same"
    return """
      <figure class="pair"><figcaption><span>\(figure.name)</span>\(gain)</figcaption>
      <div class="scale"><span class="label">before</span>\
      \(HTMLBar(share: most > 0 ? figure.before / most : 0, style: "before").html)\
      <span class="value">\(figure.beforeText)</span>
      <span class="label">after</span>\
      \(HTMLBar(share: most > 0 ? figure.after / most : 0, style: after).html)\
      <span class="value">\(figure.afterText)</span></div></figure>
      """
  }
}
