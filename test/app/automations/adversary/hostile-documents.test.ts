/** Texts that are made to keep a parser busy: as large as a document may be, and refused while the home goes on. */
import { expect, it } from 'vitest';
import { HearthError } from '../../../../src/kernel/errors.ts';
import { createAutomationHome } from '../../../support/automation-home.ts';
import { systemCaller } from '../../../support/test-home.ts';

const SIZE = 500_000;
const MAX_WORDS = 57_000;

/** Each took the reader seconds or minutes once, or is alike. */
const UNITS = [
  '!',
  '&',
  '*',
  '! x ',
  '}',
  '{}',
  ',',
  '"',
  '[] ',
  'a: ',
  '|\n',
  '- ',
  '? a\n',
  '&a ',
  '\t',
  '# ',
  '\u2028',
];
/**
 * Far more than any slice: the machine may stand still meanwhile. Read on the event loop, several of them take longer.
 */
const MAX_STALL_MS = 1_000;
const BEGINNINGS = ['', '{', 'a: '];

/** As long as a text may be, and as many words as one may have. */
function textsOf(beginning: string, unit: string): readonly string[] {
  const most = Math.floor((SIZE - beginning.length) / Buffer.byteLength(unit));
  return [most, Math.min(most, MAX_WORDS / 3)].map((count) => beginning + unit.repeat(count));
}

/** The longest time between two turns of the event loop, in milliseconds. */
async function longestStall(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const probe = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  await work();
  clearInterval(probe);
  return longest;
}

it('no document of the maximum size holds the event loop, regardless of what it repeats', async () => {
  const home = createAutomationHome();
  const texts = UNITS.flatMap((unit) => BEGINNINGS.flatMap((beginning) => textsOf(beginning, unit)));
  const longest = await longestStall(async () => {
    for (const text of texts) {
      await expect(home.flows.import(systemCaller, home.home.id, text, 'yaml'), text.slice(0, 20)).rejects.toThrow(
        HearthError,
      );
    }
  });
  expect(longest).toBeLessThan(MAX_STALL_MS);
  home.kill();
});

it('reports where the fault is', async () => {
  const home = createAutomationHome();
  const text = 'hearthd: flow/1\nname: [a\ntriggers: []\n';
  await expect(home.flows.import(systemCaller, home.home.id, text)).rejects.toThrow(/at line \d+, column \d+/);
  home.kill();
});
