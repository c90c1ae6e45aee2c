/** Texts that are made to keep whoever reads them busy: as large as a document may be, and refused while the house goes on. */
import { expect, it } from 'vitest';
import { HearthError } from '../../../../src/kernel/errors.ts';
import { createAutomationHome } from '../../../support/automation-home.ts';
import { leastTime } from '../../../support/least-time.ts';
import { systemCaller } from '../../../support/test-home.ts';

const SIZE = 500_000;
const MOST_WORDS = 57_000;

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
/** Some hundred milliseconds where nothing else is going on. */
const LONGEST_STALL_MS = 8_000;
const BEGINNINGS = ['', '{', 'a: '];

/** As long as a text may be, and as many words as one may have. */
function textsOf(beginning: string, unit: string): readonly string[] {
  const most = Math.floor((SIZE - beginning.length) / Buffer.byteLength(unit));
  return [most, Math.min(most, MOST_WORDS / 3)].map((count) => beginning + unit.repeat(count));
}

it('no document as large as one may be holds up the house, whatever it repeats', () => {
  const home = createAutomationHome();
  const texts = UNITS.flatMap((unit) => BEGINNINGS.flatMap((beginning) => textsOf(beginning, unit)));
  for (const text of texts) {
    const take = (): void =>
      expect(() => home.flows.import(systemCaller, home.home.id, text, 'yaml')).toThrow(HearthError);
    expect(leastTime(take, LONGEST_STALL_MS), text.slice(0, 20)).toBeLessThan(LONGEST_STALL_MS);
  }
  home.kill();
});

it('says where the fault is', () => {
  const home = createAutomationHome();
  const text = 'hearthd: flow/1\nname: [a\ntriggers: []\n';
  expect(() => home.flows.import(systemCaller, home.home.id, text)).toThrow(/at line \d+, column \d+/);
  home.kill();
});
