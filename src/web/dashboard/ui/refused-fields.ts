/**
 * What a form lacks, in a sentence beside the field: a browser's own is in its language, in a bubble that goes away.
 * Forms state their rules as before, by `required`, `type`, `minLength`, `min` and `max`.
 */
import commonTexts from 'texts:common';
import { textsNow } from '../texts/texts.ts';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const PLACE = '.mantine-InputWrapper-root, .mantine-Checkbox-root, .mantine-Radio-root';

const shown = new WeakMap<Field, HTMLElement>();
let sentences = 0;
let isFirst = true;

export function explainRefusedFields(): void {
  const listen = (type: string, act: (field: Field, event: Event) => void) =>
    document.addEventListener(type, (event) => isField(event.target) && act(event.target, event), { capture: true });
  listen('invalid', refuse);
  listen('input', reconsider);
  listen('change', reconsider);
}

function isField(target: EventTarget | null): target is Field {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement
  );
}

function refuse(field: Field, event: Event): void {
  event.preventDefault();
  const place = field.closest(PLACE) ?? field.parentElement;
  let sentence = shown.get(field);
  if (!sentence?.isConnected) {
    sentences += 1;
    sentence = document.createElement('p');
    sentence.id = `refused-${sentences}`;
    sentence.className = 'h-refused';
    place?.append(sentence);
    shown.set(field, sentence);
  }
  sentence.textContent = sentenceFor(field);
  field.setAttribute('aria-invalid', 'true');
  const described = new Set((field.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean));
  field.setAttribute('aria-describedby', [...described.add(sentence.id)].join(' '));
  // The browser focuses a field only to show its own bubble.
  if (!isFirst) return;
  isFirst = false;
  setTimeout(() => (isFirst = true));
  field.focus();
}

/** With each key: as soon as it fits, the sentence goes. */
function reconsider(field: Field): void {
  const sentence = shown.get(field);
  if (!sentence) return;
  if (!field.validity.valid) {
    sentence.textContent = sentenceFor(field);
    return;
  }
  shown.delete(field);
  sentence.remove();
  field.removeAttribute('aria-invalid');
  const described = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id && id !== sentence.id);
  if (described.length > 0) field.setAttribute('aria-describedby', described.join(' '));
  else field.removeAttribute('aria-describedby');
}

function sentenceFor(field: Field): string {
  const { reasons, fields: t } = textsNow(commonTexts);
  const { validity } = field;
  if (validity.customError) return field.validationMessage;
  if (validity.valueMissing) return isChoice(field) ? t.choose : t.missing;
  if (validity.typeMismatch) return field.type === 'email' ? reasons.bad_address : t.url;
  if (!(field instanceof HTMLSelectElement) && validity.tooShort) return t.tooShort({ value: String(field.minLength) });
  if (!(field instanceof HTMLInputElement)) return t.other;
  if (validity.rangeUnderflow) return t.tooLow({ value: field.min });
  if (validity.rangeOverflow) return t.tooHigh({ value: field.max });
  return validity.badInput ? t.unfinished : t.other;
}

function isChoice({ type }: Field): boolean {
  return type.startsWith('select') || type === 'radio' || type === 'file';
}
