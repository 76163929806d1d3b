/// The style of the page.
enum HTMLStyleSheet {
  static let css: HTMLFragment = """
    :root {
      color-scheme: light dark;
      --page: #f4f5f7; --card: #ffffff; --text: #1a2230; --muted: #566173; --line: #dfe3e9; --code: #f3f5f8;
      --link: #0b5cad; --track: #e8ebf0; --tick: #b9c1cd; --work: #6c87ad; --rows: #6c87ad;
      --before: #c26a5b; --after: #1f8f5f;
      --wrong-result: #86269b; --error: #bf2430; --warning: #8f5600; --note: #2b6489;
      --mono: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #11151b; --card: #1a2029; --text: #e6eaf0; --muted: #9fabbb; --line: #2d3643; --code: #12171e;
        --link: #7db8f5; --track: #2a323e; --tick: #4d596a; --work: #6f90bd; --rows: #6f90bd;
        --before: #d9826f; --after: #3fbf86;
        --wrong-result: #dc8cf0; --error: #ff8086; --warning: #f0b354; --note: #85c3ea;
      }
    }
    * { box-sizing: border-box; }
    html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
    body {
      margin: 0; background: var(--page); color: var(--text);
      font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
    }
    .top, main, footer { max-width: 60rem; margin: 0 auto; padding: 0 1.25rem; }
    .top { padding-top: 2.5rem; }
    h1, h2, h3, h4, h5, p, ul, ol, dl, figure, pre { margin: 0; }
    h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -0.02em; overflow-wrap: anywhere; }
    h2 { font-size: 1.3rem; letter-spacing: -0.01em; margin: 2.5rem 0 0.9rem; }
    h3 { font-size: 1.1rem; line-height: 1.35; overflow-wrap: anywhere; }
    h4 { font-size: 0.95rem; margin: 1.4rem 0 0.5rem; overflow-wrap: anywhere; }
    h5 { font-size: 0.85rem; font-weight: 600; color: var(--muted); margin: 0.6rem 0 0.5rem; overflow-wrap: anywhere; }
    a { color: var(--link); text-underline-offset: 0.15em; }
    :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
    .skip { position: absolute; left: -100rem; }
    .skip:focus { left: 1rem; top: 0.5rem; background: var(--card); padding: 0.5rem 1rem; z-index: 1; }
    .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
    .eyebrow { color: var(--muted); font-size: 0.85rem; font-weight: 600; margin-bottom: 0.2rem; }
    .headline { font-size: 1.15rem; margin-top: 0.5rem; }
    .muted { color: var(--muted); font-size: 0.9rem; overflow-wrap: anywhere; }
    .headline + .muted { margin-top: 0.25rem; }
    .filter { border: 0; margin: 1.4rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.75rem; }
    .filter legend { font-size: 0.85rem; color: var(--muted); padding: 0; margin-bottom: 0.35rem; }
    .tile {
      --tone: var(--note); display: grid; grid-template-columns: auto auto; align-items: center; column-gap: 0.6rem;
      background: var(--card); border: 1px solid var(--line); border-left: 5px solid var(--tone); border-radius: 10px;
      padding: 0.55rem 1rem 0.6rem 0.8rem; cursor: pointer;
    }
    .tile .number { font-size: 1.4rem; font-weight: 700; line-height: 1.1; color: var(--tone); }
    .tile .name { grid-column: 2; font-size: 0.85rem; }
    .tile input { grid-row: 1 / 3; width: 1.1rem; height: 1.1rem; margin: 0; accent-color: var(--tone); }
    .tile:has(input:not(:checked)) { opacity: 0.65; }
    .wrong-result { --tone: var(--wrong-result); }
    .error { --tone: var(--error); }
    .warning { --tone: var(--warning); }
    .note { --tone: var(--note); }
    :root:has(#show-wrong-result:not(:checked)) .finding.wrong-result,
    :root:has(#show-error:not(:checked)) .finding.error,
    :root:has(#show-warning:not(:checked)) .finding.warning,
    :root:has(#show-note:not(:checked)) .finding.note { display: none; }
    @supports not selector(:has(a)) { .filter input { display: none; } }
    .reference { font-size: 0.85rem; }
    nav { display: flex; flex-wrap: wrap; gap: 0.4rem 1.25rem; margin-top: 1.25rem; font-size: 0.95rem; }
    .card {
      background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.25rem 1.4rem;
      margin-bottom: 1.1rem; scroll-margin-top: 1rem;
    }
    .card:target { border-color: var(--link); box-shadow: 0 0 0 1px var(--link); }
    .card.finding { border-left: 5px solid var(--tone); }
    .card.fine { border-left: 5px solid var(--after); margin-top: 1.5rem; }
    .card.fine h2 { margin: 0 0 0.3rem; }
    .heading { display: flex; justify-content: space-between; align-items: flex-start; gap: 1.25rem; }
    .heading > div { min-width: 0; }
    .place {
      display: flex; flex-wrap: wrap; gap: 0.2rem 0.7rem; align-items: center; font-size: 0.85rem; color: var(--muted);
      margin-bottom: 0.35rem;
    }
    .badge {
      --tone: var(--muted); display: inline-block; border: 1px solid var(--tone); color: var(--tone); border-radius: 99px;
      font-size: 0.78rem; font-weight: 600; line-height: 1.3; padding: 0.08rem 0.6rem; white-space: nowrap;
    }
    .badge.wrong-result { --tone: var(--wrong-result); }
    .badge.error { --tone: var(--error); }
    .badge.warning { --tone: var(--warning); }
    .badge.note { --tone: var(--note); }
    .badge.create { --tone: var(--after); }
    .badge.drop { --tone: var(--before); }
    .gain { text-align: right; white-space: nowrap; line-height: 1.2; flex: none; }
    .gain b { display: block; font-size: 1.7rem; letter-spacing: -0.02em; color: var(--after); }
    .gain span { color: var(--muted); font-size: 0.85rem; }
    .text { margin-top: 0.7rem; max-width: 44rem; white-space: pre-line; overflow-wrap: anywhere; }
    .verdict { font-size: 1.05rem; overflow-wrap: anywhere; }
    .limit {
      margin-top: 0.8rem; padding-left: 0.8rem; border-left: 3px solid var(--line); color: var(--muted); font-size: 0.9rem;
      overflow-wrap: anywhere;
    }
    .evidence { display: flex; flex-wrap: wrap; gap: 0.75rem 2.25rem; margin-top: 1rem; }
    .evidence dt { color: var(--muted); font-size: 0.82rem; overflow-wrap: anywhere; }
    .evidence dd { margin: 0; overflow-wrap: anywhere; }
    .evidence b { font-size: 1.1rem; font-variant-numeric: tabular-nums; }
    .formula { color: var(--muted); margin-left: 0.5rem; font-variant-numeric: tabular-nums; }
    code { font-family: var(--mono); font-size: 0.86em; overflow-wrap: anywhere; }
    pre {
      background: var(--code); border: 1px solid var(--line); border-radius: 9px; padding: 0.75rem 0.9rem;
      margin: 0.5rem 0; overflow: auto; max-height: 30rem; line-height: 1.5; direction: ltr; unicode-bidi: isolate;
    }
    pre code { font-size: 0.84rem; white-space: pre-wrap; overflow-wrap: anywhere; }
    .overview ol {
      list-style: none; padding: 0; margin-top: 0.8rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.9rem;
    }
    .overview li p { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 0.9rem; }
    .overview code { color: var(--muted); overflow-wrap: normal; }
    .key { font-size: 0.85rem; margin-top: 0.6rem; display: flex; gap: 1.2rem; }
    .key .before { border-left: 0.8rem solid var(--before); padding-left: 0.4rem; }
    .key .after { border-left: 0.8rem solid var(--after); padding-left: 0.4rem; }
    .card.fix { border-left: 5px solid var(--after); }
    .served { padding-left: 1.2rem; font-size: 0.9rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.3rem; }
    .saving { margin-top: 0.5rem; font-weight: 600; overflow-wrap: anywhere; }
    .findings .card, .remark .card { margin-top: 0.8rem; }
    .remark > summary { color: var(--text); width: auto; overflow-wrap: anywhere; }
    details { margin-top: 0.5rem; }
    summary { cursor: pointer; color: var(--link); font-size: 0.9rem; padding: 0.15rem 0; width: fit-content; }
    .pairs { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0.9rem 1.75rem; }
    figcaption { display: flex; justify-content: space-between; gap: 1rem; font-size: 0.85rem; margin-bottom: 0.25rem; }
    .scale {
      display: grid; grid-template-columns: max-content minmax(3rem, 1fr) minmax(5.2rem, max-content);
      gap: 0.2rem 0.6rem; align-items: center; font-size: 0.85rem;
    }
    .scale.wide { grid-template-columns: minmax(4rem, max-content) minmax(4rem, 1fr) max-content; gap: 0.4rem 0.8rem; }
    .label { color: var(--muted); overflow-wrap: anywhere; max-width: 16rem; }
    .value { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
    .bar { display: block; }
    .track { fill: var(--track); }
    .tick { stroke: var(--tick); stroke-width: 1; }
    .fill { fill: var(--work); }
    .before .fill { fill: var(--before); }
    .after .fill { fill: var(--after); }
    .after.same .fill { fill: var(--work); }
    .most .fill { fill: var(--error); }
    .join { margin-top: 1.4rem; }
    .join figcaption { font-size: 0.95rem; font-weight: 700; margin-bottom: 0.5rem; }
    .join .muted { margin-top: 0.5rem; font-size: 0.82rem; }
    .plan { list-style: none; padding: 0; border: 1px solid var(--line); border-radius: 9px; overflow: hidden; }
    .plan li {
      display: grid; grid-template-columns: minmax(0, 1fr) 15rem; gap: 0.3rem 1.25rem; padding: 0.6rem 0.9rem;
      padding-left: calc(0.9rem + var(--depth) * 1.3rem); border-top: 1px solid var(--line);
    }
    .plan li:first-child { border-top: 0; }
    .plan li.hot { box-shadow: inset 4px 0 0 var(--error); background: color-mix(in srgb, var(--error) 7%, transparent); }
    .plan p { color: var(--muted); font-size: 0.88rem; margin-top: 0.1rem; overflow-wrap: anywhere; }
    .figures {
      display: flex; flex-wrap: wrap; gap: 0.1rem 0.9rem; justify-content: flex-end; align-content: flex-start;
      font-size: 0.85rem; font-variant-numeric: tabular-nums; color: var(--muted);
    }
    .figures b { color: var(--text); }
    .share { display: grid; grid-template-columns: 1fr 3rem; gap: 0.5rem; align-items: center; width: 100%; }
    .scroll { overflow-x: auto; margin-top: 0.8rem; }
    table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; min-width: 60%; }
    th, td { text-align: right; padding: 0.3rem 0 0.3rem 1.5rem; border-top: 1px solid var(--line); white-space: nowrap; }
    thead th { border-top: 0; color: var(--muted); font-weight: 500; font-size: 0.82rem; }
    th:first-child { text-align: left; padding-left: 0; font-weight: 500; }
    .changes {
      list-style: none; padding: 0; margin-top: 0.8rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.45rem;
      overflow-wrap: anywhere;
    }
    section > .card > ul:not(.changes) { padding-left: 1.2rem; }
    section > .card > h3 { margin-top: 1.4rem; margin-bottom: 0.4rem; font-size: 1rem; }
    .card li { overflow-wrap: anywhere; }
    footer { color: var(--muted); font-size: 0.85rem; padding-top: 1rem; padding-bottom: 3rem; }
    @media (max-width: 40rem) {
      body { font-size: 15px; }
      .top { padding-top: 1.5rem; }
      .top, main, footer { padding-left: 0.8rem; padding-right: 0.8rem; }
      h1 { font-size: 1.6rem; }
      .card { padding: 1rem; border-radius: 12px; }
      .finding .heading { flex-direction: column-reverse; gap: 0.4rem; }
      .gain { text-align: left; }
      .gain b { display: inline; }
      .plan li { grid-template-columns: minmax(0, 1fr); padding-left: calc(0.9rem + var(--depth) * 0.7rem); }
      .figures { justify-content: flex-start; }
      .pairs { grid-template-columns: minmax(0, 1fr); }
      .filter { gap: 0.5rem; }
      .tile { padding: 0.4rem 0.7rem 0.45rem 0.6rem; }
      .label { max-width: 8rem; }
    }
    @media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
    @media print {
      :root { --page: #fff; --card: #fff; --code: #fff; }
      body { font-size: 10pt; }
      .filter, nav, .skip { display: none; }
      .top, main, footer { max-width: none; padding: 0; }
      .pair, .plan li, .heading, tr { break-inside: avoid; }
      h2, h3, h4, h5 { break-after: avoid; }
      pre { max-height: none; overflow: visible; }
      .overview li { break-inside: avoid; }
      .overview li p { white-space: normal; }
      details::details-content { content-visibility: visible; }
      * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    }
    """
}
