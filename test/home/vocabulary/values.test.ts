import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Characteristic, CharacteristicFormat } from '../../../src/home/model.ts';
import { rangeOf } from '../../../src/home/vocabulary/ranges.ts';
import { formatOf, parseValue, presentValue } from '../../../src/home/vocabulary/values.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { characteristic } from './builders.ts';

/** A type that is in no table, so that nothing but the metadata given counts. */
const VENDOR = '6EF066C1-08F8-46DE-9121-B89B77E459E7';

function vendor(format: CharacteristicFormat, overrides: Partial<Characteristic> = {}): Characteristic {
  return characteristic(VENDOR, { format, ...overrides });
}

function refusal(act: () => unknown): HearthError {
  try {
    act();
  } catch (error) {
    if (error instanceof HearthError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

describe('booleans', () => {
  it.each([true, 1, '1', 'on', 'ON', 'true', ' True '])('take %j for true', (input) => {
    expect(parseValue(characteristic('25'), input)).toBe(true);
  });

  it.each([false, 0, '0', 'off', 'false'])('take %j for false', (input) => {
    expect(parseValue(characteristic('25'), input)).toBe(false);
  });

  it.each([2, -1, 0.5, 'yes', '', null, undefined, {}, [], [true], Number.NaN, Symbol('x'), 1n])(
    'refuse %s',
    (input) => {
      const error = refusal(() => parseValue(characteristic('25'), input));
      expect(error.code).toBe('invalid_value');
      expect(error.message).toMatch(/^Invalid value .* for power_state: it takes true or false$/);
    },
  );

  it('become numbers where the device keeps two states as a number', () => {
    expect(parseValue(characteristic('B0'), true)).toBe(1);
    expect(parseValue(characteristic('B0'), 'off')).toBe(0);
    expect(parseValue(characteristic('1E'), 'on')).toBe(1);
    expect(parseValue(vendor('uint8', { validValues: [0, 1] }), true)).toBe(1);
  });

  it('are refused where a number means more than two states', () => {
    expect(refusal(() => parseValue(characteristic('8'), true)).message).toBe(
      'Invalid value true for brightness: it takes a whole number from 0 to 100',
    );
    expect(refusal(() => parseValue(characteristic('33'), 'on')).code).toBe('invalid_value');
  });
});

describe('numbers', () => {
  it.each([
    ['brightness', '8', {}, 40, 40],
    ['a numeric string', '8', {}, '40', 40],
    ['exponents', '8', {}, '4e1', 40],
    ['the nearest whole number', '8', {}, 40.4, 40],
    ['the device’s step', '8', { minValue: 0, maxValue: 100, minStep: 5 }, 42, 40],
    ['a step counted from the minimum', '35', { minValue: 10.5, maxValue: 30, minStep: 1 }, 21, 21.5],
    ['a last step that ends before the maximum', '8', { minValue: 0, maxValue: 100, minStep: 3 }, 100, 99],
    ['steps without the dust of floats', '35', { minValue: 10, maxValue: 38, minStep: 0.1 }, 21.3, 21.3],
    ['half degrees', '35', { minValue: 10, maxValue: 38, minStep: 0.5 }, 21.26, 21.5],
    ['the device’s own range', '35', { minValue: 4, maxValue: 60, minStep: 0.1 }, 55, 55],
    ['negative numbers', 'C2', {}, -45, -45],
    ['zero, never minus zero', 'C2', {}, -0.2, 0],
    ['words of the type', '33', {}, 'heat', 1],
    ['words in any case', '67', {}, 'STAY_ARM', 0],
    ['listed values', '67', { validValues: [1, 3] }, 3, 3],
  ] as const)('take %s', (_name, type, overrides, input, value) => {
    expect(Object.is(parseValue(characteristic(type, overrides), input), value)).toBe(true);
  });

  it.each([
    ['8', {}, 101, 'a whole number from 0 to 100'],
    ['8', {}, 100.4, 'a whole number from 0 to 100'],
    ['8', {}, -1, 'a whole number from 0 to 100'],
    ['CE', {}, 139, 'a whole number from 140 to 500'],
    ['CE', { minValue: 153, maxValue: 454 }, 500, 'a whole number from 153 to 454'],
    ['35', { minValue: 7, maxValue: 35 }, 36, 'a number from 7 to 35'],
    ['67', { validValues: [1, 3] }, 0, 'one of 1, 3'],
    ['8', {}, Number.NaN, 'a whole number from 0 to 100'],
    ['35', {}, Number.POSITIVE_INFINITY, 'a number from 10 to 38'],
    ['8', {}, 'NaN', 'a whole number from 0 to 100'],
    ['8', {}, 'Infinity', 'a whole number from 0 to 100'],
    ['8', {}, '0x10', 'a whole number from 0 to 100'],
    ['8', {}, '', 'a whole number from 0 to 100'],
    ['8', {}, null, 'a whole number from 0 to 100'],
    ['8', {}, [40], 'a whole number from 0 to 100'],
    ['8', {}, 'bright', 'a whole number from 0 to 100'],
  ] as const)('refuse for %s %j the value %s', (type, overrides, input, accepted) => {
    const error = refusal(() => parseValue(characteristic(type, overrides), input));
    expect(error.code).toBe('invalid_value');
    expect(error.message).toMatch(/^Invalid value /);
    expect(error.message.endsWith(`it takes ${accepted}`)).toBe(true);
  });

  it.each([
    ['uint8', 0, 255],
    ['uint16', 0, 65_535],
    ['uint32', 0, 4_294_967_295],
    ['int', -2_147_483_648, 2_147_483_647],
  ] as const)('of format %s are bounded by it where nothing else bounds them', (format, min, max) => {
    expect(parseValue(vendor(format), min)).toBe(min);
    expect(parseValue(vendor(format), max)).toBe(max);
    expect(refusal(() => parseValue(vendor(format), min - 1)).code).toBe('invalid_value');
    expect(refusal(() => parseValue(vendor(format), max + 1)).code).toBe('invalid_value');
  });

  it('beyond 2^53 stay decimal text', () => {
    expect(parseValue(vendor('uint64'), '18446744073709551615')).toBe('18446744073709551615');
    expect(parseValue(vendor('uint64'), '42')).toBe(42);
    expect(refusal(() => parseValue(vendor('uint64'), '18446744073709551616')).code).toBe('invalid_value');
    expect(refusal(() => parseValue(vendor('uint64'), 2 ** 60)).code).toBe('invalid_value');
    expect(refusal(() => parseValue(vendor('uint64'), -1)).code).toBe('invalid_value');
    expect(presentValue(vendor('uint64', { value: '18446744073709551615' }))).toBe('18446744073709551615');
  });
});

describe('odd metadata', () => {
  it('with the minimum above the maximum give way to the type’s own range', () => {
    const odd = characteristic('8', { minValue: 100, maxValue: 0 });
    expect(parseValue(odd, 40)).toBe(40);
    expect(refusal(() => parseValue(odd, 101)).message).toContain('0 to 100');
    expect(parseValue(vendor('uint8', { minValue: 9, maxValue: 1 }), 200)).toBe(200);
  });

  it('with more steps than can be counted leave a number as it is', () => {
    const target = vendor('float', { minStep: 0.1 });
    expect(parseValue(target, Number.MAX_VALUE)).toBe(Number.MAX_VALUE);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1000])('with the step %s ignore it', (minStep) => {
    expect(parseValue(characteristic('8', { minValue: 0, maxValue: 100, minStep }), 41)).toBe(41);
  });

  it('with a broken step for whole numbers step by one', () => {
    expect(parseValue(characteristic('8', { minValue: 0, maxValue: 100, minStep: 0.5 }), 41)).toBe(41);
  });

  it('with listed values outside the range believe the list', () => {
    const partly = vendor('uint8', { minValue: 1, maxValue: 3, validValues: [0, 1, 3, 4] });
    expect(rangeOf(partly, 'uint8').only).toEqual([1, 3]);
    const odd = vendor('uint8', { minValue: 0, maxValue: 2, validValues: [7, 8] });
    expect(parseValue(odd, 7)).toBe(7);
    expect(refusal(() => parseValue(odd, 1)).message).toContain('one of 7, 8');
  });

  it('without a format use the type’s, then the value’s, then none', () => {
    expect(parseValue(characteristic('8', { format: 'unknown' }), '40')).toBe(40);
    expect(parseValue(vendor('unknown', { value: true }), 'on')).toBe(true);
    expect(parseValue(vendor('unknown', { value: 3.5 }), '4')).toBe(4);
    expect(parseValue(vendor('unknown', { value: 'text' }), 4)).toBe('4');
    expect(parseValue(vendor('unknown'), 4)).toBe(4);
    expect(refusal(() => parseValue(vendor('unknown'), {})).code).toBe('invalid_value');
  });
});

describe('text', () => {
  it('is taken up to the device’s length, or 64 characters', () => {
    expect(parseValue(characteristic('E3'), 'x'.repeat(64))).toBe('x'.repeat(64));
    expect(refusal(() => parseValue(characteristic('E3'), 'x'.repeat(65))).message).toContain('at most 64 characters');
    expect(parseValue(characteristic('E3', { maxLength: 100 }), 'x'.repeat(100))).toBe('x'.repeat(100));
    expect(refusal(() => parseValue(characteristic('E3', { maxLength: 3 }), 'four')).code).toBe('invalid_value');
    expect(parseValue(characteristic('E3', { maxLength: 0 }), 'four')).toBe('four');
    // Characters as people count them: each of these is two UTF-16 units.
    expect(parseValue(characteristic('E3', { maxLength: 3 }), '🌒🌓🌔')).toBe('🌒🌓🌔');
    expect(refusal(() => parseValue(characteristic('E3', { maxLength: 3 }), '🌒🌓🌔🌕')).code).toBe('invalid_value');
  });

  it('is made of numbers and booleans', () => {
    expect(parseValue(characteristic('E3'), 12.5)).toBe('12.5');
    expect(parseValue(characteristic('E3'), true)).toBe('true');
  });

  it('quotes no more than the start of what it refuses', () => {
    expect(refusal(() => parseValue(characteristic('E3'), 'x'.repeat(10_000))).message.length).toBeLessThan(200);
  });

  it('for tlv8 and data must be base64', () => {
    expect(parseValue(vendor('tlv8'), 'AQID')).toBe('AQID');
    expect(parseValue(vendor('data'), '')).toBe('');
    expect(refusal(() => parseValue(vendor('data'), 'not base64!')).message).toContain('base64');
    expect(refusal(() => parseValue(vendor('tlv8'), 7)).code).toBe('invalid_value');
  });
});

describe('presented values', () => {
  it.each([
    ['bool', 0, false],
    ['bool', 1, true],
    ['bool', '1', true],
    ['bool', 'true', true],
    ['bool', 'false', false],
    ['bool', null, null],
    ['uint8', '21', 21],
    ['float', '21.5', 21.5],
    ['uint8', true, 1],
    ['int', 300_000, 300_000],
    ['float', 'NULL', 'NULL'],
    ['string', 5, '5'],
    ['data', 'AQ==', 'AQ=='],
    ['uint64', '7', 7],
  ] as const)('of format %s show %j as %j', (format, value, shown) => {
    expect(presentValue(vendor(format, { value }))).toBe(shown);
  });

  it('are shown as the device sent them even outside its own range', () => {
    expect(presentValue(characteristic('8', { value: 140, maxValue: 100 }))).toBe(140);
  });
});

describe('for every format', () => {
  const formats: readonly CharacteristicFormat[] = [
    'bool',
    'uint8',
    'uint16',
    'uint32',
    'uint64',
    'int',
    'float',
    'string',
    'tlv8',
    'data',
    'unknown',
  ];
  const number = fc.oneof(
    fc.integer({ min: -500, max: 500 }),
    fc.double({ noDefaultInfinity: false }),
    fc.integer({ min: -5000, max: 5000 }).map((value) => value / 100),
  );
  const metadata = fc.record(
    {
      minValue: number,
      maxValue: number,
      minStep: number,
      maxLength: number,
      validValues: fc.array(number, { maxLength: 4 }),
    },
    { requiredKeys: [] },
  );
  const value = fc.oneof(fc.constant(null), fc.boolean(), number, fc.string());
  const anyCharacteristic = fc
    .record({
      type: fc.constantFrom(VENDOR, '8', '25', '33', '35', 'B0', 'E3', 'CE'),
      format: fc.constantFrom(...formats),
      metadata,
      value,
    })
    .map(({ type, format, metadata, value }) =>
      characteristic(type, { format, value, ...metadata } as Partial<Characteristic>),
    );
  const input = fc.oneof(number, fc.boolean(), fc.string(), number.map(String), fc.anything());

  it('anything sent is either refused with an error of ours, or within the range and on the step', () => {
    fc.assert(
      fc.property(anyCharacteristic, input, (target, sent) => {
        let parsed: ReturnType<typeof parseValue>;
        try {
          parsed = parseValue(target, sent);
        } catch (error) {
          expect(error).toBeInstanceOf(HearthError);
          return;
        }
        if (typeof parsed !== 'number' || formatOf(target) === 'unknown') return;
        const { min, max, step, only, integer } = rangeOf(target, formatOf(target));
        expect(Number.isFinite(parsed)).toBe(true);
        if (only) {
          expect(only).toContain(parsed);
          return;
        }
        expect(parsed).toBeGreaterThanOrEqual(min ?? Number.NEGATIVE_INFINITY);
        expect(parsed).toBeLessThanOrEqual(max ?? Number.POSITIVE_INFINITY);
        if (integer) expect(Number.isInteger(parsed)).toBe(true);
        const steps = step === undefined ? 0 : (parsed - (min ?? 0)) / step;
        // Beyond this a float64 can't distinguish one step from the next.
        if (Math.abs(steps) < 1e9) expect(Math.abs(steps - Math.round(steps))).toBeLessThan(1e-5);
      }),
      { numRuns: 2000 },
    );
  });

  it('what was parsed and shown parses to itself', () => {
    fc.assert(
      fc.property(anyCharacteristic, input, (target, sent) => {
        let parsed: ReturnType<typeof parseValue>;
        try {
          parsed = parseValue(target, sent);
        } catch {
          return;
        }
        const shown = presentValue({ ...target, value: parsed });
        expect(shown).toBe(parsed);
        expect(parseValue(target, shown)).toBe(parsed);
      }),
      { numRuns: 2000 },
    );
  });

  it('showing never throws', () => {
    fc.assert(fc.property(anyCharacteristic, (target) => void presentValue(target)));
  });
});
