/**
 * The schedule that a lamp runs by itself: a day's colour temperatures, in the TLV8 form of the characteristics 143
 * (Characteristic Value Transition Control) and 144 (Supported Characteristic Value Transition Configuration). The HAP
 * specification does not describe them; HAP-NodeJS's `AdaptiveLightingController` does.
 */
import { decodeTlv, encodeTlv, TlvError, type TlvField } from '../../hap-spec/tlv.ts';
import type { HapId } from '../model.ts';
import { MINUTE_MS } from '../schedule/wall-time.ts';
import { type DayColour, MAX_BRIGHTNESS, MIN_BRIGHTNESS } from './curve.ts';

/** Controllers of Apple write as many. */
const POINTS = 42;
const POINT_INTERVAL_MS = 36 * MINUTE_MS;

/** How long a lamp follows a schedule: a little over a day. */
export const SCHEDULE_LENGTH_MS = (POINTS - 1) * POINT_INTERVAL_MS;

/** How often the lamp changes its colour, and how often it may notify of that. */
const UPDATE_INTERVAL_MS = MINUTE_MS;
export const NOTIFY_INTERVAL_MS = 10 * MINUTE_MS;

/** Schedules count from 2001. */
const EPOCH_MS = Date.UTC(2001, 0, 1);

/** Types of a supported transition: the brightness, and the colour temperature along a curve. */
export const TRANSITION_OF_BRIGHTNESS = 1;
export const TRANSITION_OF_TEMPERATURE = 2;

export interface Schedule {
  /** A UUID that names it. */
  readonly id: string;
  /** Now: lamps take it for the time of their own clock. */
  readonly startAt: number;
  readonly temperatureIid: HapId;
  readonly brightnessIid: HapId;
  /** The colour at a moment, within what the lamp can show. */
  colourAt(atMs: number): DayColour;
}

/** The value to write to the control characteristic, in base64. */
export function encodeSchedule({ id, startAt, temperatureIid, brightnessIid, colourAt }: Schedule): string {
  const points = Array.from({ length: POINTS }, (_, index) =>
    encodePoint(colourAt(startAt + index * POINT_INTERVAL_MS), index === 0 ? 0 : POINT_INTERVAL_MS),
  );
  const brightnessRange = encodeTlv([
    [1, fixed(4, MIN_BRIGHTNESS)],
    [2, fixed(4, MAX_BRIGHTNESS)],
  ]);
  return update([
    [1, variable(BigInt(temperatureIid))],
    [
      2,
      encodeTlv([
        [1, Buffer.from(id.replaceAll('-', ''), 'hex')],
        [2, fixed(8, startAt - EPOCH_MS)],
      ]),
    ],
    [3, 1],
    [5, encodeTlv([...separated(points), [2, variable(BigInt(brightnessIid))], [3, brightnessRange]])],
    [6, fixed(2, UPDATE_INTERVAL_MS)],
    [8, fixed(4, NOTIFY_INTERVAL_MS)],
  ]);
}

/** The value that ends a schedule: the characteristic alone. In base64. */
export function encodeRemoval(temperatureIid: HapId): string {
  return update([[1, variable(BigInt(temperatureIid))]]);
}

/** Whether a lamp runs schedules for this characteristic. @param supported the value of 144, in base64 */
export function supportsTemperature(supported: unknown, temperatureIid: HapId): boolean {
  if (typeof supported !== 'string') return false;
  try {
    return decodeTlv(Buffer.from(supported, 'base64')).items.some(({ type, value }) => {
      if (type !== 1) return false;
      const transition = decodeTlv(value);
      return (
        transition.findNumber(1) === Number(temperatureIid) && transition.findNumber(2) === TRANSITION_OF_TEMPERATURE
      );
    });
  } catch (error) {
    if (error instanceof TlvError) return false;
    throw error;
  }
}

/** Type 2 asks to replace the schedule. */
function update(configuration: readonly TlvField[]): string {
  return encodeTlv([[2, encodeTlv([[1, encodeTlv(configuration)]])]]).toString('base64');
}

/** The lamp shows the value plus the factor times its brightness. @param afterMs from the point before */
function encodePoint({ mireds, perPercent }: DayColour, afterMs: number): Buffer {
  return encodeTlv([
    [1, float(-perPercent)],
    [2, float(mireds + perPercent * MAX_BRIGHTNESS)],
    [3, variable(BigInt(afterMs))],
  ]);
}

/** Values of type 1, with the empty item between them that keeps them apart. */
export function separated(values: readonly Buffer[]): readonly TlvField[] {
  return values.flatMap((value, index): TlvField[] =>
    index === 0
      ? [[1, value]]
      : [
          [0, Buffer.alloc(0)],
          [1, value],
        ],
  );
}

function float(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

/** Little-endian, in as many bytes. */
function fixed(length: number, value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes.subarray(0, length);
}

/** In one, two, four or eight bytes. */
export function variable(value: bigint): Buffer {
  const length = value < 2n ** 8n ? 1 : value < 2n ** 16n ? 2 : value < 2n ** 32n ? 4 : 8;
  return fixed(length, value);
}
