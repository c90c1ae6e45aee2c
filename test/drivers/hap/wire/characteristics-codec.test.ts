import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  batchReads,
  batchWrites,
  type Element,
  failureOf,
  parseAnswer,
  parseEvent,
  readPath,
  writeBody,
} from '../../../../src/drivers/hap/wire/characteristics-codec.ts';
import { DEFAULT_LIMITS } from '../../../../src/drivers/hap/wire/limits.ts';
import { STATUS_CODES } from '../../../../src/hap-spec/status-codes.ts';

const ASKED = [
  { aid: '1', iid: '9' },
  { aid: '1', iid: '10' },
];
const answer = (status: number, body: unknown) =>
  parseAnswer(status, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), ASKED);

const hapId = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }).map(String);
const id = fc.record({ aid: hapId, iid: hapId });

describe('requests', () => {
  it('write ids as digits and JSON without spaces', () => {
    const big = '18446744073709551615';
    expect(
      readPath([
        { aid: big, iid: '9' },
        { aid: '2', iid: '1' },
      ]),
    ).toBe(`/characteristics?id=${big}.9,2.1`);
    expect(writeBody([{ aid: big, iid: '9', members: '"value":true' }])).toBe(
      `{"characteristics":[{"aid":${big},"iid":9,"value":true}]}`,
    );
    expect(writeBody([{ aid: '1', iid: '2', members: '"ev":true' }], '77')).toContain(',"pid":77}');
  });

  it('hold at most 49 ids and 900 bytes, and lose none', () => {
    fc.assert(
      fc.property(fc.array(id, { maxLength: 200 }), (ids) => {
        const batches = batchReads(ids, DEFAULT_LIMITS);
        expect(batches.flat()).toEqual(ids);
        for (const batch of batches) {
          const head = `GET ${readPath(batch)} HTTP/1.1\r\nHost: [fe80:1111:2222:3333:4444:5555:6666:7777]\r\n\r\n`;
          expect(batch.length).toBeLessThanOrEqual(49);
          expect(head.length).toBeLessThanOrEqual(900);
        }
      }),
    );
  });

  it('of writes too, one accessory in each where the device wants that', () => {
    const value = fc.oneof(
      fc.constant('"ev":true'),
      fc.string({ maxLength: 80 }).map((text) => `"value":${JSON.stringify(text)}`),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(id, value), { minLength: 2, maxLength: 80 }),
        fc.boolean(),
        (pairs, oneAccessory) => {
          const elements = pairs.map(([ids, members]) => ({ ...ids, aid: String(Number(ids.aid) % 3), members }));
          const batches = batchWrites(elements, { ...DEFAULT_LIMITS, oneAccessory });
          expect(new Set(batches.flat())).toEqual(new Set(elements));
          for (const batch of batches) {
            if (oneAccessory) expect(new Set(batch.map(({ aid }) => aid)).size).toBe(1);
            const body = writeBody(batch);
            const head = `PUT /characteristics HTTP/1.1\r\nHost: [fe80:1111:2222:3333:4444:5555:6666:7777]\r\nContent-Type: application/hap+json\r\nContent-Length: 1024\r\n\r\n`;
            if (batch.length > 1) expect(head.length + Buffer.byteLength(body)).toBeLessThanOrEqual(900);
          }
        },
      ),
    );
  });
});

describe('answers', () => {
  it.each([
    ['values', 200, { characteristics: [{ aid: 1, iid: 9, value: 1 }] }, [{ aid: '1', iid: '9', status: 0, value: 1 }]],
    [
      'statuses',
      207,
      {
        characteristics: [
          { aid: 1, iid: 9, status: 0 },
          { aid: 1, iid: 10, status: -70402 },
        ],
      },
      [
        { aid: '1', iid: '9', status: 0 },
        { aid: '1', iid: '10', status: -70402 },
      ],
    ],
    [
      'positive codes',
      207,
      { characteristics: [{ aid: 1, iid: 9, status: 70402 }] },
      [{ aid: '1', iid: '9', status: -70402 }],
    ],
    [
      'codes as text',
      207,
      { characteristics: [{ aid: '1', iid: '9', status: '-70410' }] },
      [{ aid: '1', iid: '9', status: -70410 }],
    ],
    [
      'junk between elements',
      207,
      { characteristics: [true, { aid: 1, iid: 10, value: 5, status: 0 }, null, 'x'] },
      [{ aid: '1', iid: '10', status: 0, value: 5 }],
    ],
    [
      'elements without ids',
      207,
      { characteristics: [{ value: 1 }, { status: -70404 }] },
      [
        { aid: '1', iid: '9', status: 0, value: 1 },
        { aid: '1', iid: '10', status: -70404 },
      ],
    ],
    [
      'a null value',
      200,
      { characteristics: [{ aid: 1, iid: 9, value: null }] },
      [{ aid: '1', iid: '9', status: 0, value: null }],
    ],
    [
      'elements in a refusal',
      400,
      { characteristics: [{ aid: 1, iid: 9, status: -70410 }] },
      [{ aid: '1', iid: '9', status: -70410 }],
    ],
    ['a status for all', 207, { status: -70402 }, { status: -70402 }],
    ['a status for all in a refusal', 400, { status: -70401 }, { status: -70401 }],
    ['nothing', 204, '', { status: 0 }],
    ['an empty list', 200, { characteristics: [] }, { status: 0 }],
    ['a refusal without a word', 500, '', { status: -1 }],
    ['a refusal in HTML', 404, '<h1>Not Found</h1>', { status: -70409 }],
    ['no slots', 503, { status: -70403 }, { status: -70403 }],
    ['busy without a word', 503, '', { status: -70403 }],
    ['a success that is a refusal', 400, { status: 0 }, { status: -1 }],
  ])('are understood: %s', (_name, status, body, expected) => {
    expect(answer(status, body)).toEqual(expected);
  });

  it.each([
    [-70401, 'not_authorized'],
    [-70402, 'unreachable'],
    [-70403, 'busy'],
    [-70404, 'read_only'],
    [-70405, 'device_error'],
    [-70406, 'device_error'],
    [-70407, 'device_error'],
    [-70408, 'unreachable'],
    [-70409, 'not_found'],
    [-70410, 'invalid_value'],
    [-70411, 'not_authorized'],
    [-70412, 'device_error'],
    [-70413, 'device_error'],
    [-12345, 'device_error'],
    [-99, 'device_error'],
    [-1, 'device_error'],
  ])('with status %i, with or without its sign, are %s', (status, reason) => {
    for (const sent of [status, -status, String(status)]) {
      const [element] = answer(207, { characteristics: [{ aid: 1, iid: 9, status: sent }] }) as Element[];
      const failure = failureOf(element?.status ?? 0);
      expect(failure.reason).toBe(reason);
      expect(failure.detail).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('have a reason for every failure that HAP defines', () => {
    const failures = STATUS_CODES.filter(({ code }) => code !== 0);
    expect(failures).toHaveLength(12);
    for (const { code, sentence } of failures) expect(failureOf(code).detail).toBe(sentence);
  });

  it.each([
    [400, 'device_error'],
    [401, 'not_authorized'],
    [403, 'not_authorized'],
    [404, 'not_found'],
    [405, 'device_error'],
    [408, 'unreachable'],
    [422, 'invalid_value'],
    [429, 'busy'],
    [470, 'not_authorized'],
    [500, 'device_error'],
    [503, 'busy'],
    [504, 'unreachable'],
    [599, 'device_error'],
  ])('with HTTP status %i and no word are %s', (status, reason) => {
    for (const body of ['', '<h1>Error</h1>', '\x06\x01\x02']) {
      const { status: hapStatus } = answer(status, body) as { status: number };
      expect(failureOf(hapStatus).reason).toBe(reason);
    }
  });
});

describe('notifications', () => {
  it('give their elements in their own order', () => {
    const body = Buffer.from(
      '{"characteristics":[{"aid":18446744073709551615,"iid":9,"value":true},{"aid":1,"iid":2,"value":0}]}',
    );
    expect(parseEvent(body)).toEqual([
      { aid: '18446744073709551615', iid: '9', status: 0, value: true },
      { aid: '1', iid: '2', status: 0, value: 0 },
    ]);
  });

  it('may hold nothing of use', () => {
    for (const text of ['{}', '[]', 'null', '{"characteristics":true}', '{"characteristics":[{"iid":1},7]}']) {
      expect(parseEvent(Buffer.from(text))).toEqual([]);
    }
  });
});
