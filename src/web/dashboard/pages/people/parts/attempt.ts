/** One act of a person: what changed is asked for again, what was refused is told at the edge of the page. */
import { refresh, type Subject } from '../../../api/query.ts';
import { errorText } from '../../../ui/error-text.ts';
import { showToast } from '../../../ui/toasts.tsx';

/** @returns `undefined` where it was refused; the person has been told. */
export async function attempt<T>(
  run: () => Promise<T>,
  ...subjects: readonly [Subject, ...Subject[]]
): Promise<T | undefined> {
  try {
    const result = await run();
    refresh(...subjects);
    return result;
  } catch (error) {
    // The screen may show what is not so any more.
    refresh(...subjects);
    showToast({ tone: 'bad', text: errorText(error) });
    return undefined;
  }
}
