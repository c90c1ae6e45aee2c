import { expect, it } from 'vitest';
import { nestingFault } from '../../../src/app/automations/cause-chain.ts';
import { Causes } from '../../../src/app/automations/causes.ts';
import type { Cause } from '../../../src/app/automations/scope.ts';
import { TestClock } from '../../support/test-clock.ts';
import { callerOf, systemCaller } from '../../support/test-home.ts';

const A: Cause = { chain: [{ automationId: 'a', name: 'A' }] };
const automation = { ...callerOf({ kind: 'automation', automationId: 'a', homeId: 'h' }), requestId: 'run' };

const LAMP = { accessoryId: 'lamp', serviceIid: '8', iid: '9' };
const HEATER = { accessoryId: 'heater', serviceIid: '8', iid: '9' };
const WRITABLE = { permissions: ['pr', 'pw', 'ev'] as const };
const READ_ONLY = { permissions: ['pr', 'ev'] as const };

function begun(): { causes: Causes; clock: TestClock } {
  const clock = new TestClock();
  const causes = new Causes({ clock });
  causes.begin('run', A);
  return { causes, clock };
}

it('What a characteristic does during a write and for five seconds after it is put down to the run that wrote', async () => {
  const { causes, clock } = begun();
  const settled = causes.onWrite(automation, [LAMP]);
  await clock.advance(60_000);
  expect(causes.of(LAMP, WRITABLE)).toEqual(A);
  settled();
  await clock.advance(5_000);
  expect(causes.of(LAMP, WRITABLE)).toEqual(A);
  await clock.advance(1);
  expect(causes.of(LAMP, WRITABLE).chain).toEqual([]);
});

it('What a person does counts as theirs, right after an automation too', () => {
  const { causes } = begun();
  causes.onWrite(automation, [LAMP, HEATER])();
  causes.onWrite(systemCaller, [LAMP])();
  expect(causes.of(LAMP, WRITABLE).chain).toEqual([]);
  expect(causes.of(HEATER, WRITABLE)).toEqual(A);
});

it('What follows from a write in its service, and can’t be written itself, is put down to it; nothing else of the accessory is', () => {
  const { causes } = begun();
  causes.onWrite(automation, [LAMP])();
  expect(causes.of({ ...LAMP, iid: '10' }, READ_ONLY)).toEqual(A);
  expect(causes.of({ ...LAMP, iid: '10' }, WRITABLE).chain).toEqual([]);
  expect(causes.of({ ...LAMP, serviceIid: '20', iid: '21' }, READ_ONLY).chain).toEqual([]);
  // iids of services and characteristics are one series: service 9 is not characteristic 9.
  expect(causes.of({ ...LAMP, serviceIid: '9', iid: '11' }, READ_ONLY).chain).toEqual([]);
});

it('What a run wrote stays its own once it is over', () => {
  const { causes } = begun();
  causes.onWrite(automation, [LAMP])();
  causes.end('run');
  expect(causes.of(LAMP, WRITABLE)).toEqual(A);
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
