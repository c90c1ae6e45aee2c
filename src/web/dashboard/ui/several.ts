/** What is done to several things at once: one after another, and the rest also after an error. */

export interface FailedOne<T> {
  readonly one: T;
  readonly error: unknown;
}

export interface SeveralOutcome<T> {
  /** Takes back what was done; none if nothing was. */
  readonly undo: (() => Promise<SeveralOutcome<T>>) | undefined;
  readonly done: number;
  /** Those that failed, each with its error. */
  readonly failures: readonly FailedOne<T>[];
}

/** @param work does one, and returns what takes it back */
export async function doToEach<T>(
  all: readonly T[],
  work: (one: T) => Promise<() => Promise<unknown>>,
): Promise<SeveralOutcome<T>> {
  const undos: { readonly one: T; readonly undo: () => Promise<unknown> }[] = [];
  const failures: FailedOne<T>[] = [];
  for (const one of all) {
    try {
      undos.push({ one, undo: await work(one) });
    } catch (error) {
      failures.push({ one, error });
    }
  }
  return {
    undo: undos.length === 0 ? undefined : () => undoEach(undos),
    done: undos.length,
    failures,
  };
}

async function undoEach<T>(
  undos: readonly { readonly one: T; readonly undo: () => Promise<unknown> }[],
): Promise<SeveralOutcome<T>> {
  const byOne = new Map(undos.map(({ one, undo }) => [one, undo]));
  return doToEach([...byOne.keys()], async (one) => {
    await byOne.get(one)?.();
    return async () => undefined;
  });
}

/** The names of those that failed by their reason, in the order in which the reasons came. */
export function failuresByReason<T>(
  failures: readonly FailedOne<T>[],
  nameOf: (one: T) => string,
  textOf: (error: unknown) => string,
): ReadonlyMap<string, readonly string[]> {
  const byReason = new Map<string, string[]>();
  for (const { one, error } of failures) {
    const why = textOf(error);
    byReason.set(why, [...(byReason.get(why) ?? []), nameOf(one)]);
  }
  return byReason;
}
