import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHARACTERISTICS } from '../../src/hap-spec/characteristics.ts';
import { SERVICES } from '../../src/hap-spec/services.ts';
import { canonicalType, fullUuid } from '../../src/hap-spec/uuid.ts';

const anyCase = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((upper) =>
      [...text].map((character, index) => (upper[index] ? character.toUpperCase() : character.toLowerCase())).join(''),
    );

describe('canonical types', () => {
  it.each([
    ['25', '25'],
    ['00000025-0000-1000-8000-0026BB765291', '25'],
    ['00000025-0000-1000-8000-0026bb765291', '25'],
    ['e3', 'E3'],
    ['000000E3', 'E3'],
    [' ce ', 'CE'],
    ['0', '0'],
    ['00', '0'],
    ['e863f10d-079e-48ff-8f27-9c2605a29f52', 'E863F10D-079E-48FF-8F27-9C2605A29F52'],
    ['00000025-0000-1000-8000-0026BB765292', '00000025-0000-1000-8000-0026BB765292'],
    ['not a type', 'NOT A TYPE'],
    ['ZZZZZZZZ-0000-1000-8000-0026BB765291', 'ZZZZZZZZ-0000-1000-8000-0026BB765291'],
    ['', ''],
  ])('takes %j as %j', (text, canonical) => {
    expect(canonicalType(text)).toBe(canonical);
  });

  it('are spelled out as a whole UUID', () => {
    expect(fullUuid('25')).toBe('00000025-0000-1000-8000-0026BB765291');
    expect(fullUuid('E863F10D-079E-48FF-8F27-9C2605A29F52')).toBe('E863F10D-079E-48FF-8F27-9C2605A29F52');
  });

  it('survive the way to a whole UUID and back', () => {
    for (const { type } of [...CHARACTERISTICS, ...SERVICES]) {
      expect(canonicalType(fullUuid(type))).toBe(type);
      expect(canonicalType(type)).toBe(type);
    }
  });

  it('are found again with any spelling of a short id or UUID', () => {
    const shortIds = fc.integer({ min: 0, max: 0xffffffff }).map((value) => value.toString(16));
    fc.assert(
      fc.property(
        fc.oneof(shortIds, fc.uuid()).chain((id) => fc.tuple(fc.constant(id), anyCase(id))),
        ([id, spelled]) => {
          expect(canonicalType(spelled)).toBe(canonicalType(id));
          expect(canonicalType(fullUuid(canonicalType(id)).toLowerCase())).toBe(canonicalType(id));
        },
      ),
    );
  });

  it('never throw, and settle at once, on any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(canonicalType(canonicalType(text))).toBe(canonicalType(text));
      }),
    );
  });
});
