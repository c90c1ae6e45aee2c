/** Virtual accessories among the words of the home: types, short names, and what their texts must be. */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { deviceType, matchesTypeFilter } from '../../../src/home/vocabulary/device-types.ts';
import { resolveSetting } from '../../../src/home/vocabulary/settings.ts';
import { simplify } from '../../../src/home/vocabulary/simplify.ts';
import { applyTextRule } from '../../../src/home/vocabulary/text-rules.ts';
import { createTestHome, systemCaller } from '../../support/test-home.ts';

const home = createTestHome();
afterAll(() => home.close());

const KINDS = [
  ['switch', 'input_boolean', 'on', false],
  ['mode', 'input_select', 'virtual_mode', 'Home'],
  ['counter', 'counter', 'virtual_count', 0],
  ['timer', 'timer', 'virtual_timer', 'idle'],
  ['number', 'input_number', 'virtual_number', 0],
  ['text', 'input_text', 'virtual_text', ''],
  ['date', 'input_datetime', 'virtual_datetime', expect.any(String)],
] as const;

const made = Object.fromEntries(
  KINDS.map(([word, type]) => [
    type,
    home.virtuals.create(systemCaller, { homeId: home.home.id, name: `My ${word}`, type: word }),
  ]),
);

describe.each(KINDS)('a virtual %s', (_, type, property, value) => {
  const accessory = made[type];
  if (!accessory) throw new Error(`There is no ${type}`);

  it('is of its virtual type and shows its one property', () => {
    expect(simplify(accessory, new Map())).toEqual({ type, properties: { [property]: value }, settable: [property] });
    expect(deviceType(accessory)).toBe(type);
  });

  it('is found by its type and by nothing else, but a switch also as a switch', () => {
    for (const [, other] of KINDS) expect(matchesTypeFilter(accessory, other)).toBe(other === type);
    expect(matchesTypeFilter(accessory, ' Switch ')).toBe(type === 'input_boolean');
    expect(matchesTypeFilter(accessory, 'other')).toBe(false);
  });
});

it.each([
  ['input_select', 'mode', 'away', 'Away'],
  ['input_select', 'virtualMode', 'Away', 'Away'],
  ['input_select', 'public.hap.characteristic.virtual-mode', 'Away', 'Away'],
  ['counter', 'count', '5', 5],
  ['timer', 'timer', true, 'active'],
  ['timer', 'virtual_timer', 'Start', 'active'],
  ['timer', 'virtual_timer', 'anything', 'idle'],
  ['timer', 'virtual_timer', false, 'idle'],
  ['input_number', 'number', 12.4, 12],
  ['input_text', 'text', 'hello', 'hello'],
  ['input_datetime', 'datetime', ' 2026-01-15T08:00 ', '2026-01-15T08:00'],
  ['input_boolean', 'active', 'on', true],
] as const)('%s takes %s = %j', (type, property, input, value) => {
  const accessory = made[type];
  expect(accessory && resolveSetting(accessory, property, input).value).toBe(value);
});

it.each([
  ['input_select', 'mode', 'Party', 'it takes one of Home, Away'],
  ['input_number', 'number', 100.5, 'from 0 to 100'],
  ['input_datetime', 'datetime', '2026-13-01T08:00', 'YYYY-MM-DDTHH:MM'],
  ['input_datetime', 'datetime', null, 'YYYY-MM-DDTHH:MM'],
  ['input_text', 'text', ['a'], 'at most 255 characters'],
  ['timer', 'timer', {}, '"active" to start it'],
  ['timer', 'mode', 'Away', 'settable are virtual_timer'],
] as const)('%s refuses %s = %j', (type, property, input, sentence) => {
  const accessory = made[type];
  expect(() => accessory && resolveSetting(accessory, property, input)).toThrow(sentence);
});

describe('dates and times', () => {
  const both = { kind: 'moment', hasDate: true, hasTime: true } as const;

  it('takes exactly the days that the calendar has', () => {
    const date = { ...both, hasTime: false };
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9999 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (year, month, day) => {
          const two = (number: number): string => String(number).padStart(2, '0');
          const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
          const there = new Date(`${text}T00:00:00Z`);
          const exists = !Number.isNaN(there.getTime()) && there.toISOString().startsWith(text);
          expect(applyTextRule(date, text)).toBe(exists ? text : undefined);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it.each([
    '2026-01-15T24:00',
    '2026-01-15T1:00',
    '2026-01-15T10:60',
    '2026-01-15 10:00',
    '2026-01-15T10:00Z',
    'T10:00',
    '2026-01-15T10:00T10:00',
  ])('%s is none', (text) => expect(applyTextRule(both, text)).toBeUndefined());
});
