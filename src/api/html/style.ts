/**
 * The one style sheet of the pages: a light and a dark theme, in the colours of the dashboard (`theme/tokens.css`). It
 * lives in the code, so that the pages need no build. Colours have a contrast of 4.5:1 and more in both themes
 * (WCAG 2.2 AA), and every touch target is 44 px high.
 */

export const STYLE_PATH = '/page.css';

export const STYLE = `
:root {
  color-scheme: light dark;
  --background: #f5f2ee;
  --sheet: #ffffff;
  --ink: #1f1b16;
  --quiet: #615a50;
  --line: #ddd6cc;
  --edge: #8d8477;
  --field: #ffffff;
  --ember: #a84612;
  --ember-deep: #87370c;
  --on-ember: #ffffff;
  --fill: #a84612;
  --fill-deep: #87370c;
  --on-fill: #ffffff;
  --flame: #ffe3b8;
  --soft: #f9f7f4;
  --good: #2c6437;
  --good-soft: #edf5ec;
  --bad: #a3211c;
  --bad-soft: #fdefed;
  --warn-soft: #fff3d9;
  --warn-line: #a87400;
  --shadow: 0 1px 2px rgb(60 35 20 / 8%), 0 12px 32px rgb(60 35 20 / 10%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --background: #14120f;
    --sheet: #211e1a;
    --ink: #f3eee7;
    --quiet: #b5aca0;
    --line: #3a352e;
    --edge: #7f776b;
    --field: #1a1714;
    --ember: #f4a26f;
    --ember-deep: #ffae80;
    --on-ember: #2a1206;
    --flame: #4a1d08;
    --soft: #2d2924;
    --good: #9ed3a4;
    --good-soft: #1f2b20;
    --bad: #ffaca3;
    --bad-soft: #38201d;
    --warn-soft: #352a14;
    --warn-line: #c9952e;
    --shadow: none;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  min-height: 100vh;
  background: var(--background);
  color: var(--ink);
  font: 1rem/1.55 ui-rounded, "SF Pro Rounded", "Nunito", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  overflow-wrap: anywhere;
}
.sheet { width: 100%; max-width: 27rem; margin: 0 auto; padding: 1.5rem 1.25rem 2.5rem; background: var(--sheet); min-height: 100vh; }
.sheet.wide { max-width: 38rem; }
@media (min-width: 40rem) {
  body { padding: 3.5rem 1rem; }
  .sheet { min-height: 0; padding: 2rem 2.25rem 2.25rem; border: 1px solid var(--line); border-radius: 1.25rem; box-shadow: var(--shadow); }
}
.brand { display: flex; align-items: center; gap: .5rem; margin: 0 0 1.5rem; font-weight: 700; letter-spacing: .01em; color: var(--quiet); }
.mark .roof { fill: var(--ember); }
.mark .flame { fill: var(--flame); }
h1 { margin: 0 0 .75rem; font-size: 1.625rem; line-height: 1.2; letter-spacing: -.01em; text-wrap: balance; }
h2 { margin: 2.25rem 0 .5rem; font-size: 1.125rem; line-height: 1.3; }
h3 { margin: 0; font-size: 1rem; }
p { margin: 0 0 1rem; }
.quiet { color: var(--quiet); }
.small { font-size: .875rem; }
a { color: var(--ember); text-underline-offset: .18em; }
a:hover { color: var(--ember-deep); }
code, kbd { font: .9em ui-monospace, "SF Mono", Menlo, Consolas, monospace; background: var(--soft); border: 1px solid var(--line); border-radius: .35rem; padding: .1em .35em; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
ul, ol { margin: 0 0 1rem; padding-left: 1.25rem; }
form { margin: 0; }
summary { cursor: pointer; }
.field { margin: 0 0 1.125rem; }
label, legend, .label { display: block; font-weight: 600; padding: 0; margin: 0 0 .35rem; }
.hint { display: block; margin: -.2rem 0 .45rem; color: var(--quiet); font-size: .875rem; font-weight: 400; }
input:not([type="radio"], [type="checkbox"], [type="range"], [type="hidden"]), select {
  display: block; width: 100%; min-height: 2.875rem; padding: .6rem .8rem;
  font: inherit; color: var(--ink); background: var(--field); border: 1px solid var(--edge); border-radius: .65rem;
}
input.code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 1.25rem; letter-spacing: .12em; text-transform: uppercase; }
input[type="radio"], input[type="checkbox"] { width: 1.25rem; height: 1.25rem; margin: 0; flex: none; accent-color: var(--ember); }
input[aria-invalid="true"] { border-color: var(--bad); border-width: 2px; }
.problem { display: block; margin: -.1rem 0 .45rem; color: var(--bad); font-size: .875rem; font-weight: 600; }
:focus-visible { outline: 3px solid var(--ember); outline-offset: 2px; }
.notice:focus, .notice:focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.875rem; padding: .6rem 1.15rem;
  font: inherit; font-weight: 650; text-decoration: none; text-align: center; cursor: pointer;
  color: var(--ink); background: transparent; border: 1px solid var(--edge); border-radius: .65rem;
}
button:hover, .button:hover { background: var(--soft); color: var(--ink); }
button.primary, .button.primary { background: var(--fill); color: var(--on-fill); border-color: var(--fill); }
button.primary:hover, .button.primary:hover { background: var(--fill-deep); border-color: var(--fill-deep); color: var(--on-fill); }
button.plain { border: 0; padding: .6rem 0; color: var(--ember); text-decoration: underline; text-underline-offset: .18em; background: none; }
button:disabled { opacity: .55; cursor: default; }
.full { width: 100%; }
.actions { display: grid; gap: .75rem; grid-template-columns: 1fr; margin-top: 1.5rem; }
@media (min-width: 24rem) { .actions.pair { grid-template-columns: 1fr 1fr; } }
.notice { margin: 0 0 1.25rem; padding: .8rem 1rem; border-radius: .75rem; border: 1px solid var(--line); border-left-width: 5px; background: var(--soft); }
.notice p:last-child { margin: 0; }
.notice.bad { color: var(--bad); background: var(--bad-soft); border-color: var(--bad); }
.notice.good { color: var(--good); background: var(--good-soft); border-color: var(--good); }
.notice.warn { background: var(--warn-soft); border-color: var(--warn-line); }
fieldset { margin: 0 0 1.25rem; padding: 0; border: 0; min-width: 0; }
.choice { display: flex; align-items: flex-start; gap: .7rem; min-height: 2.875rem; padding: .65rem .8rem; margin: 0 0 .5rem; font-weight: 400; border: 1px solid var(--line); border-radius: .75rem; cursor: pointer; }
.choice:hover { border-color: var(--edge); }
.choice:has(input:checked) { border-color: var(--ember); background: var(--soft); }
.choice > input { margin-top: .14rem; }
.choice > span { flex: 1; min-width: 0; }
.choice b { display: block; font-weight: 650; }
.choice .hint { margin: 0; }
.choice:has(input:disabled) { opacity: .65; cursor: not-allowed; }
.levels { display: flex; gap: .5rem; }
.levels .choice { flex: 1 1 0; flex-direction: column; justify-content: center; gap: .3rem; margin: 0; padding: .55rem .4rem; align-items: center; text-align: center; }
@media (min-width: 30rem) { .levels .choice { flex-direction: row; justify-content: flex-start; gap: .6rem; padding: .65rem .8rem; text-align: left; } }
.levels .choice > span { flex: none; max-width: 100%; }
.levels .choice > input { margin: 0; }
.homes { padding: 0; margin: 0; }
.all-homes:has(input:checked) ~ .homes { display: none; }
.facts { margin: 0 0 1.25rem; padding: .25rem 1rem; border: 1px solid var(--line); border-radius: .75rem; }
.facts > div { padding: .65rem 0; }
.facts > div + div { border-top: 1px solid var(--line); }
dt { color: var(--quiet); font-size: .875rem; }
dd { margin: 0; }
.address { font: 600 1rem/1.45 ui-monospace, "SF Mono", Menlo, Consolas, monospace; word-break: break-all; }
.list { list-style: none; margin: 0 0 1rem; padding: 0; border-top: 1px solid var(--line); }
.list > li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem; padding: .8rem 0; border-bottom: 1px solid var(--line); }
.list > li > :first-child { flex: 1 1 12rem; min-width: 0; }
.badge { display: inline-block; padding: .05rem .5rem; border-radius: 1rem; font-size: .8125rem; font-weight: 600; color: var(--good); background: var(--good-soft); border: 1px solid currentColor; }
.badge.warn { color: var(--ink); background: var(--warn-soft); border-color: var(--warn-line); }
.aside { margin: 1.5rem 0 0; padding-top: 1.25rem; border-top: 1px solid var(--line); }
.passkey { margin-top: .75rem; }
.passkey .problem { margin: 0; }
.passkey .problem:not(:empty) { margin: .5rem 0; }
.news { margin: 1.25rem 0 0; }
.news:empty { display: none; }
.platform { margin: 0 0 .5rem; padding: 0 1rem; border: 1px solid var(--line); border-radius: .75rem; }
.platform + :not(.platform) { margin-top: 1.25rem; }
.platform > summary { padding: .7rem 0; font-weight: 600; }
.qr { display: block; border-radius: .75rem; }
.row { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .25rem 1rem; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; border: 0; }
@media (prefers-reduced-motion: no-preference) {
  button, .button, .choice, input { transition: background-color .12s, border-color .12s; }
}
@media (forced-colors: active) { .notice, .choice, button { border-color: CanvasText; } }
`;
