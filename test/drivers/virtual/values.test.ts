/** What each kind holds: plain writes, its operations, and that both are on the disk before they are acknowledged. */
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { CharacteristicValue } from '../../../src/home/model.ts';
import type { VirtualInput } from '../../../src/home/virtual-driver.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { openFixture, type VirtualFixture } from './virtual-fixture.ts';

let fixture: VirtualFixture;

afterEach(() => fixture.close());

type Step = readonly [operation: string, value: unknown, expected: CharacteristicValue];

const OPERATIONS: Readonly<Record<string, readonly [VirtualInput, readonly Step[]]>> = {
  switch: [
    { type: 'switch' },
    [
      ['turn_on', undefined, true],
      ['turn_on', null, true],
      ['toggle', undefined, false],
      ['toggle', undefined, true],
      ['turn_off', undefined, false],
      ['set', 'on', true],
      ['set', 0, false],
      ['SET', true, true],
    ],
  ],
  mode: [
    { type: 'mode', options: ['Home', 'Away', 'Night'] },
    [
      ['set', 'Away', 'Away'],
      ['set', ' night ', 'Night'],
    ],
  ],
  counter: [
    { type: 'counter', min: -2, max: 10, step: 3, initial: 1 },
    [
      ['increment', undefined, 4],
      ['increment', 5, 9],
      ['increment', undefined, 10],
      ['reset', undefined, 1],
      ['decrement', '2', -1],
      ['decrement', undefined, -2],
      ['set', 7, 7],
    ],
  ],
  number: [
    { type: 'number', min: 0, max: 1, step: 0.1 },
    [
      ['increment', undefined, 0.1],
      ['increment', undefined, 0.2],
      ['increment', undefined, 0.3],
      ['set', 0.55, 0.6],
      ['increment', 5, 1],
      ['decrement', 0.25, 0.8],
      ['decrement', 7, 0],
    ],
  ],
  text: [
    { type: 'text', maxLength: 5 },
    [
      ['set', 'abc', 'abc'],
      ['set', 12, '12'],
      ['set', '', ''],
    ],
  ],
  date: [
    { type: 'date' },
    [
      ['set', '2026-02-28T07:30', '2026-02-28T07:30'],
      ['set', '2024-02-29T23:59:59', '2024-02-29T23:59:59'],
    ],
  ],
};

describe.each(Object.entries(OPERATIONS))('a virtual %s', (_, [fields, steps]) => {
  it('carries out its operations, and each is stored when it returns', () => {
    const { file, remove } = tempFile();
    fixture = openFixture({ path: file });
    const address = fixture.create(fields);
    for (const [operation, input, expected] of steps) {
      expect([operation, fixture.driver.operate(address, operation, input)]).toEqual([operation, expected]);
      // As a kill would leave it: another process reads what is on the disk now.
      const witness = openFixture({ path: file });
      expect(witness.valueOf(address)).toBe(expected);
      witness.close();
    }
    remove();
  });

  it('refuses every other operation, naming its own', () => {
    fixture = openFixture();
    const address = fixture.create(fields);
    const before = fixture.valueOf(address);
    expect(() => fixture.driver.operate(address, 'explode')).toThrow(/Unknown operation "explode": an? .* takes .*set/);
    expect(() => fixture.driver.operate(address, 'resume')).toThrow('Unknown operation');
    expect(fixture.valueOf(address)).toBe(before);
    expect(fixture.reportsOf(address)).toEqual([]);
  });
});

it.each([
  [{ type: 'switch' }, 'toggle', true, 'toggle takes none'],
  [{ type: 'switch' }, 'set', 'maybe', 'true or false'],
  [{ type: 'switch' }, 'set', undefined, 'true or false'],
  [{ type: 'mode' }, 'set', 'Party', 'one of Home, Away'],
  [{ type: 'number' }, 'set', 101, 'from 0 to 100'],
  [{ type: 'number' }, 'increment', -1, 'greater than 0'],
  [{ type: 'number' }, 'increment', 'lots', 'greater than 0'],
  [{ type: 'counter' }, 'increment', 1.5, 'a whole number greater than 0'],
  [{ type: 'counter' }, 'reset', 5, 'reset takes none'],
  [{ type: 'text', maxLength: 3 }, 'set', 'abcd', 'at most 3 characters'],
  [{ type: 'text', pattern: '[a-z]*' }, 'set', 'ABC', 'matches [a-z]*'],
  [{ type: 'date' }, 'set', '2026-02-29T10:00', 'YYYY-MM-DDTHH:MM'],
  [{ type: 'date' }, 'set', '2026-02-28', 'YYYY-MM-DDTHH:MM'],
  [{ type: 'date', hasDate: false }, 'set', '24:00', 'HH:MM'],
  [{ type: 'timer' }, 'start', 'soon', '1:30:00'],
  [{ type: 'timer' }, 'cancel', 5, 'cancel takes none'],
] as const)('%j refuses %s %j', (fields, operation, input, sentence) => {
  fixture = openFixture();
  const address = fixture.create(fields);
  expect(() => fixture.driver.operate(address, operation, input)).toThrow(sentence);
  expect(fixture.reportsOf(address)).toEqual([]);
});

describe('a plain write', () => {
  it('is reported once, and not at all if it changes nothing', async () => {
    fixture = openFixture();
    const mode = fixture.create({ type: 'mode' });
    expect(await fixture.write(mode, 'Away')).toEqual({ ok: true, value: 'Away' });
    expect(await fixture.write(mode, 'Away')).toEqual({ ok: true, value: 'Away' });
    expect(fixture.sink.reports).toEqual([{ source: mode.source, aid: '1', iid: '2', value: 'Away', via: 'write' }]);
  });

  it('of what is not there, or people may not change, is an outcome', async () => {
    fixture = openFixture();
    const fixed = fixture.create({ type: 'switch', controllable: false });
    const unknown = { source: 'virtual:nothing', aid: '1' };
    expect(await fixture.write(unknown, true)).toMatchObject({ ok: false, reason: 'not_found' });
    expect(await fixture.write({ ...fixed, aid: '2' }, true)).toMatchObject({ ok: false, reason: 'not_found' });
    expect(await fixture.write(fixed, true)).toMatchObject({ ok: false, reason: 'read_only' });
    // An operation checks itself who may: the driver carries it out.
    expect(fixture.driver.operate(fixed, 'turn_on')).toBe(true);
  });

  it('to many accessories is one commit', async () => {
    fixture = openFixture();
    const all = Array.from({ length: 20 }, () => fixture.create({ type: 'counter' }));
    const before = fixture.database.prepare<[], { n: number }>('SELECT total_changes() AS n').get()?.n ?? 0;
    const outcomes = await fixture.driver.write(all.map((address, n) => ({ address, iid: '2', value: n })));
    expect(outcomes.map((outcome) => outcome.ok && outcome.value)).toEqual(all.map((_, n) => n));
    const after = fixture.database.prepare<[], { n: number }>('SELECT total_changes() AS n').get()?.n ?? 0;
    // The first of them was 0 already.
    expect(after - before).toBe(19);
  });

  it('fails as a whole while nothing can be stored, and changes nothing', async () => {
    fixture = openFixture();
    const mode = fixture.create({ type: 'mode' });
    fixture.database.pragma('query_only = ON');
    expect(await fixture.write(mode, 'Away')).toMatchObject({ ok: false, reason: 'device_error' });
    expect(() => fixture.driver.operate(mode, 'set', 'Away')).toThrow();
    fixture.database.pragma('query_only = OFF');
    expect([fixture.valueOf(mode), fixture.reportsOf(mode)]).toEqual(['Home', []]);
    expect(await fixture.write(mode, 'Away')).toMatchObject({ ok: true });
  });
});

describe('a change of how it is set up', () => {
  it('keeps a value that still fits, and makes the initial one of what does not', () => {
    fixture = openFixture();
    const mode = fixture.create({ type: 'mode', options: ['Home', 'Away', 'Night'] });
    fixture.driver.operate(mode, 'set', 'Night');
    const config = fixture.sink.described.get(mode.source)?.virtual;
    fixture.driver.update(mode, fixture.driver.parseConfig({ options: ['Night', 'Day'] }, config));
    expect(fixture.reportsOf(mode)).toEqual(['Night']);
    fixture.driver.update(mode, fixture.driver.parseConfig({ options: ['Dawn', 'Day'] }, config));
    expect(fixture.reportsOf(mode)).toEqual(['Night', 'Dawn']);
  });

  it('is there after a restart', () => {
    const { file, remove } = tempFile();
    fixture = openFixture({ path: file });
    const number = fixture.create({ type: 'number' });
    const config = fixture.sink.described.get(number.source)?.virtual;
    fixture.driver.update(number, fixture.driver.parseConfig({ max: 5, controllable: false }, config));
    fixture.close();
    fixture = openFixture({ path: file });
    expect(fixture.sink.described.get(number.source)).toMatchObject({
      virtual: { max: 5, controllable: false },
      services: [{ characteristics: [{ maxValue: 5, permissions: ['pr', 'ev'] }] }],
    });
    remove();
  });
});

it('is gone when it is removed, also after a restart', () => {
  const { file, remove } = tempFile();
  fixture = openFixture({ path: file });
  const mode = fixture.create({ type: 'mode' });
  fixture.driver.remove(mode);
  expect(fixture.sink.described.size).toBe(0);
  expect(() => fixture.driver.remove(mode)).toThrow('Not found');
  expect(() => fixture.driver.operate(mode, 'set', 'Away')).toThrow('Not found');
  fixture.close();
  fixture = openFixture({ path: file });
  expect(fixture.sink.described.size).toBe(0);
  remove();
});

it('starts without what a failing disk has spoiled: a value is the initial one then, the rest is left out', () => {
  const { file, remove } = tempFile();
  fixture = openFixture({ path: file });
  const rotten = fixture.create({ type: 'mode' });
  const [mode, number, timer] = [{ type: 'mode' }, { type: 'number', initial: 7 }, { type: 'timer' }].map((fields) =>
    fixture.create(fields),
  );
  if (!mode || !number || !timer) throw new Error('They were not made');
  fixture.driver.operate(timer, 'start');
  const spoil = (column: string, text: string, source: string): unknown =>
    fixture.database.prepare(`UPDATE virtual_accessories SET ${column} = ? WHERE source = ?`).run(text, source);
  spoil('config', '{"virtualType":"input_sel', rotten.source);
  spoil('value', '"Nowhere"', mode.source);
  spoil('value', '{{', number.source);
  spoil('timer', '{"endsAt":"later"}', timer.source);
  fixture.close();
  fixture = openFixture({ path: file });
  expect([...fixture.sink.described.keys()]).toEqual(
    expect.arrayContaining([mode.source, number.source, timer.source]),
  );
  expect(fixture.sink.described.size).toBe(3);
  expect([mode, number, timer].map((address) => fixture.valueOf(address))).toEqual(['Home', 7, 'idle']);
  remove();
});

it('identifies itself without doing anything', async () => {
  fixture = openFixture();
  await expect(fixture.driver.identify()).resolves.toBeUndefined();
});

it('holds after any sequence of operations and writes exactly what was acknowledged last, across kills', async () => {
  const { file, remove } = tempFile();
  fixture = openFixture({ path: file });
  const counter = fixture.create({ type: 'counter', min: -50, max: 50 });
  const act = fc.oneof(
    fc.record({
      operation: fc.constantFrom('increment', 'decrement', 'set'),
      value: fc.integer({ min: -60, max: 60 }),
    }),
    fc.constant('kill' as const),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
      for (const one of acts) {
        const before = Number(fixture.valueOf(counter));
        if (one === 'kill') {
          fixture.database.close();
          fixture = openFixture({ path: file });
          expect(fixture.valueOf(counter)).toBe(before);
          continue;
        }
        const expected = modelOf(before, one);
        if (expected === undefined) {
          expect(() => fixture.driver.operate(counter, one.operation, one.value)).toThrow();
          expect(fixture.valueOf(counter) ?? before).toBe(before);
        } else {
          expect(fixture.driver.operate(counter, one.operation, one.value)).toBe(expected);
          expect(fixture.valueOf(counter)).toBe(expected);
        }
      }
    }),
    { numRuns: 40 },
  );
  remove();
});

/** `undefined` where it is refused. */
function modelOf(before: number, { operation, value }: { operation: string; value: number }): number | undefined {
  if (operation === 'set') return Math.abs(value) <= 50 ? value : undefined;
  if (value <= 0) return undefined;
  return Math.max(-50, Math.min(50, before + (operation === 'increment' ? value : -value)));
}

function tempFile(): { file: string; remove: () => void } {
  const directory = createTempDirectory('virtual');
  return { file: directory.file('relay.db'), remove: () => directory.remove() };
}
