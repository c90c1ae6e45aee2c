import type { Database } from '../../../../src/storage/database.ts';

/**
 * Lets the database be killed at a commit, counted from now, before or after it is on the disk: nothing is written from
 * then on.
 * @returns whether it has been
 */
export function killAt(database: Database, commit: number, before: boolean): () => boolean {
  let left = commit;
  let isDead = false;
  const die = (): never => {
    isDead = true;
    if (database.open && !database.inTransaction) database.close();
    throw new Error('killed');
  };
  const transaction = database.transaction.bind(database);
  const counted = (act: () => unknown) => () => {
    if (isDead) throw new Error('killed');
    if (database.inTransaction) return act();
    left -= 1;
    if (left === 0 && before) die();
    const result = act();
    return left === 0 ? die() : result;
  };
  database.transaction = ((work: () => unknown) => {
    const made = transaction(work);
    return Object.assign(
      counted(() => made()),
      { immediate: counted(() => made.immediate()) },
    );
  }) as typeof database.transaction;
  return () => isDead;
}
