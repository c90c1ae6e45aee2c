/**
 * The scenario of a dry run: its start, its duration, its events and the responses of servers. Parsed against the
 * home, so that every error has its path before anything runs.
 *
 * Times are ISO 8601 with a zone, seconds after the start, or a time of day (`07:30`): the first one from the start
 * on.
 */
import { nextTime, parseTimeOfDay } from '../../../home/schedule/next-time.ts';
import { isTimeZone, systemTimeZone } from '../../../home/schedule/time-zones.ts';
import { MAX_SIMULATED_MS } from '../../../home/vocabulary/limits.ts';
import { parseIsoTime } from '../../../kernel/clock.ts';
import type { Json } from '../../../kernel/json.ts';
import { parseRunVariables } from '../flows/parse-run.ts';
import { at, fault, invalid } from '../parsing/faults.ts';
import { Fields, given } from '../parsing/fields.ts';
import { parseJson, parseJsonObject } from '../parsing/json.ts';
import { type ParseContext, Parsing } from '../parsing/parsing.ts';
import type { TriggerData } from '../scope.ts';
import { parseScenarioEvent, type ScenarioEvent } from './scenario-event.ts';

const DAY_MS = 24 * 60 * 60_000;
/** The default duration of a dry run, unless nothing more can happen before. */
export const DEFAULT_DURATION_MS = DAY_MS;
const MAX_EVENTS = 1_000;
const MAX_ANSWERS = 100;
/** The valid range of the home's clock, and so of dry runs. */
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

export interface TimedEvent {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly what: ScenarioEvent;
}

/** The response of a server, or why there is none. */
export interface CannedAnswer {
  /** The beginning of the URL; any URL if omitted. */
  readonly url?: string;
  readonly method?: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly error?: 'timeout' | 'network';
}

export interface Scenario {
  readonly startAt: number;
  /** The latest end; with `isFixed` also the earliest. */
  readonly endAt: number;
  readonly isFixed: boolean;
  /** Replaces the home's time zone. */
  readonly timeZone: string | null;
  /** Whether the other automations of the home run too. */
  readonly others: boolean;
  /** Fires the automation at the start. */
  readonly trigger: {
    readonly triggerId: string | null;
    readonly data: Partial<TriggerData>;
    readonly variables: Readonly<Record<string, Json>> | undefined;
  } | null;
  /** In chronological order. */
  readonly events: readonly TimedEvent[];
  readonly answers: readonly CannedAnswer[];
}

/**
 * @param now milliseconds since the epoch: the default start
 * @throws `invalid_request` a field is missing or unknown · `invalid_value` · `accessory_not_found` ·
 * `characteristic_not_found` · `person_not_found`; each with the path of its field
 */
export function parseScenario(input: unknown, context: ParseContext, now: number): Scenario {
  const fields = new Fields(input ?? {}, 'scenario', 'scenario');
  const parsing = new Parsing(input, context);
  const timeZone = parseTimeZone(fields);
  const zone = timeZone ?? context.state.home(context.homeId)?.timeZone ?? systemTimeZone();
  const startAt = parseMoment(fields.raw('start') ?? 0, fields.at('start'), { from: now, zone });
  if (startAt < EARLIEST || startAt > LATEST)
    throw invalid(fields.at('start'), 'it must be in this century or the next');
  const duration = fields.optionalNumber('durationS', { min: 0, max: MAX_SIMULATED_MS / 1_000 });
  const events = parseEvents(fields, parsing, { from: startAt, zone });
  const lastAt = events.at(-1)?.at ?? startAt;
  const scenario = {
    startAt,
    endAt:
      duration === undefined
        ? Math.min(lastAt + DEFAULT_DURATION_MS, startAt + MAX_SIMULATED_MS)
        : startAt + duration * 1_000,
    isFixed: duration !== undefined,
    timeZone,
    others: fields.boolean('others', false),
    trigger: parseFiring(fields.object('trigger')),
    events,
    answers: parseAnswers(fields),
  };
  fields.done();
  return scenario;
}

interface TimeOrigin {
  /** The origin of seconds and times of day. */
  readonly from: number;
  readonly zone: string;
}

/** @throws `invalid_value` */
function parseMoment(input: unknown, path: string, { from, zone }: TimeOrigin): number {
  if (typeof input === 'number' && input >= 0 && input <= MAX_SIMULATED_MS / 1_000)
    return Math.round(from + input * 1_000);
  if (typeof input === 'string' && /^\d{1,2}:\d{2}/.test(input)) {
    parseTimeOfDay(input, path);
    // The first match after this time minus 1 ms, so that the start itself can match.
    return nextTime({ at: input }, zone, from - 1) ?? from;
  }
  const at = typeof input === 'string' && /T.*(Z|[+-]\d{2}:?\d{2})$/i.test(input) ? parseIsoTime(input) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw invalid(
    path,
    'it must be a time as ISO 8601 writes it, with its zone, a time of day such as 07:30, or seconds after the start (at most 31 days)',
  );
}

function parseTimeZone(fields: Fields): string | null {
  const text = fields.optionalText('timeZone');
  if (text === undefined || isTimeZone(text)) return text ?? null;
  throw invalid(fields.at('timeZone'), 'it must be a time zone such as Europe/Berlin');
}

function parseEvents(fields: Fields, parsing: Parsing, frame: TimeOrigin): readonly TimedEvent[] {
  const list = fields.optionalList('events', 'events', MAX_EVENTS) ?? [];
  const events = list.map((item, index): TimedEvent => {
    const event = new Fields(item, `${fields.at('events')}[${index}]`, 'event');
    const at = parseMoment(event.required('at', 'a time'), event.at('at'), frame);
    if (at < frame.from || at > frame.from + MAX_SIMULATED_MS) {
      throw invalid(event.at('at'), 'it must be from the start on and within 31 days');
    }
    const what = parseScenarioEvent(event, parsing);
    event.done();
    return { at, what };
  });
  // Events with equal times keep their input order.
  return events.sort((a, b) => a.at - b.at);
}

function parseFiring(fields: Fields | undefined): Scenario['trigger'] {
  if (!fields) return null;
  const triggerId = fields.optionalText('triggerId') ?? null;
  const data = fields.object('data');
  const variables = fields.raw('variables');
  const firing = {
    triggerId,
    data: data ? parseTriggerData(data) : {},
    variables: at(fields.at('variables'), () => parseRunVariables(variables)),
  };
  fields.done();
  return firing;
}

/** The trigger data that expressions read. */
function parseTriggerData(fields: Fields): Partial<TriggerData> {
  const json = (name: string): Json | undefined => {
    const value = fields.raw(name);
    return value === undefined ? undefined : parseJson(value, fields.at(name));
  };
  const data = given({
    from_value: json('from_value'),
    to_value: json('to_value'),
    accessory_id: fields.optionalText('accessory_id'),
    service_group_id: fields.optionalText('service_group_id'),
    characteristic_type: fields.optionalText('characteristic_type'),
    event_type: fields.optionalText('event_type'),
    event_data: json('event_data'),
    webhook_payload: json('webhook_payload'),
    person_id: fields.optionalText('person_id'),
  });
  fields.done();
  return data;
}

function parseAnswers(fields: Fields): readonly CannedAnswer[] {
  const list = fields.optionalList('http', 'answers', MAX_ANSWERS) ?? [];
  return list.map((item, index): CannedAnswer => {
    const answer = new Fields(item, `${fields.at('http')}[${index}]`, 'answer');
    const body = answer.raw('body') ?? '';
    const parsed = given({
      url: answer.optionalText('url'),
      method: answer.optionalText('method')?.toUpperCase(),
      status: answer.optionalNumber('status', { min: 100, max: 599, integer: true }) ?? 200,
      headers: parseHeaders(answer),
      body: typeof body === 'string' ? body : JSON.stringify(parseJson(body, answer.at('body'))),
      error: answer.optionalOneOf('error', ['timeout', 'network'] as const),
    });
    answer.done();
    return parsed;
  });
}

function parseHeaders(fields: Fields): Readonly<Record<string, string>> {
  const headers = parseJsonObject(fields.raw('headers') ?? {}, fields.at('headers'));
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (typeof value === 'string') return [name.toLowerCase(), value];
      throw fault('invalid_value', `${fields.at('headers')}.${name}`, 'it must be a text');
    }),
  );
}
