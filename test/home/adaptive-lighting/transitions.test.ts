import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeTlv, encodeTlv, type Tlv } from '../../../src/hap-spec/tlv.ts';
import {
  encodeRemoval,
  encodeSchedule,
  SCHEDULE_LENGTH_MS,
  supportsTemperature,
} from '../../../src/home/adaptive-lighting/transitions.ts';

const START = Date.parse('2026-06-21T11:00:00Z');
const MINUTE_MS = 60_000;

function part(tlv: Tlv, ...path: readonly number[]): Buffer {
  const [type = 0, ...rest] = path;
  const value = tlv.find(type) ?? Buffer.alloc(0);
  return rest.length === 0 ? value : part(decodeTlv(value), ...rest);
}

const schedule = (temperatureIid = '13', brightnessIid = '10') =>
  decodeTlv(
    Buffer.from(
      encodeSchedule({
        ...{ id: '00112233-4455-6677-8899-aabbccddeeff', startAt: START, temperatureIid, brightnessIid },
        colourAt: (at) => ({ mireds: 200 + (at - START) / (36 * MINUTE_MS), perPercent: 0.5 }),
      }),
      'base64',
    ),
  );

describe('the schedule for a lamp', () => {
  it('names itself, its characteristics, its start since 2001 and its intervals', () => {
    const configuration = decodeTlv(part(schedule(), 2, 1));
    expect(configuration.findNumber(1)).toBe(13);
    expect(part(configuration, 2, 1).toString('hex')).toBe('00112233445566778899aabbccddeeff');
    expect(Number(part(configuration, 2, 2).readBigUInt64LE()) + Date.UTC(2001, 0, 1)).toBe(START);
    expect(configuration.findNumber(3)).toBe(1);
    expect(part(configuration, 5, 2)).toEqual(Buffer.of(10));
    expect([part(configuration, 5, 3, 1).readUInt32LE(), part(configuration, 5, 3, 2).readUInt32LE()]).toEqual([
      10, 100,
    ]);
    expect([configuration.findNumber(6), configuration.findNumber(8)]).toEqual([60_000, 600_000]);
  });

  it('has 42 points over a little more than a day, with the adjustment for brightness', () => {
    const points = decodeTlv(part(schedule(), 2, 1, 5))
      .items.filter(({ type }) => type === 1)
      .map(({ value }) => decodeTlv(value));
    expect(points.length).toBe(42);
    expect(points[0]?.findNumber(3)).toBe(0);
    const total = points.reduce((sum, point) => sum + (point.findNumber(3) ?? 0), 0);
    expect([total, total > 24 * 60 * MINUTE_MS]).toEqual([SCHEDULE_LENGTH_MS, true]);
    for (const [index, point] of points.entries()) {
      const [factor, value] = [point.find(1)?.readFloatLE() ?? 0, point.find(2)?.readFloatLE() ?? 0];
      expect(value + factor * 100).toBeCloseTo(200 + index, 3);
      expect(value + factor * 10).toBeCloseTo(245 + index, 3);
    }
  });

  it('takes instance ids of any size', () => {
    const configuration = decodeTlv(part(schedule('18168078900403521793', '70000'), 2, 1));
    expect(part(configuration, 1).readBigUInt64LE()).toBe(18_168_078_900_403_521_793n);
    expect(part(configuration, 5, 2).readUInt32LE()).toBe(70_000);
  });

  it('is removed by its characteristic alone', () => {
    expect(part(decodeTlv(Buffer.from(encodeRemoval('13'), 'base64')), 2, 1)).toEqual(Buffer.of(1, 1, 13));
  });
});

describe('what a lamp supports', () => {
  const transition = (iid: number, type: number) =>
    encodeTlv([
      [1, iid],
      [2, type],
    ]);
  const supported = encodeTlv([
    [1, transition(10, 1)],
    [0, Buffer.alloc(0)],
    [1, transition(13, 2)],
  ]).toString('base64');

  it.each([
    ['13', true],
    ['10', false],
    ['14', false],
  ])('lists the characteristic %s with the type of a temperature: %s', (iid, expected) => {
    expect(supportsTemperature(supported, iid)).toBe(expected);
  });

  it('is nothing, where the lamp sends anything else', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')),
          fc.constant(null),
        ),
        (value) => {
          expect(typeof supportsTemperature(value, '13')).toBe('boolean');
        },
      ),
    );
  });
});
