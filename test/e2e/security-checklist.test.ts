/**
 * The security checklist, row by row: what must hold of the network API (1–11), of tokens and OAuth (12–30), of shares
 * (31–36), of webhooks (37–42) and of pages and GraphQL (43–49), and the tests that show it, as
 * `test/support/security-checklist/` lists them. A test that is renamed or taken away takes its row with it.
 */
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingTests } from '../support/existing-tests.ts';
import { NETWORK_ROWS } from '../support/security-checklist/network.ts';
import type { Rows } from '../support/security-checklist/rows.ts';
import { SURFACE_ROWS } from '../support/security-checklist/surfaces.ts';
import { TOKEN_ROWS } from '../support/security-checklist/tokens.ts';

const TESTS = resolve(import.meta.dirname, '..');

const CHECKLIST: Rows = { ...NETWORK_ROWS, ...TOKEN_ROWS, ...SURFACE_ROWS };

/** What lies on the disk and around it (50–60) has tests of its own. */
const ROWS = Array.from({ length: 49 }, (_, n) => n + 1);

describe('the security checklist', () => {
  it('has every row', () => {
    expect(Object.keys(CHECKLIST).map(Number)).toEqual(ROWS);
  });

  it.each(Object.entries(CHECKLIST).map(([row, [check, ...shown]]) => [row, check, shown] as const))(
    'row %s is shown: %s',
    (_row, _check, shown) => {
      expect(shown.length).toBeGreaterThan(0);
      const missing = shown.flatMap(([file, ...titles]) => missingTests(join(TESTS, file), titles));
      expect(missing).toEqual([]);
    },
  );
});
