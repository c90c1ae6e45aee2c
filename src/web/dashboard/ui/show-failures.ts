/** A toast that names each of several things for which an action failed, with the reason. */
import commonTexts from 'texts:common';
import selectingTexts from 'texts:selecting';
import { listOf } from '../texts/list-of.ts';
import { textsNow } from '../texts/texts.ts';
import { errorText } from './error-text.ts';
import { failuresByReason, type SeveralOutcome } from './several.ts';
import { showToast } from './toasts.tsx';

export function showFailures<T>({ done, failures }: SeveralOutcome<T>, nameOf: (one: T) => string): void {
  if (failures.length === 0) return;
  const { refused } = textsNow(commonTexts);
  const sentences = [...failuresByReason(failures, nameOf, errorText)].map(([why, names]) =>
    refused({ what: listOf(names), why }),
  );
  const text = textsNow(selectingTexts).failed({
    failed: String(failures.length),
    count: String(done + failures.length),
    list: sentences.join(' '),
  });
  showToast({ tone: 'bad', text });
}
