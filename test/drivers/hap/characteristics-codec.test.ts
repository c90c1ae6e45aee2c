import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  batchReads,
  batchWrites,
  failureOf,
  parseAnswer,
  parseEvent,
  readPath,
  writeBody,
} from '../../../src/drivers/hap/characteristics-codec.ts';
import { DEFAULT_LIMITS } from '../../../src/drivers/hap/limits.ts';

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

  it.each([-70401, -70402, -70403, -70404, -70405, -70406, -70407, -70408, -70409, -70410, -70411, -70412, -99, -1])(
    'with status %i have a reason and a sentence',
    (status) => {
      const { reason, detail } = failureOf(status);
      expect(reason).toMatch(/^(unreachable|busy|read_only|invalid_value|not_found|not_authorized|device_error)$/);
      expect(detail).toMatch(/^[A-Z].*\.$/);
    },
  );

  it('map the statuses that callers act upon', () => {
    const reasons = [-70402, -70403, -70404, -70409, -70410, -70411, -12345].map((status) => failureOf(status).reason);
    expect(reasons).toEqual([
      'unreachable',
      'busy',
      'read_only',
      'not_found',
      'invalid_value',
      'not_authorized',
      'device_error',
    ]);
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
