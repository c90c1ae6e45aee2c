/** Recorded history (API §4.1.2, wire-facts §13): what is recorded, for how long, and queries of it. */
import { z } from 'zod';
import { MAX_SERIES } from '../home/vocabulary/limits.ts';
import { EXAMPLE_ID, flag, id, integer, number, success, text, time, whole, word } from './fields.ts';
import { type Input, invalidValue, type Output } from './parse.ts';

/** The latest time that a `Date` can hold. */
const LATEST_MS = 8_640_000_000_000_000;
/** A hundred years: effectively for ever. */
const RETENTION_DAYS = { from: 1, to: 36_500 };

const CHARACTERISTIC =
  'In any spelling, as for an accessory: `current_temperature`, `on_2` for the second outlet of a strip.';
export const RESOLUTIONS = ['raw', 'hourly', 'daily'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

interface Range {
  readonly from: number;
  readonly to: number;
}

function amount({ from, to }: Range, description: string) {
  const error = invalidValue(`it takes a number from ${from} to ${to}, or null for the usual`);
  return z.number({ error }).min(from).max(to).describe(description);
}

/** Beyond its bounds the nearest bound is taken: a request for a million points gets the maximum. */
function clamped({ from, to, usual }: Range & { readonly usual: number }, description: string) {
  const bounded = z
    .number({ error: invalidValue(`it takes a number from ${from} to ${to}`) })
    // The JSON Schema of what is transformed has no default of its own.
    .meta({ description, minimum: from, maximum: to, default: usual });
  const field = z.preprocess(
    (given) => (typeof given === 'number' && !Number.isNaN(given) ? Math.min(to, Math.max(from, given)) : given),
    bounded,
  );
  return (field as unknown as z.ZodType<number, number>).default(usual);
}

const points = (to: number, usual: number) =>
  clamped({ from: 10, to, usual }, 'The maximum number of points of each series.').transform(Math.floor);

function moment(description: string) {
  const error = invalidValue('it takes a time in milliseconds since 1970');
  return z.number({ error }).min(0).max(LATEST_MS).describe(description).transform(Math.floor);
}

// — settings —

const HOME = {
  enabled: flag('Whether anything is recorded.', true),
  shared: flag('Whether share links of the home include its history.'),
  rawRetentionDays: whole(
    RETENTION_DAYS,
    'How many days samples are kept; null: as usual, 90. Roll-ups stay for ever.',
  ).nullable(),
};
export const HomeHistoryChanges = z.strictObject(HOME).partial();
export type HomeHistoryChanges = Input<typeof HomeHistoryChanges>;

const SERIES = {
  enabled: flag('Whether it is recorded while the home’s history is on.', true),
  minIntervalS: amount({ from: 0, to: 86_400 }, 'The minimum time between two samples, in seconds.'),
  deadband: amount({ from: 0, to: 1_000_000 }, 'Smaller changes are not recorded.'),
  retentionDays: whole(RETENTION_DAYS, 'How many days samples are kept.'),
};

export const SeriesName = z.object({
  accessoryId: text('The id of an accessory or a service group.', EXAMPLE_ID),
  characteristicType: text(CHARACTERISTIC, 'current_temperature'),
});

/** Absent fields stay; `null`: as for all of its kind. */
export const SeriesChanges = z.strictObject({
  homeId: text('The home.'),
  ...SeriesName.shape,
  enabled: SERIES.enabled.nullable().optional(),
  minIntervalS: SERIES.minIntervalS.nullable().optional(),
  deadband: SERIES.deadband.nullable().optional(),
  retentionDays: SERIES.retentionDays.nullable().optional(),
});
export type SeriesChanges = Input<typeof SeriesChanges>;

const KIND = word(['numeric', 'bool', 'enum', 'string']);
const UNIT = text('The unit of its values.', 'celsius').nullable();

export const HistorySeries = z
  .object({
    ...SeriesName.shape,
    accessoryName: text('Its name.', 'Thermostat'),
    kind: KIND,
    unit: UNIT,
    ...SERIES,
    retentionDays: number('How many days samples are kept.'),
    firstAt: time('The first sample; null while there is none.').nullable(),
    lastAt: time('The last sample; null while there is none.').nullable(),
    sampleCount: integer('How many samples are kept.', 5120),
  })
  .meta({ id: 'HistorySeries' });
export type HistorySeries = Output<typeof HistorySeries>;

export const HistoryStats = z.object({
  seriesCount: integer('How many series there are.', 14),
  sampleRows: integer('How many samples.', 81234),
  rollupRows: integer('How many hours and days.', 9120),
  estBytes: number('Their size on the disk, estimated.', 3_100_000),
  oldestAt: time('The oldest of them; null while there is none.').nullable(),
});
export type HistoryStats = Output<typeof HistoryStats>;

export const HomeHistory = z
  .object({ homeId: id('The home.'), ...HOME, stats: HistoryStats })
  .meta({ id: 'HomeHistory' });
export type HomeHistory = Output<typeof HomeHistory>;

export const PurgedHistory = success({ deleted: integer('How many samples.', 5120) });

// — queries —

const FILTER = {
  homeId: text('The home.'),
  accessoryId: text('Only of this accessory or service group.').optional(),
  characteristicType: text(`Only of this characteristic. ${CHARACTERISTIC}`).optional(),
};

export const HistoryPurge = z.object({
  ...FILTER,
  beforeTs: moment('Only what is older; everything if left out.').optional(),
});
export type HistoryPurge = Input<typeof HistoryPurge>;

export const ExportQuery = z.object({
  ...FILTER,
  fromTs: moment('Included; from the beginning if left out.').default(0),
  toTs: moment('Excluded; to the end if left out.').optional(),
  cursor: text('The end of the previous export.').optional(),
});
export type ExportQuery = Input<typeof ExportQuery>;

export const HistoryQuery = z.object({
  homeId: text('The home.'),
  series: z
    .array(SeriesName)
    .min(1, { error: invalidValue(`it takes 1 to ${MAX_SERIES}`) })
    .max(MAX_SERIES, { error: invalidValue(`it takes 1 to ${MAX_SERIES}`) })
    .describe(`1 to ${MAX_SERIES}.`),
  fromTs: moment('Included.'),
  toTs: moment('Excluded.'),
  maxPoints: points(2_000, 500),
  resolution: word(['auto', ...RESOLUTIONS], 'By the length of the window if left out.').default('auto'),
});
export type HistoryQuery = Input<typeof HistoryQuery>;

/** API §8 and wire-facts §13; 8784 hours are a leap year. */
export const ReportQuery = z.strictObject({
  accessory: text('Key, id, name or a part of the name or the key; the first that matches.', 'thermostat'),
  home: text('The home’s id, or a part of its name or key; every home if left out.').optional(),
  characteristic: text('In any spelling; the six most useful ones if left out.').optional(),
  hours: clamped({ from: 0.25, to: 8_784, usual: 24 }, 'How far back.'),
  max_points: points(1_000, 200),
});
export type ReportQuery = Input<typeof ReportQuery>;

// — answers —

export const HistoryResolution = word(RESOLUTIONS, 'The source of its values.');

const EXTENT = {
  min: number('The least value.', 19),
  max: number('The greatest value.', 21.5),
  avg: number('The mean: each value weighs as long as it held.', 20.13),
};

export const HistorySummary = z.object({ ...EXTENT, latest: number('The value at the end.', 20.5) });
export type HistorySummary = Output<typeof HistorySummary>;

// What GraphQL answers. Its times are in milliseconds since the epoch.

export const HistoryPoint = z.object({
  at: number('Where it begins, or the sample’s own time.'),
  ...EXTENT,
  last: number('The value at its end.'),
  count: integer('Samples in it; 0 where the value from before still held.'),
});
export type HistoryPoint = Output<typeof HistoryPoint>;

export const HistoryState = z.object({
  at: number('When it began.'),
  value: number('The characteristic’s own number; null where it is a text.').nullable(),
  valueText: text('The same as a word: `on`, `open`, `heat` …'),
});
export type HistoryState = Output<typeof HistoryState>;

const STATE_MS = z.record(z.string(), z.number());

export const HistoryStateBucket = z.object({
  at: number('Where it begins.'),
  dominant: number('The state that held longest; null where it is a text.').nullable(),
  dominantText: text('The same as a word.'),
  stateMs: STATE_MS.describe('How long each state held, in milliseconds by its number, or by the text.'),
  transitions: integer('How often the state changed.'),
});
export type HistoryStateBucket = Output<typeof HistoryStateBucket>;

/** One series over a window. */
export const HistoryData = z.object({
  ...HistorySeries.pick({ accessoryId: true, characteristicType: true, kind: true, unit: true }).shape,
  resolution: HistoryResolution,
  prevValue: number('What held when the window began; null if nothing was known then, or it is a text.').nullable(),
  prevValueText: text('The same as a word.').nullable(),
  points: z.array(HistoryPoint).describe('Of a number, in order.'),
  states: z.array(HistoryState).describe('Of a state, where they are few enough.'),
  stateBuckets: z.array(HistoryStateBucket).describe('Of a state that changed often.'),
  summary: HistorySummary.nullable().describe('Of a number; null if unknown.'),
  stateMs: STATE_MS.describe(
    'Of a state: how long each held in the window, in milliseconds by its number, or by the text.',
  ),
  recordedFrom: number('The first moment of the window at which a value is known; null if none is.').nullable(),
});
export type HistoryData = Output<typeof HistoryData>;

const NumericHistory = z
  .object({
    characteristic: text('In snake_case.', 'current_temperature'),
    kind: z.literal('numeric'),
    unit: UNIT,
    resolution: HistoryResolution,
    values: z.array(z.tuple([time(), z.number()])).meta({
      description: 'Time and value; where there were too many, the mean over a stretch of time.',
      examples: [[['2030-01-31T11:00:00.000Z', 20.5]]],
    }),
    summary: HistorySummary.nullable(),
  })
  .meta({ id: 'NumericHistory' });

const StateHistory = z
  .object({
    characteristic: text('In snake_case.', 'heating_cooling_current'),
    kind: word(['bool', 'enum', 'string']),
    unit: z.null(),
    resolution: HistoryResolution,
    transitions: z.array(z.tuple([time(), z.string()])).meta({
      description:
        'Time and new state in words; where there were too many, the state that held longest in a stretch of time.',
      examples: [[['2030-01-31T10:30:00.000Z', 'heat']]],
    }),
    openingValue: text('The state at the beginning; null where none is known.', 'off').nullable(),
  })
  .meta({ id: 'StateHistory' });
export type StateHistory = Output<typeof StateHistory>;

export const SeriesHistory = z.union([NumericHistory, StateHistory]);
export type SeriesHistory = Output<typeof SeriesHistory>;

export const HistoryReport = z
  .object({
    home: text('The key of the home.', 'my_home_1a2b'),
    accessory: z.object({
      key: text('Its slug key.', 'thermostat_9f3c'),
      name: text('Its name.', 'Thermostat'),
      id: id(),
    }),
    from: time('The beginning of the window.', '2030-01-30T12:00:00.000Z'),
    to: time('Its end.'),
    series: z.array(SeriesHistory),
    _meta: z.object({
      message: text('What was found, in one sentence.', '2 of 2 characteristics have recorded history in the last 24h'),
    }),
  })
  .meta({ id: 'HistoryReport' });
export type HistoryReport = Output<typeof HistoryReport>;
