/**
 * Several series at once, over any period. Each is reduced to the requested number of points, except raw samples: those
 * are returned unchanged, from the start on, and `continue_from` is the start of the next call.
 */
import { z } from 'zod';
import { recordable } from '../../../app/history/catalog.ts';
import type { SeriesInfo } from '../../../app/history/history.ts';
import type { HistoryData } from '../../../contract/history.ts';
import type { Accessory, Home } from '../../../home/model.ts';
import { PROPERTIES } from '../../../home/vocabulary/properties.ts';
import { shorten } from '../../../home/vocabulary/values.ts';
import { HearthError } from '../../../kernel/errors.ts';
import { parseTime } from '../../parse-time.ts';
import { presentData } from '../../present/history.ts';
import { presentTime } from '../../present/time.ts';
import { type McpTool, READS, type ToolContext } from './mcp-tool.ts';
import { accessoriesIn, describeHomes, findHomeOrFirst, keyOf, listed, pickAccessory } from './places.ts';
import { seriesFields } from './series.ts';

/** Wire-facts §11.2: the maximum of one call. */
const MAX_SERIES = 100;
const MAX_POINTS = 50_000;
const POINTS = { otherwise: 500, min: 10, max: 2_000 };
const DAY_MS = 86_400_000;
/** A window with too many samples is halved down to this length. */
const MIN_WINDOW_MS = 1_000;
/** `power_state_2`: of the second service. */
const NUMBERED = /_([2-9]|[1-9]\d+)$/;

const DESCRIPTION = `Reads the recorded history of several accessories at once, over any time. Resolution "auto" takes single samples up to 48 hours, then hourly and daily averages; with "raw", continue_from of a series is the start of the next call.
At most ${MAX_SERIES} series and ${MAX_POINTS} points a call. History is opt-in for each home.`;

const time = z.union([z.string(), z.number()]);

const input = z.strictObject({
  home: z.string().optional().describe('Key of the home; the first one if left out'),
  accessories: z.array(z.string()).optional().describe('Keys; all that are recorded if left out'),
  characteristics: z.array(z.string()).optional().describe('For example ["current_temperature"]; all if left out'),
  start: time.optional().describe('ISO 8601 with a time zone; a day before the end if left out'),
  end: time.optional().describe('The same; now if left out'),
  resolution: z.enum(['auto', 'raw', 'hourly', 'daily']).optional(),
  max_points_per_series: z.number().optional().describe('10 to 2000; 500 if left out'),
});

const output = z.object({
  home: z.string(),
  from: z.string(),
  to: z.string(),
  series: z.array(
    z.object({
      accessory: z.object({ key: z.string(), name: z.string(), id: z.string() }),
      ...seriesFields,
      opening_value: z.union([z.string(), z.number(), z.null()]).describe('What held at the start'),
      continue_from: z.string().nullable().describe('Where the next call goes on; null if this is all'),
    }),
  ),
  _meta: z.object({
    series_returned: z.int(),
    series_matched: z.int(),
    points_returned: z.int(),
    truncated: z.literal(true).optional(),
    message: z.string(),
  }),
});

type Input = z.output<typeof input>;

export const queryHistory: McpTool<typeof input, typeof output> = {
  name: 'query_history',
  title: 'Query history',
  description: (context) => `${DESCRIPTION}\n${describeHomes(context)}`,
  needs: 'view',
  annotations: READS,
  input,
  output,
  async run(context, wanted) {
    const { caller, deps } = context;
    const home = findHomeOrFirst(context, wanted.home);
    const window = windowOf(wanted, deps.clock.now());
    const matched = match(context, home, await deps.history.series(caller, home.id), wanted);
    const { series, points } = await readAll(context, home, matched, { ...wanted, ...window });
    const isOff = !deps.history.home(caller, home.id).enabled;
    return {
      home: keyOf(home),
      from: presentTime(window.fromTs),
      to: presentTime(window.toTs),
      series,
      _meta: {
        series_returned: series.length,
        series_matched: matched.length,
        points_returned: points,
        ...(series.length < matched.length && { truncated: true }),
        message: isOff ? offMessage(home) : countMessage(series.length, matched.length),
      },
    };
  },
};

function offMessage({ name }: Home): string {
  return `Nothing is recorded: history is opt-in, and off in ${name}.`;
}

function countMessage(returned: number, matched: number): string {
  if (matched === 0) return 'Nothing has been recorded of these yet';
  const counted = `${returned} of ${matched} series`;
  return returned < matched
    ? `${counted}: name fewer accessories or characteristics, or ask for fewer points`
    : counted;
}

function windowOf({ start, end }: Input, now: number): { readonly fromTs: number; readonly toTs: number } {
  const toTs = momentOf(end, 'end') ?? now;
  const fromTs = momentOf(start, 'start') ?? toTs - DAY_MS;
  if (fromTs < toTs) return { fromTs, toTs };
  throw new HearthError('invalid_value', '"end" must be later than "start".', { field: 'end' });
}

function momentOf(input: string | number | undefined, field: string): number | undefined {
  if (typeof input !== 'number') return parseTime(input, field) ?? undefined;
  if (input >= 0 && input <= 8_640_000_000_000_000) return Math.floor(input);
  throw new HearthError('invalid_value', `"${field}" must be a time such as 2030-01-31T12:00:00Z.`, { field });
}

/** The recorded series, most relevant first. @throws `accessory_not_found` · `characteristic_not_found` */
function match(context: ToolContext, home: Home, all: readonly SeriesInfo[], wanted: Input): readonly SeriesInfo[] {
  const place = { home, groups: true };
  const things: readonly Accessory[] = wanted.accessories ? accessoriesIn(context, place) : [];
  const ids = wanted.accessories?.map((text, index) => pickAccessory(things, place, text, `accessories[${index}]`).id);
  const isWanted = wanted.characteristics?.map((text, index) => named(text, all, `characteristics[${index}]`));
  return all.filter(
    ({ accessoryId, characteristicType, firstAt }) =>
      firstAt !== null &&
      (ids === undefined || ids.includes(accessoryId)) &&
      (isWanted === undefined || isWanted.some((test) => test(characteristicType))),
  );
}

/** Any spelling of a characteristic or a property; without a number it matches every service. */
function named(text: string, all: readonly SeriesInfo[], field: string): (characteristic: string) => boolean {
  const spelling = text.trim();
  const [suffix = ''] = NUMBERED.exec(spelling) ?? [];
  const base = suffix === '' ? spelling : spelling.slice(0, -suffix.length);
  const rows = [
    base,
    ...PROPERTIES.filter(({ property }) => folded(property) === folded(base)).map(({ type }) => type),
  ];
  const names = new Set(rows.flatMap((row) => recordable(row)?.name ?? []));
  if (names.size === 0) {
    const known = [...new Set(all.map(({ characteristicType }) => characteristicType.replace(NUMBERED, '')))];
    const there = known.length === 0 ? 'There are none.' : `There are: ${listed(known)}.`;
    throw new HearthError('characteristic_not_found', `"${shorten(text)}" is never recorded. ${there}`, { field });
  }
  return (characteristic) =>
    names.has(suffix === '' ? characteristic.replace(NUMBERED, '') : characteristic.slice(0, -suffix.length)) &&
    characteristic.endsWith(suffix);
}

/** `current_temp`, `currentTemp` and `Current Temp` are equal. */
function folded(word: string): string {
  return word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

type Query = Pick<Input, 'resolution' | 'max_points_per_series'> & { readonly fromTs: number; readonly toTs: number };

async function readAll(context: ToolContext, home: Home, matched: readonly SeriesInfo[], query: Query) {
  const series: object[] = [];
  let points = 0;
  for (const info of matched.slice(0, MAX_SERIES)) {
    const left = MAX_POINTS - points;
    if (left < POINTS.min) break;
    const wanted = Math.floor(query.max_points_per_series ?? POINTS.otherwise);
    const maxPoints = Math.min(left, Math.max(POINTS.min, Math.min(POINTS.max, wanted)));
    const { data, until } = await readOne(context, home, info, { ...query, maxPoints });
    points += data.points.length + data.states.length + data.stateBuckets.length;
    series.push({
      accessory: {
        key: keyOf({ id: info.accessoryId, name: info.accessoryName }),
        name: info.accessoryName,
        id: info.accessoryId,
      },
      ...presentData(data),
      // REST's field for states; `opening_value` replaces it, for numbers too.
      openingValue: undefined,
      opening_value: data.kind === 'numeric' ? data.prevValue : data.prevValueText,
      continue_from: until < query.toTs ? presentTime(until) : null,
    });
  }
  return { series, points };
}

/** Reads raw samples up to the point where they become too many. */
async function readOne(
  { caller, deps, signal }: ToolContext,
  home: Home,
  { accessoryId, characteristicType }: SeriesInfo,
  { fromTs, toTs, resolution, maxPoints }: Query & { readonly maxPoints: number },
): Promise<{ readonly data: HistoryData; readonly until: number }> {
  const series = [{ accessoryId, characteristicType }];
  for (let until = toTs; ; until = fromTs + Math.ceil((until - fromTs) / 2)) {
    const [data] = await deps.history.query(caller, {
      homeId: home.id,
      series,
      fromTs,
      toTs: until,
      maxPoints,
      resolution,
      signal,
    });
    if (!data) throw new Error('A query of one series answers with one');
    const isWhole = resolution !== 'raw' || !isFolded(data) || until - fromTs <= MIN_WINDOW_MS;
    if (isWhole) return { data, until };
  }
}

/** Whether a point aggregates several samples. */
function isFolded({ points, stateBuckets }: HistoryData): boolean {
  return stateBuckets.length > 0 || points.some(({ count }) => count !== 1);
}
