import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DatabaseError, parseAccessories } from '../../../../src/drivers/hap/wire/accessory-database.ts';
import { JsonError } from '../../../../src/drivers/hap/wire/exact-json.ts';
import { listRecorded, readRecorded, readRecordedText } from '../../../support/accessories/sample-databases.ts';

const ANY_FORMAT = ['bool', 'uint8', 'uint16', 'uint32', 'uint64', 'int', 'float', 'string', 'tlv8', 'data', 'unknown'];

const one = (characteristic: object, service: object = {}) => {
  const json = {
    accessories: [{ aid: 1, services: [{ iid: 8, type: '43', ...service, characteristics: [characteristic] }] }],
  };
  return parseAccessories(JSON.stringify(json))[0]?.services[0];
};

describe('recorded databases', () => {
  it.each(listRecorded())('%s is read whole', (name) => {
    const text = readRecordedText(name);
    const recorded = readRecorded(name);
    const database = parseAccessories(text);
    expect(parseAccessories(`{"accessories":${text}}`)).toEqual(database);
    expect(database).toHaveLength(recorded.length);
    for (const [index, { services }] of database.entries()) {
      const original = recorded[index]?.services ?? [];
      expect(services.map(({ iid }) => iid)).toEqual(original.map(({ iid }) => String(iid)));
      const characteristics = services.flatMap((service) => service.characteristics);
      expect(characteristics.map(({ iid }) => iid)).toEqual(
        original.flatMap((service) => service.characteristics.map(({ iid }) => String(iid))),
      );
      for (const { format, value, type } of characteristics) {
        expect(ANY_FORMAT).toContain(format);
        expect(type).toBe(type.toUpperCase());
        if (format === 'bool') expect([true, false, null]).toContain(value);
      }
    }
  });
});

describe('a database', () => {
  it('keeps 64-bit ids exact', () => {
    const [accessory] = parseAccessories(
      '{"accessories":[{"aid":18446744073709551615,"services":[{"iid":9007199254740993,"type":"43","characteristics":[{"iid":9223372036854775809,"type":"25","format":"uint64","perms":["pr"],"value":18446744073709551614}]}]}]}',
    );
    expect(accessory).toMatchObject({
      aid: '18446744073709551615',
      services: [
        { iid: '9007199254740993', characteristics: [{ iid: '9223372036854775809', value: '18446744073709551614' }] },
      ],
    });
  });

  it('knows one spelling of each type', () => {
    for (const type of [
      '25',
      '00000025',
      '00000025-0000-1000-8000-0026BB765291',
      '00000025-0000-1000-8000-0026bb765291',
    ]) {
      expect(one({ iid: 9, type })?.characteristics[0]?.type).toBe('25');
    }
  });

  it('tolerates what real products leave out or get wrong', () => {
    expect(one({ iid: 9, type: '25', format: null, perms: [], value: null })?.characteristics[0]).toEqual({
      iid: '9',
      type: '25',
      format: 'unknown',
      permissions: [],
      value: null,
    });
    expect(one({ iid: 9 })?.characteristics[0]).toMatchObject({
      type: '',
      format: 'unknown',
      permissions: [],
      value: null,
    });
    expect(
      one({ iid: 8, type: '25', format: 'bool', value: 1 })?.characteristics[0],
      'an iid shared with its service',
    ).toMatchObject({ iid: '8', value: true });
    expect(one({ iid: 9, format: 'int', value: -5, minValue: 0, maxValue: 100 })?.characteristics[0]).toMatchObject({
      value: -5,
      minValue: 0,
    });
    expect(
      one({ iid: 9, format: 'int', minValue: 10, maxValue: 0, minStep: 0 })?.characteristics[0],
    ).not.toHaveProperty('minValue');
    expect(one({ iid: 9, format: 'int', minStep: 0 })?.characteristics[0]).not.toHaveProperty('minStep');
    expect(
      one({ iid: 9, format: 'int', minStep: '0.5', maxLen: 64, unit: 'lux', description: ' Light ' })
        ?.characteristics[0],
    ).toMatchObject({ minStep: 0.5, maxLength: 64, unit: 'lux', description: 'Light' });
    expect(
      one({ iid: 9, format: 'uint8', 'valid-values': [0, 1, 'x'], 'valid-values-range': [0, 4] })?.characteristics[0],
    ).toMatchObject({ validValues: [0, 1], minValue: 0, maxValue: 4 });
    expect(one({ iid: 9 }, { linked: [0, 8, 99], primary: 1, hidden: true })).toMatchObject({
      linked: ['8'],
      primary: true,
      hidden: true,
    });
    expect(one({ iid: 9, perms: ['pr', 'xx', 'ev'] })?.characteristics[0]?.permissions).toEqual(['pr', 'ev']);
  });

  it('leaves out what can’t be addressed, and keeps the rest', () => {
    const text = JSON.stringify({
      accessories: [
        null,
        { services: [] },
        { aid: 2, services: null },
        { aid: 2, services: [] },
        {
          aid: 3,
          services: [
            7,
            { iid: 1, type: '3E', characteristics: [{ type: '23' }, { iid: 2, value: 'a' }, { iid: 2, value: 'b' }] },
          ],
        },
      ],
    });
    const database = parseAccessories(text);
    expect(database.map(({ aid }) => aid)).toEqual(['2', '3']);
    expect(database[1]?.services[0]?.characteristics.map(({ value }) => value)).toEqual(['a']);
  });

  it('is refused when it is none, or more than a device can honestly have', () => {
    expect(() => parseAccessories('nonsense')).toThrow(JsonError);
    expect(() => parseAccessories('{"status":-70402}')).toThrow(DatabaseError);
    const services = Array.from({ length: 2_001 }, (_, iid) => ({ iid, type: '43', characteristics: [] }));
    expect(() => parseAccessories(JSON.stringify([{ aid: 1, services }]))).toThrow(/2000 services/);
    const characteristics = Array.from({ length: 20_001 }, (_, iid) => ({ iid }));
    expect(() => parseAccessories(JSON.stringify([{ aid: 1, services: [{ iid: 1, characteristics }] }]))).toThrow(
      /20000/,
    );
  });

  it('does not let one device’s odd permissions change what another one’s mean', () => {
    const withPerms = (perms: unknown) =>
      parseAccessories(
        JSON.stringify([
          { aid: 1, services: [{ iid: 1, type: '43', characteristics: [{ iid: 2, type: '25', perms }] }] },
        ]),
      )[0]?.services[0]?.characteristics[0]?.permissions;
    expect(withPerms(['ev,tw'])).toEqual([]);
    expect(withPerms(['ev', 'tw'])).toEqual(['ev', 'tw']);
    expect(withPerms([{ toString: null }, ['pr']])).toEqual([]);
  });

  it('never makes the parser fail in another way, for every shape', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.jsonValue({ maxDepth: 3 }), (outer, inner) => {
        const shapes = [
          outer,
          { accessories: outer },
          {
            accessories: [
              {
                aid: 1,
                services: [
                  outer,
                  {
                    iid: 1,
                    linked: inner,
                    characteristics: [inner, { iid: 1, perms: inner, value: outer, format: inner, type: inner }],
                  },
                ],
              },
            ],
          },
        ];
        for (const shape of shapes) {
          try {
            parseAccessories(JSON.stringify(shape));
          } catch (error) {
            expect(error).toBeInstanceOf(DatabaseError);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
