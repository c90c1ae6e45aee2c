/** One user action: it refetches the changed data, and shows an error as a toast. */
import { type QuerySubject, refresh } from '../api/query.ts';
import { errorText } from './error-text.ts';
import { showToast } from './toasts.tsx';

/** @returns `undefined` after an error, which a toast shows. */
export async function attempt<T>(
  run: () => Promise<T>,
  ...subjects: readonly [QuerySubject, ...QuerySubject[]]
): Promise<T | undefined> {
  try {
    const result = await run();
    refresh(...subjects);
    return result;
  } catch (error) {
    // The displayed data may be out of date.
    refresh(...subjects);
    showToast({ tone: 'bad', text: errorText(error) });
    return undefined;
  }
}
