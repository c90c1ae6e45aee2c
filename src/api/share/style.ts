/** Style of the share's page beyond `html/style.ts`: rooms with cards. The colours are that sheet's variables. */

export const SHARE_STYLE_PATH = '/share.css';

export const SHARE_STYLE = `
.sheet:has(.share) { max-width: 60rem; }
.share [hidden] { display: none; }
.share .about { margin-bottom: 1rem; }
.share .live { margin: -.5rem 0 1rem; }
.room { margin-top: 1.75rem; }
.room h2 { margin: 0 0 .6rem; }
.cards { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 48rem) { .cards { grid-template-columns: repeat(2, minmax(0, 1fr)); } .cards:has(> :only-child) { grid-template-columns: minmax(0, 1fr); } }
.card { border: 1px solid var(--line); border-radius: 1rem; background: var(--field); content-visibility: auto; contain-intrinsic-size: auto 5rem; scroll-margin-top: 1rem; }
/* Cards in a row have one height, except beside an open one. */
.card:nth-child(odd):has(+ .card details[open]), .card:nth-child(odd):has(details[open]) + .card { align-self: start; }
.card:target { border-color: var(--ember); }
.card > fieldset { margin: 0; padding: .75rem .875rem; }
.card .head { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; }
.card .what { flex: 1 1 5rem; min-width: 0; }
.card .state { margin: 0; color: var(--quiet); font-size: .9375rem; }
.device { flex: none; width: 2.5rem; height: 2.5rem; padding: .5rem; border-radius: .75rem; background: var(--soft); fill: none; stroke: var(--quiet); stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
.card[data-active] { background: var(--soft); border-color: var(--edge); }
.card[data-active] .device { background: var(--ember); stroke: var(--on-ember); }
.card[data-away] { background: transparent; border-style: dashed; }
.card[data-away] h3, .card[data-away] .label { color: var(--quiet); font-weight: 500; }
.card[data-away] .device { background: transparent; }
.fault { margin: .5rem 0 0; color: var(--bad); font-weight: 600; }
.more > summary { display: inline-flex; align-items: center; min-height: 2.75rem; margin-bottom: -.5rem; color: var(--ember); font-weight: 600; cursor: pointer; }
.more[open] > summary { margin-bottom: 0; }
.control { margin-top: .75rem; }
.control .label { display: flex; justify-content: space-between; gap: 1rem; margin: 0 0 .25rem; }
.head .control { margin: 0; }
.head .control .label { display: none; }
.control-switch { display: flex; align-items: center; justify-content: space-between; gap: 1rem; }
.control output { font-weight: 600; font-variant-numeric: tabular-nums; }
.control .label output { color: var(--quiet); }
.with-button { display: flex; align-items: center; gap: .75rem; }
.with-button > input, .with-button > select { flex: 1; min-width: 0; }
.toggle { position: relative; flex: none; width: 3.75rem; min-height: 2.75rem; padding: 0; border: 0; background: none; border-radius: 1.5rem; }
.toggle:hover { background: none; }
.toggle::before { content: ""; position: absolute; inset: .375rem .125rem; border: 2px solid var(--edge); border-radius: 1rem; background: var(--field); }
.toggle .thumb { position: absolute; left: .625rem; top: 50%; width: 1.125rem; height: 1.125rem; margin-top: -.5625rem; border-radius: 50%; background: var(--edge); }
.toggle[aria-checked="true"]::before { background: var(--ember); border-color: var(--ember); }
.toggle[aria-checked="true"] .thumb { left: auto; right: .625rem; background: var(--on-ember); }
.choices { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0; }
.choices > button, .choices summary { padding-inline: .9rem; cursor: pointer; }
.choices [aria-current="true"] { border-color: var(--ember); background: var(--ember); color: var(--on-ember); }
.choices[data-opposite] { flex: 1 1 14rem; }
.choices[data-opposite] > button, .choices[data-opposite] summary { min-height: 3.25rem; font-weight: 650; }
.choices[data-opposite] > button, .choices[data-opposite] > details:not([open]) { flex: 1 1 6rem; }
.choices[data-opposite] [aria-current="true"] { border-color: var(--edge); background: transparent; color: var(--ink); font-weight: 400; }
.choices[data-opposite] > button:not([aria-current]), .choices[data-opposite] summary:not([aria-current]) { border-color: var(--ember); background: var(--ember); color: var(--on-ember); }
.choices details[open] { flex-basis: 100%; }
.confirm > summary { list-style: none; }
.confirm > summary::-webkit-details-marker { display: none; }
.confirm .question { margin-top: .5rem; padding: .75rem; border: 1px solid var(--warn-line); border-radius: .75rem; background: var(--warn-soft); }
.confirm .question p { margin: 0 0 .6rem; font-weight: 600; }
.stepper { display: inline-flex; align-items: center; gap: .5rem; }
.stepper button { min-width: 2.875rem; padding: 0; font-size: 1.375rem; line-height: 1; }
.stepper output { min-width: 5.5rem; text-align: center; font-size: 1.125rem; }
input[type="range"] { appearance: none; -webkit-appearance: none; height: 2.75rem; margin: 0; background: transparent; cursor: pointer; }
input[type="range"]::-webkit-slider-runnable-track { height: .5rem; border-radius: .25rem; background: var(--track, var(--line)); }
input[type="range"]::-moz-range-track { height: .5rem; border-radius: .25rem; background: var(--track, var(--line)); }
input[type="range"]::-webkit-slider-thumb { -webkit-appearance: none; width: 1.5rem; height: 1.5rem; margin-top: -.5rem; border: 3px solid var(--field); border-radius: 50%; background: var(--ember); box-shadow: 0 0 0 1px var(--edge); }
input[type="range"]::-moz-range-thumb { width: 1.125rem; height: 1.125rem; border: 3px solid var(--field); border-radius: 50%; background: var(--ember); box-shadow: 0 0 0 1px var(--edge); }
input.hue { --track: linear-gradient(90deg, #e33, #dd3 17%, #3c3 33%, #3cc 50%, #35e 67%, #c3c 83%, #e33); }
input.warmth { --track: linear-gradient(90deg, #cfe2ff, #fff4e0 50%, #ffb35c); }
fieldset:disabled input[type="range"], fieldset:disabled .toggle { opacity: .5; cursor: default; }
fieldset:disabled summary { pointer-events: none; }
.all { margin: 0; display: flex; flex-wrap: wrap; gap: .5rem; }
.all .fault { flex-basis: 100%; }
.aside > summary { display: inline-flex; align-items: center; min-height: 2.75rem; font-weight: 600; cursor: pointer; color: var(--ember); }
.pass-on img { display: block; max-width: 100%; height: auto; border-radius: .75rem; border: 1px solid var(--line); }
.is-live .send { display: none; }
.busy { opacity: .7; }
@media (prefers-reduced-motion: no-preference) {
  .card, .device, .toggle::before, .toggle .thumb { transition: background-color .15s, border-color .15s, stroke .15s; }
}
@media (forced-colors: active) {
  .card, .toggle::before { border: 1px solid CanvasText; }
  .toggle[aria-checked="true"]::before, .choices [aria-current="true"] { background: Highlight; forced-color-adjust: none; }
}
`;
