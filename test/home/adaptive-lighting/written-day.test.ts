/** Compared with HAP-NodeJS, which Apple's controllers know. */
import { AdaptiveLightingController, Characteristic, Service } from '@homebridge/hap-nodejs';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { decodeTlv, encodeTlv } from '../../../src/hap-spec/tlv.ts';
import { miredsAt } from '../../../src/home/adaptive-lighting/curve.ts';
import {
  encodeRemoval,
  encodeSchedule,
  SCHEDULE_LENGTH_MS,
  supportsTemperature,
} from '../../../src/home/adaptive-lighting/transitions.ts';
import {
  encodeAnswer,
  encodeStatus,
  encodeSupported,
  parseDay,
  parseRequest,
} from '../../../src/home/adaptive-lighting/written-day.ts';

const START = Date.parse('2026-06-21T11:00:00Z');
const MINUTE_MS = 60_000;
const [BRIGHTNESS, TEMPERATURE] = ['10', '300'] as const;
const READ = encodeTlv([[1, encodeTlv([[1, Buffer.of(0x2c, 0x01)]])]]).toString('base64');

const written = encodeSchedule({
  ...{ id: '00112233-4455-6677-8899-aabbccddeeff', startAt: START },
  ...{ temperatureIid: TEMPERATURE, brightnessIid: BRIGHTNESS },
  colourAt: (at) => ({ mireds: 200 + (at - START) / (36 * MINUTE_MS), perPercent: 0.5 }),
});

function dayOf(value: string) {
  const configuration = parseRequest(value, TEMPERATURE)?.update;
  const day = configuration && parseDay(configuration);
  if (!day) throw new Error('It is no day');
  return { configuration, day };
}

/** HAP-NodeJS's lamp. */
function lamp() {
  const service = new Service.Lightbulb('Lamp');
  service.getCharacteristic(Characteristic.Brightness).iid = Number(BRIGHTNESS);
  service.getCharacteristic(Characteristic.ColorTemperature).iid = Number(TEMPERATURE);
  const controller = new AdaptiveLightingController(service);
  controller.configureServices();
  return {
    service,
    controller,
    control: service.getCharacteristic(Characteristic.CharacteristicValueTransitionControl),
  };
}

describe('a lamp’s side of adaptive lighting', () => {
  it('offers what HAP-NodeJS offers', async () => {
    const { service } = lamp();
    const theirs = await service
      .getCharacteristic(Characteristic.SupportedCharacteristicValueTransitionConfiguration)
      .handleGetRequest();
    const ours = encodeSupported(BRIGHTNESS, TEMPERATURE);
    expect(ours).toBe(theirs);
    expect(supportsTemperature(ours, TEMPERATURE)).toBe(true);
  });

  it('answers a day, a question about it and its end as HAP-NodeJS does', async () => {
    vi.useFakeTimers({ now: START });
    const { control, controller } = lamp();
    try {
      const { configuration, day } = dayOf(written);
      expect(encodeAnswer({ reads: false, update: configuration }, TEMPERATURE, undefined, day)).toBe(
        await control.handleSetRequest(written),
      );
      vi.setSystemTime(START + 90_000);
      expect(encodeStatus(TEMPERATURE, day, 90_000)).toBe(await control.handleGetRequest());
      const read = parseRequest(READ, TEMPERATURE);
      expect(read).toEqual({ reads: true, update: undefined });
      const answer = decodeTlv(
        Buffer.from(encodeAnswer({ reads: true, update: undefined }, TEMPERATURE, configuration, day), 'base64'),
      );
      const theirs = decodeTlv(Buffer.from(String(await control.handleSetRequest(READ)), 'base64'));
      // HAP-NodeJS writes some numbers in fewer bytes.
      const [one, other] = [answer, theirs].map((tlv) => parseDay(tlv.find(1) ?? Buffer.alloc(0)));
      expect([one?.id, one?.lengthMs, one?.notifyMs]).toEqual([other?.id, other?.lengthMs, other?.notifyMs]);
      expect(one?.colourAfter(1e7)).toEqual(other?.colourAfter(1e7));
      const end = encodeRemoval(TEMPERATURE);
      expect(parseRequest(end, TEMPERATURE)).toEqual({ reads: false, update: null });
      expect(encodeAnswer({ reads: false, update: null }, TEMPERATURE, configuration, undefined)).toBe(
        await control.handleSetRequest(end),
      );
      expect(encodeAnswer({ reads: true, update: undefined }, TEMPERATURE, undefined, undefined)).toBe('');
    } finally {
      controller.disableAdaptiveLighting();
      vi.useRealTimers();
    }
  });

  it('has the colour between two points, the first one before them, and the last one after', () => {
    const { day } = dayOf(written);
    expect(day.lengthMs).toBe(SCHEDULE_LENGTH_MS);
    expect(miredsAt(day.colourAfter(-5_000), 100)).toBeCloseTo(200, 3);
    expect(miredsAt(day.colourAfter(54 * MINUTE_MS), 100)).toBeCloseTo(201.5, 3);
    expect(miredsAt(day.colourAfter(54 * MINUTE_MS), 10)).toBeCloseTo(246.5, 3);
    expect(miredsAt(day.colourAfter(2 * SCHEDULE_LENGTH_MS), 100)).toBeCloseTo(241, 3);
  });

  it('stays at a point for as long as the next one asks for', () => {
    const float = (value: number) => {
      const bytes = Buffer.alloc(4);
      bytes.writeFloatLE(value);
      return bytes;
    };
    const point = (value: number, after: number, ...stay: readonly number[]) =>
      encodeTlv([
        [1, float(0)],
        [2, float(value)],
        [3, Buffer.of(after)],
        ...stay.map((ms) => [4, Buffer.of(ms)] as const),
      ]);
    const curve = encodeTlv([
      [1, point(200, 0)],
      [0, Buffer.alloc(0)],
      [1, point(300, 10, 20)],
    ]);
    const named = encodeTlv([
      [1, Buffer.alloc(16)],
      [2, Buffer.alloc(8)],
    ]);
    const day = parseDay(
      encodeTlv([
        [1, 13],
        [2, named],
        [3, 1],
        [5, curve],
      ]),
    );
    expect(day?.lengthMs).toBe(30);
    expect([0, 20, 25, 30].map((ms) => day?.colourAfter(ms).mireds)).toEqual([200, 200, 250, 300]);
  });

  it('takes nothing that is about another characteristic, or no request at all', () => {
    expect(parseRequest(written, '13')).toBeUndefined();
    expect(parseRequest(READ, '13')).toBeUndefined();
    for (const value of [1, null, '', 'AQ==', '////']) expect(parseRequest(value, TEMPERATURE)).toBeUndefined();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        parseRequest(Buffer.from(bytes).toString('base64'), TEMPERATURE);
        parseDay(Buffer.from(bytes));
      }),
    );
    const { configuration } = dayOf(written);
    for (let length = 0; length < configuration.length; length += 7) parseDay(configuration.subarray(0, length));
    expect(parseDay(configuration.subarray(0, 30))).toBeUndefined();
  });
});
