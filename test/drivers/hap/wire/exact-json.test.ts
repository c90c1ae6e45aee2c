import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeValue, normalizeValue, parseId } from '../../../../src/drivers/hap/wire/characteristic-values.ts';
import { JsonError, parseJson } from '../../../../src/drivers/hap/wire/exact-json.ts';

describe('JSON from accessories', () => {
  it('is what JSON.parse makes of it where that is exact', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        // Longer integers are the next test's business.
        fc.pre(!/\d{16}/.test(text));
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps every unsigned 64-bit integer exact, wherever it stands', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.boolean(), (id, spaced) => {
        const text = spaced ? `{ "aid" : ${id} , "linked" : [ ${id} ] }` : `{"aid":${id},"linked":[${id}]}`;
        const json = parseJson(text) as { aid: number | string; linked: (number | string)[] };
        expect(parseId(json.aid)).toBe(String(id));
        expect(parseId(json.linked[0])).toBe(String(id));
      }),
    );
  });

  it.each([
    '21.399999618530273',
    '0.30000000000000004',
    '-0.1234567890123456789',
    '1e21',
    '123456789012345.6789',
    '1234567890123456.789',
    '5e-324',
    '1234567890123456e-3',
  ])('reads the float %s as the number that it is', (digits) => {
    expect(parseJson(`{"value":${digits}}`)).toEqual({ value: Number(digits) });
  });

  it('leaves digits inside text alone', () => {
    const json = { serial: '12345678901234567890', note: '"aid":12345678901234567890', value: 1 };
    expect(parseJson(JSON.stringify(json))).toEqual(json);
    expect(parseJson(`{"aid":18446744073709551615,"name":"\\"aid\\":1\\\\","u":"\\u00e9\\n"}`)).toEqual({
      aid: '18446744073709551615',
      name: '"aid":1\\',
      u: 'é\n',
    });
  });

  it.each([
    ['{"a":[1,2,],}', { a: [1, 2] }],
    ['{"a":1}\0\0', { a: 1 }],
    ['\ufeff{"a":1}', { a: 1 }],
    ['{"a":1 /* one */, // two\n "b":2}', { a: 1, b: 2 }],
    ['{"a":"line\nbreak\ttab"}', { a: 'line\nbreak\ttab' }],
    ['{"a":"\\x41\\q"}', { a: 'x41q' }],
    ['{"a":nan,"b":-NaN,"c":Infinity,"d":undefined}', { a: null, b: null, c: null, d: null }],
    ['{"a":1.}', { a: 1 }],
    ['{"a":007}', { a: 7 }],
    ['{"__proto__":{"x":1},"a":1,}', { a: 1 }],
    [Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]).toString(), { a: '\ufffd' }],
  ])('forgives %j', (text, expected) => {
    expect(parseJson(text)).toEqual(expected);
  });

  it.each(['', '{', '[1', '{"a"}', '{"a":}', '{a:1}', '"open', '{"a":1}x', 'tru', '[1 2]', '{"a":1 "b":2}'])(
    'names what is wrong with %j',
    (text) => {
      expect(() => parseJson(text)).toThrow(JsonError);
    },
  );

  it('bounds nesting', () => {
    const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseJson(deep(32))).toBeInstanceOf(Array);
    expect(() => parseJson(deep(33))).toThrow(JsonError);
    expect(() => parseJson('['.repeat(1_000_000))).toThrow(JsonError);
    expect(() => parseJson('{"a":'.repeat(100_000))).toThrow(JsonError);
  });

  it('ends with a value or an error, for every input', () => {
    const scraps = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '1',
      '12345678901234567',
      '-',
      '.',
      'e',
      '\\',
      '/',
      '/*',
      '*/',
      'nan',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(scraps, fc.string({ maxLength: 4 })), { maxLength: 25 }), (parts) => {
        try {
          parseJson(parts.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(JsonError);
        }
      }),
      { numRuns: 5000 },
    );
  });
});

describe('ids', () => {
  it.each([
    [1, '1'],
    ['007', '7'],
    ['18446744073709551615', '18446744073709551615'],
    ['18446744073709551616', undefined],
    [2 ** 53, undefined],
    [-1, undefined],
    [1.5, undefined],
    ['x', undefined],
    [null, undefined],
    [true, undefined],
  ])('%j is %j', (raw, id) => {
    expect(parseId(raw)).toBe(id);
  });
});

describe('values', () => {
  it.each([
    ['bool', 1, true],
    ['bool', 0, false],
    ['bool', '1', true],
    ['bool', 'TRUE', true],
    ['bool', 'false', false],
    ['bool', 'perhaps', null],
    ['bool', null, null],
    ['uint8', true, 1],
    ['int', '-5', -5],
    ['int', '', null],
    ['float', 21.399999618530273, 21.399999618530273],
    ['float', '1e3', 1000],
    ['float', 'warm', null],
    ['uint8', 300, 300],
    ['uint64', '18446744073709551615', '18446744073709551615'],
    ['uint64', '42', 42],
    ['uint64', 42, 42],
    ['string', 5, '5'],
    ['string', '', ''],
    ['tlv8', 'AQEA', 'AQEA'],
    ['data', {}, null],
    ['unknown', 'x', 'x'],
    ['unknown', [1], null],
  ] as const)('of format %s: %j is %j', (format, raw, value) => {
    expect(normalizeValue(format, raw)).toBe(value);
  });

  it('of any format come back equal after a round trip through the wire', () => {
    const formats = ['bool', 'uint8', 'uint16', 'uint32', 'uint64', 'int', 'float', 'string', 'tlv8', 'data'] as const;
    const raw = fc.oneof(
      fc.boolean(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string(),
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
    );
    fc.assert(
      fc.property(fc.constantFrom(...formats), raw, (format, input) => {
        const value = normalizeValue(format, input);
        const again = normalizeValue(format, parseJson(encodeValue(format, value)));
        // JSON has no minus zero.
        expect(again === 0 ? 0 : again).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  it('leave as JSON, with 64-bit numbers as digits', () => {
    expect(encodeValue('uint64', '18446744073709551615')).toBe('18446744073709551615');
    expect(encodeValue('string', '18446744073709551615')).toBe('"18446744073709551615"');
    expect(encodeValue('bool', true)).toBe('true');
  });
});
