/** Repeats of a notification: the same texts of the same automation, one after the other, are one entry of the list. */

export interface Repeatable {
  readonly id: string;
  readonly automationId: string | null;
  readonly title: string | null;
  readonly message: string;
  readonly link: string | null;
  readonly isRead: boolean | null;
  readonly rateLimited: boolean;
  readonly buttons: readonly unknown[];
}

/** A notification with its repeats, newest first. */
export type RepeatedNotification<T> = readonly [newest: T, ...older: T[]];

/** @param notifications newest first. */
export function groupRepeats<T extends Repeatable>(notifications: readonly T[]): readonly RepeatedNotification<T>[] {
  const groups: [T, ...T[]][] = [];
  for (const one of notifications) {
    const last = groups.at(-1);
    if (last && isSame(last[0], one)) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

/** Read and unread ones stay apart, so that an entry is one or the other; and each with buttons has its own. */
function isSame(a: Repeatable, b: Repeatable): boolean {
  return (
    a.buttons.length === 0 &&
    b.buttons.length === 0 &&
    a.automationId === b.automationId &&
    a.title === b.title &&
    a.message === b.message &&
    a.link === b.link &&
    a.rateLimited === b.rateLimited &&
    (a.isRead === false) === (b.isRead === false)
  );
}
