import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './support/built-once.ts';

const WORKFLOWS = join(ROOT, '.github/workflows');
/** A tag can be moved to other code; a commit can't. */
const PINNED = /^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

it('every action of the workflows is pinned to a commit, with its version beside it', () => {
  const uses = readdirSync(WORKFLOWS).flatMap((file) =>
    [...readFileSync(join(WORKFLOWS, file), 'utf8').matchAll(/^\s*(?:- )?uses:\s*(.*)$/gm)].map(
      ([, action = '']) => action,
    ),
  );
  expect(uses.length).toBeGreaterThan(5);
  expect(uses.filter((action) => !PINNED.test(action) && !action.startsWith('./'))).toEqual([]);
});
