/** Applies the relay's updates to the page. */
import { isBusy } from './busy.ts';

/** The relay formats numbers in the same way: `src/api/share/controls-view.tsx`. */
const FORMAT = new Intl.NumberFormat(document.documentElement.lang, { useGrouping: false, maximumFractionDigits: 10 });

type CardValue = boolean | number | string | null;

/** The format of `src/api/share/cards.ts`. */
export interface LiveView {
  readonly shape: string;
  readonly isConnected: boolean;
  readonly cards: Readonly<
    Record<
      string,
      {
        readonly summary: string;
        readonly isActive: boolean;
        readonly reachable: boolean;
        readonly values: Readonly<Record<string, CardValue>>;
      }
    >
  >;
}

export function showView(root: HTMLElement, view: LiveView): void {
  // Other rooms, accessories or controls: the relay renders those.
  if (view.shape !== root.dataset.shape) {
    location.reload();
    return;
  }
  setHidden(root.querySelector<HTMLElement>('.away'), view.isConnected);
  for (const element of root.querySelectorAll<HTMLElement>('[data-accessory]')) {
    const card = view.cards[element.dataset.accessory ?? ''];
    if (!card) continue;
    element.toggleAttribute('data-active', card.isActive);
    element.toggleAttribute('data-away', !card.reachable);
    const fields = element.querySelector('fieldset');
    if (fields && fields.disabled === card.reachable) fields.disabled = !card.reachable;
    setText(element.querySelector('.state'), card.summary);
    for (const form of element.querySelectorAll<HTMLFormElement>('form[data-property]')) {
      const value = card.values[form.dataset.property ?? ''];
      // A control in use keeps the user's value.
      if (value !== undefined && !isBusy(form)) showValue(form, value);
    }
  }
}

function showValue(form: HTMLFormElement, value: CardValue): void {
  switch (form.dataset.kind) {
    case 'switch':
      showSwitch(form, value === true);
      break;
    case 'choice':
      showChoice(form, String(value));
      break;
    case 'range':
      showRange(form, value);
      break;
    case 'step':
      showStep(form, value);
      break;
    case 'text':
      showText(form, value);
      break;
  }
}

function showSwitch(form: HTMLFormElement, isOn: boolean): void {
  const button = form.querySelector<HTMLButtonElement>('.toggle');
  if (!button) return;
  button.setAttribute('aria-checked', String(isOn));
  button.value = String(!isOn);
}

function showChoice(form: HTMLFormElement, value: string): void {
  const list = form.querySelector('select');
  if (list && document.activeElement !== list) list.value = value;
  for (const button of form.querySelectorAll<HTMLElement>('[data-value]')) {
    if (button.dataset.value === value) button.setAttribute('aria-current', 'true');
    else button.removeAttribute('aria-current');
  }
}

function showRange(form: HTMLFormElement, value: CardValue): void {
  const slider = form.querySelector<HTMLInputElement>('input[type="range"]');
  if (!slider) return;
  if (typeof value === 'number') slider.value = String(value);
  showNumber(form, value);
}

/** The value of a slider or a stepper as a number, also for screen readers. */
export function showNumber(form: HTMLFormElement, value: CardValue): void {
  const output = form.querySelector('output');
  const slider = form.querySelector('input[type="range"]');
  const isWarmth = slider?.classList.contains('warmth') === true;
  const metrics = typeof value === 'number' ? FORMAT.format(isWarmth ? kelvinOf(value) : value) : String(value);
  const text = value === null ? '–' : `${metrics}${output?.dataset.unit ?? ''}`;
  setText(output, text);
  slider?.setAttribute('aria-valuetext', text);
}

/** The same conversion as in the relay: see `src/api/share/controls-view.tsx`. */
function kelvinOf(mireds: number): number {
  return Math.round(1_000_000 / mireds / 50) * 50;
}

function showStep(form: HTMLFormElement, value: CardValue): void {
  showNumber(form, value);
  const { min = '', max = '', step = '' } = form.querySelector<HTMLElement>('.stepper')?.dataset ?? {};
  if (typeof value !== 'number') return;
  for (const button of form.querySelectorAll<HTMLButtonElement>('button[data-direction]')) {
    const next = value + Number(button.dataset.direction) * Number(step);
    button.value = String(Number(Math.min(Number(max), Math.max(Number(min), next)).toFixed(6)));
  }
}

function showText(form: HTMLFormElement, value: CardValue): void {
  const field = form.querySelector<HTMLInputElement>('input[name="value"]:not([type="hidden"])');
  if (field && document.activeElement !== field) field.value = String(value ?? '');
}

/** Unchanged text stays untouched, because screen readers announce every update. */
export function setText(element: Element | null, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}

export function setHidden(element: HTMLElement | null, isHidden: boolean): void {
  if (element && element.hidden !== isHidden) element.hidden = isHidden;
}
