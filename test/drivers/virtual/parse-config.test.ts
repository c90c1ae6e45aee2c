/** How virtual accessories may be set up: defaults (wire-facts §7), and one clear sentence for everything else. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kindOf, parseConfig } from '../../../src/drivers/virtual/kinds/index.ts';
import { VIRTUAL_TYPES } from '../../../src/home/model.ts';
import type { VirtualInput } from '../../../src/home/virtual-driver.ts';
import { HearthError } from '../../../src/kernel/errors.ts';

/** Noon in every time zone's own day. */
const NOW = new Date(2026, 0, 15, 12).getTime();

const parse = (fields: VirtualInput) => parseConfig(fields, undefined, NOW);

describe('a new virtual accessory', () => {
  it.each([
    ['switch', { virtualType: 'input_boolean', initialValue: false }],
    ['mode', { virtualType: 'input_select', options: ['Home', 'Away'], initialValue: 'Home' }],
    ['counter', { virtualType: 'counter', initial: 0, step: 1, min: null, max: null }],
    ['timer', { virtualType: 'timer', durationMs: 300_000, restoreOnRestart: true }],
    [
      'number',
      { virtualType: 'input_number', min: 0, max: 100, step: 1, initialValue: 0, unit: null, control: 'stepper' },
    ],
    ['text', { virtualType: 'input_text', minLength: 0, maxLength: 255, pattern: null, initialValue: '' }],
    ['date', { virtualType: 'input_datetime', hasDate: true, hasTime: true, initialValue: '2026-01-15T00:00' }],
  ])('of type %s has the defaults of its kind', (type, own) => {
    expect(parse({ type })).toEqual({ icon: null, controllable: true, ...own });
  });

  it.each(VIRTUAL_TYPES)('takes the API’s name %s in any case', (type) => {
    expect(parse({ type: type.toUpperCase() }).virtualType).toBe(type);
  });

  it('takes initial and initialValue for the same thing, but not both', () => {
    expect(parse({ type: 'counter', initial: 5 })).toMatchObject({ initial: 5 });
    expect(parse({ type: 'counter', initialValue: 5 })).toMatchObject({ initial: 5 });
    expect(parse({ type: 'number', initial: 5 })).toMatchObject({ initialValue: 5 });
    expect(() => parse({ type: 'number', initial: 5, initialValue: 6 })).toThrow('initialValue once');
  });

  it('snaps the initial number to the step, and starts at the nearest number to zero', () => {
    expect(parse({ type: 'number', step: 5, initial: 12 })).toMatchObject({ initialValue: 10 });
    expect(parse({ type: 'number', min: 10, max: 20 })).toMatchObject({ initialValue: 10 });
    expect(parse({ type: 'number', min: 0, max: 0.5 })).toMatchObject({ step: 0.5 });
    expect(parse({ type: 'counter', max: -3 })).toMatchObject({ initial: -3 });
  });

  it('starts with the part of today that it has', () => {
    expect(parse({ type: 'date', hasTime: false })).toMatchObject({ initialValue: '2026-01-15' });
    expect(parse({ type: 'date', hasDate: false })).toMatchObject({ initialValue: '00:00' });
  });

  it.each([
    [90, 90_000],
    [1.5, 1_500],
    ['90', 90_000],
    ['90s', 90_000],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['1h 30m', 5_400_000],
    ['1:30', 90_000],
    ['1:30:00', 5_400_000],
    ['90:00', 5_400_000],
    ['2D', 172_800_000],
    [{ hours: 1, seconds: 5 }, 3_605_000],
  ])('takes a duration of %j', (duration, durationMs) => {
    expect(parse({ type: 'timer', duration })).toMatchObject({ durationMs });
  });

  it.each([
    [{ type: undefined }, 'type', 'it is missing'],
    [{ type: 'lamp' }, 'type', 'switch, mode, counter, timer, number, text, date'],
    [{ type: { toString: 1 } }, 'type', 'give one of'],
    [{ type: 'switch', initial: 'maybe' }, undefined, 'true or false'],
    [{ type: 'switch', controllable: 'no' }, 'controllable', 'true or false'],
    [{ type: 'switch', icon: 'x'.repeat(65) }, 'icon', 'at most 64 characters'],
    [{ type: 'switch', options: ['a', 'b'] }, 'options', 'a switch takes initialValue'],
    [{ type: 'timer', min: 1 }, 'min', 'a timer takes duration'],
    [{ type: 'switch', constructor: 1 }, 'constructor', 'Unknown field'],
    [{ type: 'mode', options: ['Home'] }, 'options', '2 to 100'],
    [{ type: 'mode', options: 'Home, Away' }, 'options', '2 to 100'],
    [{ type: 'mode', options: ['Home', ' home '] }, 'options', 'twice'],
    [{ type: 'mode', options: ['Home', ''] }, 'options[1]', 'must not be empty'],
    [{ type: 'mode', options: ['Home', 5] }, 'options[1]', 'must be text'],
    [{ type: 'mode', initial: 'Party' }, undefined, 'one of Home, Away'],
    [{ type: 'number', min: 100 }, 'min', 'less than max'],
    [{ type: 'number', min: 'a' }, 'min', 'a number'],
    [{ type: 'number', step: 0 }, 'step', 'a number from'],
    [{ type: 'number', step: -1 }, 'step', 'a number from'],
    [{ type: 'number', step: 200 }, 'step', 'at most 100'],
    [{ type: 'number', initial: 101 }, undefined, 'from 0 to 100'],
    [{ type: 'number', max: Number.POSITIVE_INFINITY }, 'max', 'a number'],
    [{ type: 'number', control: 'knob' }, 'control', '"stepper" or "field"'],
    [{ type: 'number', unit: 'x'.repeat(17) }, 'unit', 'at most 16'],
    [{ type: 'counter', step: 0.5 }, 'step', 'a whole number'],
    [{ type: 'counter', min: 5, max: 5 }, 'min', 'less than max'],
    [{ type: 'counter', min: 0, max: 3, step: 4 }, 'step', 'at most 3'],
    [{ type: 'counter', max: 2 ** 31 }, 'max', 'whole number from'],
    [{ type: 'counter', min: 1, initial: 0 }, undefined, 'from 1 to'],
    [{ type: 'timer', duration: 0 }, 'duration', 'one second'],
    [{ type: 'timer', duration: 'soon' }, 'duration', '1:30:00'],
    [{ type: 'timer', duration: '1:99' }, 'duration', '1:30:00'],
    [{ type: 'timer', duration: '1:99:00' }, 'duration', '1:30:00'],
    [{ type: 'timer', duration: { weeks: 1 } }, 'duration', 'hours'],
    [{ type: 'timer', duration: { hours: -1 } }, 'duration', 'hours'],
    [{ type: 'timer', duration: {} }, 'duration', 'hours'],
    [{ type: 'timer', duration: null }, 'duration', 'seconds'],
    [{ type: 'timer', duration: '9000d' }, 'duration', '366 days'],
    [{ type: 'timer', duration: 5, durationMs: 5_000 }, 'duration', 'not both'],
    [{ type: 'timer', durationMs: 1.5 }, 'durationMs', 'seconds'],
    [{ type: 'text', minLength: 10, maxLength: 5 }, 'minLength', 'from 0 to 5'],
    [{ type: 'text', maxLength: 0 }, 'maxLength', 'from 1 to 1024'],
    [{ type: 'text', maxLength: 300, pattern: 'a' }, 'maxLength', 'from 1 to 128'],
    [{ type: 'text', minLength: 1 }, 'initialValue', 'does not fit'],
    [{ type: 'text', pattern: '[a' }, 'pattern', 'no valid regular expression'],
    [{ type: 'text', pattern: 'a', initial: 'b' }, undefined, 'matches a'],
    [{ type: 'date', hasDate: false, hasTime: false }, 'hasTime', 'a date, a time or both'],
    [{ type: 'date', hasTime: false, initial: '2026-02-30' }, undefined, 'YYYY-MM-DD'],
  ] as const)('%j is refused, naming the field', (fields, field, sentence) => {
    const error = refusal(() => parse(fields as VirtualInput));
    expect(error.message).toContain(sentence);
    expect(['invalid_value', 'invalid_request']).toContain(error.code);
    if (field !== undefined) expect(error.details.field).toBe(field);
  });

  it('never fails in any other way, for every input', () => {
    const kinds = VIRTUAL_TYPES.map(kindOf);
    const names = [...new Set(kinds.flatMap(({ fields }) => fields)), 'initial', 'icon', 'controllable', '__proto__'];
    const fields = fc.dictionary(fc.constantFrom(...names), fc.jsonValue(), { maxKeys: 4 });
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fields, ({ type }, sent) => {
        try {
          const config = parse({ ...sent, type });
          // What was accepted once is accepted for ever: it is read back from the disk by the same rules.
          const { virtualType, ...stored } = JSON.parse(JSON.stringify(config));
          expect(parse({ ...stored, type: virtualType })).toEqual(config);
        } catch (error) {
          if (!(error instanceof HearthError)) throw error;
        }
      }),
      { numRuns: 1_500 },
    );
  });
});

describe('a change', () => {
  it('keeps what is not named', () => {
    const before = parse({ type: 'number', max: 10, unit: 'cups', initial: 3, icon: 'cup', controllable: false });
    expect(parseConfig({}, before, NOW)).toEqual(before);
    expect(parseConfig({ max: 20 }, before, NOW)).toEqual({ ...before, max: 20 });
    expect(parseConfig({ unit: null, icon: null }, before, NOW)).toEqual({ ...before, unit: null, icon: null });
  });

  it('moves an initial value that does not fit any more', () => {
    const number = parse({ type: 'number', initial: 80 });
    expect(parseConfig({ max: 50 }, number, NOW)).toMatchObject({ initialValue: 50 });
    const mode = parse({ type: 'mode', initial: 'Away' });
    expect(parseConfig({ options: ['On', 'Off'] }, mode, NOW)).toMatchObject({ initialValue: 'On' });
    const date = parse({ type: 'date', initial: '2020-02-29T10:00' });
    expect(parseConfig({ hasTime: false }, date, NOW)).toMatchObject({ initialValue: '2026-01-15' });
  });

  it('does not make another kind of it', () => {
    const timer = parse({ type: 'timer' });
    expect(parseConfig({ type: 'timer', duration: 5 }, timer, NOW)).toMatchObject({ durationMs: 5_000 });
    expect(refusal(() => parseConfig({ type: 'mode' }, timer, NOW)).message).toContain('another kind');
  });
});

function refusal(act: () => unknown): HearthError {
  try {
    act();
  } catch (error) {
    if (error instanceof HearthError) return error;
    throw error;
  }
  throw new Error('It was accepted');
}
