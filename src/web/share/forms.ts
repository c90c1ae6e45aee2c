/** Sends the page's forms without a reload. The stream delivers the result; the card shows an error. */
import { holdBusy } from './busy.ts';
import { setHidden, setText, showNumber } from './view.ts';

/** Arrow keys move a slider step by step; not every step needs a request. */
const PAUSE_MS = 250;

export function sendForms(root: HTMLElement): void {
  root.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset.kind === undefined) return;
    event.preventDefault();
    void send(form, event.submitter, root.dataset);
  });
  for (const form of root.querySelectorAll<HTMLFormElement>('form[data-kind="range"], form[data-kind="choice"]')) {
    sendWhenChanged(form);
  }
}

/** Sliders and selects need no button. */
function sendWhenChanged(form: HTMLFormElement): void {
  let release: (() => void) | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;
  form.addEventListener('input', (event) => {
    release ??= holdBusy(form);
    if (event.target instanceof HTMLInputElement) showNumber(form, Number(event.target.value));
  });
  form.addEventListener('change', () => {
    clearTimeout(pause);
    pause = setTimeout(() => {
      form.requestSubmit();
      release?.();
      release = undefined;
    }, PAUSE_MS);
  });
}

async function send(form: HTMLFormElement, submitter: HTMLElement | null, texts: DOMStringMap): Promise<void> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter)) if (typeof value === 'string') body.append(name, value);
  form.classList.add('busy');
  showError(form, '');
  try {
    const answer = await fetch(form.action, { method: 'POST', body, headers: { Accept: 'application/json' } });
    showError(form, faultOf(answer.ok, await answer.json(), texts));
    form.querySelector('details[open]')?.removeAttribute('open');
  } catch {
    showError(form, texts.noAnswer ?? '');
  } finally {
    form.classList.remove('busy');
  }
}

interface Report {
  readonly success?: boolean;
  readonly errors?: readonly string[];
  readonly error?: string;
  readonly message?: string;
}

/** Empty after success. */
function faultOf(isOk: boolean, report: Report, { failed = '', inItsWords = '' }: DOMStringMap): string {
  if (isOk && report.success === true) return '';
  // On the accessory's own card its name is redundant.
  const reasons = report.errors?.map((line) => line.replace(/^.*?\.\w+: /, ''));
  const sentence = reasons?.length ? reasons.join('; ') : (report.message ?? report.error);
  return sentence === undefined ? failed : inItsWords.replace('{sentence}', () => sentence);
}

function showError(form: HTMLFormElement, fault: string): void {
  const place = (form.closest('[data-accessory]') ?? form.parentElement)?.querySelector<HTMLElement>('.fault') ?? null;
  setText(place, fault);
  setHidden(place, fault === '');
}
