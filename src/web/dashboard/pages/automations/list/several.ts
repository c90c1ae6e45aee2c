/** What is done to several automations at once: one after another, and the rest also after an error. */
import type { AutomationEntry } from './automation-list.ts';

export interface SeveralOutcome {
  /** Takes back what was done; none if nothing was. */
  readonly undo: (() => Promise<SeveralOutcome>) | undefined;
  readonly done: number;
  /** The first error. */
  readonly error: unknown;
  readonly failed: number;
}

/** @param work does one, and returns what takes it back */
export async function doToEach<T>(
  all: readonly T[],
  work: (one: T) => Promise<() => Promise<unknown>>,
): Promise<SeveralOutcome> {
  const undos: (() => Promise<unknown>)[] = [];
  const errors: unknown[] = [];
  for (const one of all) {
    try {
      undos.push(await work(one));
    } catch (error) {
      errors.push(error);
    }
  }
  return {
    undo:
      undos.length === 0
        ? undefined
        : () =>
            doToEach(undos, async (undo) => {
              await undo();
              return async () => undefined;
            }),
    done: undos.length,
    error: errors[0],
    failed: errors.length,
  };
}

/** Its address for programs ends with it, and does not come back. An automation that can't be read may have one. */
export function hasWebhook(entry: AutomationEntry): boolean {
  if (entry.kind === 'native') return false;
  return entry.flow?.triggers?.some(({ type }) => type === 'webhook') ?? true;
}
