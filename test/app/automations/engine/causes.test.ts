import { expect, it } from 'vitest';
import { Causes } from '../../../../src/app/automations/engine/causes.ts';
import { nestingFault } from '../../../../src/app/automations/engine/guards.ts';
import type { Cause } from '../../../../src/app/automations/program.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { callerOf, systemCaller } from '../../../support/test-home.ts';

const A: Cause = { chain: [{ automationId: 'a', name: 'A' }] };
const automation = { ...callerOf({ kind: 'automation', automationId: 'a', homeId: 'h' }), requestId: 'run' };

function begun(): { causes: Causes; clock: TestClock } {
  const clock = new TestClock();
  const causes = new Causes({ clock });
  causes.begin('run', A);
  return { causes, clock };
}

it('What an accessory does during a write and for five seconds after it is put down to the run that wrote', async () => {
  const { causes, clock } = begun();
  const settled = causes.onWrite(automation, ['lamp']);
  await clock.advance(60_000);
  expect(causes.of('lamp')).toEqual(A);
  settled();
  await clock.advance(5_000);
  expect(causes.of('lamp')).toEqual(A);
  await clock.advance(1);
  expect(causes.of('lamp').chain).toEqual([]);
});

it('What a person does is nobody else’s, right after an automation too', () => {
  const { causes } = begun();
  causes.onWrite(automation, ['lamp', 'heater'])();
  causes.onWrite(systemCaller, ['lamp'])();
  expect(causes.of('lamp').chain).toEqual([]);
  expect(causes.of('heater')).toEqual(A);
});

it('What a run wrote stays its own once it is over', () => {
  const { causes } = begun();
  causes.onWrite(automation, ['lamp'])();
  causes.end('run');
  expect(causes.of('lamp')).toEqual(A);
});

const link = (id: string) => ({ automationId: id, name: id.toUpperCase() });
const after = (ids: string, next: string) => nestingFault({ chain: [...ids].map(link) }, link(next));

it('Up to five automations may follow each other, even twice the same', () => {
  expect(after('', 'a')).toBeUndefined();
  expect(after('abab', 'a')).toBeUndefined();
});

it('The sixth is refused: as a loop that is named where one is there twice, else as too deep', () => {
  expect(after('ababa', 'b')).toMatchObject({ reason: 'loop', sentence: expect.stringContaining(': B → A → B.') });
  expect(after('abcde', 'a')).toMatchObject({
    reason: 'loop',
    sentence: expect.stringContaining(': A → B → C → D → E → A.'),
  });
  expect(after('abcde', 'f')).toMatchObject({ reason: 'depth', sentence: expect.stringContaining('A → B → C') });
});
