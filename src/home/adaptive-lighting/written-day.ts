/**
 * The accessory's side of `transitions.ts`: what a lamp that runs schedules offers to controllers, what they write into
 * it, and what it answers. As HAP-NodeJS's `AdaptiveLightingController` does it.
 */
import { decodeTlv, encodeTlv, type Tlv, TlvError } from '../../hap-spec/tlv.ts';
import type { HapId } from '../model.ts';
import { type DayColour, MAX_BRIGHTNESS } from './curve.ts';
import {
  NOTIFY_INTERVAL_MS,
  separated,
  TRANSITION_OF_BRIGHTNESS,
  TRANSITION_OF_TEMPERATURE,
  variable,
} from './transitions.ts';

/** Controllers of Apple write 42. */
const MAX_POINTS = 1_000;
const ID_BYTES = 16;
const TIME_BYTES = 8;
const FLOAT_BYTES = 4;
const NOTHING = Buffer.alloc(0);

/** A day as a controller wrote it. */
export interface WrittenDay {
  /** In hexadecimal. */
  readonly id: string;
  readonly lengthMs: number;
  /** How often controllers want an event for a colour that follows from it. */
  readonly notifyMs: number;
  /** @param ms since it was written */
  colourAfter(ms: number): DayColour;
  /** Names it in answers. */
  readonly parameters: Buffer;
}

/** What a controller asks by a write. */
export interface TransitionRequest {
  /** For the configuration of the day that runs. */
  readonly reads: boolean;
  /** The configuration of another day; `null`: to end the one that runs; `undefined`: to change nothing. */
  readonly update: Buffer | null | undefined;
}

interface Point extends DayColour {
  /** When it is reached, and until when it stays. */
  readonly from: number;
  readonly until: number;
}

/** The value of characteristic 144, in base64. */
export function encodeSupported(brightnessIid: HapId, temperatureIid: HapId): string {
  const supported = [
    [brightnessIid, TRANSITION_OF_BRIGHTNESS],
    [temperatureIid, TRANSITION_OF_TEMPERATURE],
  ] as const;
  const items = supported.map(([iid, transition]) =>
    encodeTlv([
      [1, variable(BigInt(iid))],
      [2, transition],
    ]),
  );
  return encodeTlv(separated(items)).toString('base64');
}

/** @param value in base64 @returns `undefined` for what is no request about this characteristic */
export function parseRequest(value: unknown, temperatureIid: HapId): TransitionRequest | undefined {
  return typeof value !== 'string' ? undefined : orNothing(() => readRequest(value, Number(temperatureIid)));
}

/** @returns `undefined` for what is no day */
export function parseDay(configuration: Buffer): WrittenDay | undefined {
  return orNothing(() => readDay(decodeTlv(configuration)));
}

/** The value of characteristic 143, in base64: which day runs, and for how long already. */
export function encodeStatus(temperatureIid: HapId, day: WrittenDay, elapsedMs: number): string {
  return statusOf(temperatureIid, day, elapsedMs).toString('base64');
}

/** The answer to a request, in base64. @param configuration of the day that ran before @param day that runs now */
export function encodeAnswer(
  { reads, update }: TransitionRequest,
  temperatureIid: HapId,
  configuration: Buffer | undefined,
  day: WrittenDay | undefined,
): string {
  const read = reads && configuration ? encodeTlv([[1, configuration]]) : NOTHING;
  const updated = update && day ? statusOf(temperatureIid, day, 0) : NOTHING;
  return Buffer.concat([read, update === undefined ? NOTHING : encodeTlv([[2, updated]])]).toString('base64');
}

function statusOf(temperatureIid: HapId, { parameters }: WrittenDay, elapsedMs: number): Buffer {
  const status = encodeTlv([
    [1, variable(BigInt(temperatureIid))],
    [2, parameters],
    [3, variable(BigInt(Math.max(0, Math.round(elapsedMs))))],
  ]);
  return encodeTlv([[1, status]]);
}

function readRequest(value: string, temperatureIid: number): TransitionRequest | undefined {
  const request = decodeTlv(Buffer.from(value, 'base64'));
  const [read, update] = [request.find(1), request.find(2)];
  if (!read && !update) return undefined;
  if (read && decodeTlv(read).findNumber(1) !== temperatureIid) return undefined;
  if (!update) return { reads: true, update: undefined };
  const configuration = decodeTlv(update).find(1);
  const fields = configuration && decodeTlv(configuration);
  if (fields?.findNumber(1) !== temperatureIid) return undefined;
  // The characteristic alone ends it.
  return { reads: read !== undefined, update: fields.findNumber(3) ? configuration : null };
}

function readDay(configuration: Tlv): WrittenDay | undefined {
  const [parameters, curve] = [configuration.find(2), configuration.find(5)];
  const named = parameters && decodeTlv(parameters);
  const [id, start] = [named?.find(1), named?.find(2)];
  const points = curve && readPoints(decodeTlv(curve));
  if (!parameters || id?.length !== ID_BYTES || start?.length !== TIME_BYTES || !points) return undefined;
  return {
    id: id.toString('hex'),
    lengthMs: points.at(-1)?.from ?? 0,
    notifyMs: configuration.findNumber(8) ?? NOTIFY_INTERVAL_MS,
    colourAfter: (ms) => colourAfter(points, ms),
    parameters,
  };
}

function readPoints({ items }: Tlv): readonly Point[] | undefined {
  const entries = items.flatMap(({ type, value }) => (type === 1 ? [decodeTlv(value)] : []));
  if (entries.length < 2 || entries.length > MAX_POINTS) return undefined;
  const points: Point[] = [];
  for (const entry of entries) {
    const [factor, value] = [floatOf(entry.find(1)), floatOf(entry.find(2))];
    const before = points.at(-1);
    // An entry has the time that the one before it stays, and the time that the way to it takes.
    const left = (before?.from ?? 0) + (before ? (entry.findNumber(4) ?? 0) : 0);
    const from = left + (entry.findNumber(3) ?? 0);
    if (factor === undefined || value === undefined || !Number.isSafeInteger(from)) return undefined;
    if (before) points[points.length - 1] = { ...before, until: left };
    // The lamp shows the value plus the factor times its brightness.
    points.push({ mireds: value + factor * MAX_BRIGHTNESS, perPercent: -factor, from, until: from });
  }
  return points;
}

function colourAfter(points: readonly Point[], ms: number): DayColour {
  const at = points.findLastIndex(({ from }) => from <= ms);
  const [before, after] = [points[Math.max(at, 0)], points[at + 1]];
  if (!before) throw new RangeError('A day has no points');
  if (at < 0 || !after || ms <= before.until) return before;
  const share = (ms - before.until) / (after.from - before.until);
  const between = (one: number, other: number): number => one + (other - one) * share;
  return {
    mireds: between(before.mireds, after.mireds),
    perPercent: between(before.perPercent, after.perPercent),
  };
}

function floatOf(value: Buffer | undefined): number | undefined {
  if (value?.length !== FLOAT_BYTES) return undefined;
  const number = value.readFloatLE();
  return Number.isFinite(number) ? number : undefined;
}

function orNothing<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof TlvError) return undefined;
    throw error;
  }
}
