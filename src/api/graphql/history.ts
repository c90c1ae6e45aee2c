/**
 * History (API §4.1.2, wire-facts §13): the recorded series, their samples, and the recording settings. Times are
 * milliseconds since the epoch.
 */
import type { SeriesPoint } from '../../app/history/downsample.ts';
import type { SeriesInfo, SeriesResult, StorageStats } from '../../app/history/history.ts';
import type { NamedStateBucket, StateChange } from '../../app/history/history-query.ts';
import {
  ExportQuery,
  HistoryPurge,
  HistoryQuery,
  HistoryResolution,
  HistorySeries,
  HistoryStats,
  HistorySummary,
  SeriesChanges,
} from '../../contract/history.ts';
import { given } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';
import { withPlace } from './whole-text.ts';

const TYPE = 'In any spelling, as for an accessory: `current_temperature`, `on_2` for the second outlet of a strip.';

export const SeriesRow = builder.objectRef<SeriesInfo>('HistorySeriesInfo').implement({
  description: 'What could be recorded of a characteristic, and what has been.',
  fields: (t) => ({
    ...fieldsOf(t, HistorySeries.omit({ firstAt: true, lastAt: true })),
    firstTs: t.exposeFloat('firstAt', { description: 'The first sample; null while there is none.' }),
    lastTs: t.exposeFloat('lastAt', { description: 'The last sample; null while there is none.' }),
  }),
});

const HistoryPoint = builder.objectRef<SeriesPoint>('HistoryPoint').implement({
  description: 'What became of a number in one stretch of time.',
  fields: (t) => ({
    ts: t.exposeFloat('at', { nullable: false, description: 'Where it begins, or the sample’s own time.' }),
    min: t.exposeFloat('min', { nullable: false, description: 'The least value.' }),
    avg: t.exposeFloat('avg', { nullable: false, description: 'The mean: each value weighs as long as it held.' }),
    max: t.exposeFloat('max', { nullable: false, description: 'The greatest value.' }),
    last: t.exposeFloat('last', { nullable: false, description: 'The value at its end.' }),
    count: t.exposeInt('count', {
      nullable: false,
      description: 'Samples in it; 0 where the value from before still held.',
    }),
  }),
});

const HistoryState = builder.objectRef<StateChange>('HistoryStateSpan').implement({
  description: 'A state that began in the window.',
  fields: (t) => ({
    ts: t.exposeFloat('at', { nullable: false, description: 'When it began.' }),
    value: t.exposeFloat('value', { description: 'The characteristic’s own number; null where it is a text.' }),
    valueText: t.exposeString('valueText', {
      nullable: false,
      description: 'The same as a word: `on`, `open`, `heat` …',
    }),
  }),
});

const StateBucket = builder.objectRef<NamedStateBucket>('HistoryStateBucket').implement({
  description: 'What became of a state in one stretch of time.',
  fields: (t) => ({
    ts: t.exposeFloat('at', { nullable: false, description: 'Where it begins.' }),
    dominant: t.exposeFloat('dominant', { description: 'The state that held longest; null where it is a text.' }),
    dominantText: t.exposeString('dominantText', { nullable: false, description: 'The same as a word.' }),
    stateMsJson: t.string({
      nullable: false,
      description: 'How long each state held, in milliseconds by its number: a text that holds a JSON object.',
      resolve: ({ stateMs }) => JSON.stringify(stateMs),
    }),
    stateMs: t.expose('stateMs', { type: 'JSON', nullable: false, description: 'The same as an object.' }),
    transitions: t.exposeInt('transitions', { nullable: false, description: 'How often the state changed.' }),
  }),
});

const Summary = builder.objectRef<HistorySummary>('HistorySummary').implement({
  description: 'What a number was over the time of the window at which it is known.',
  fields: (t) => fieldsOf(t, HistorySummary),
});

/** The fields that REST has too. */
const QueriedSeries = HistorySeries.pick({
  accessoryId: true,
  characteristicType: true,
  kind: true,
  unit: true,
}).extend({ resolution: HistoryResolution });

export const SeriesData = builder.objectRef<SeriesResult>('HistorySeriesData').implement({
  description: 'One series over a window: `points` for a number, `states` or else `stateBuckets` for anything else.',
  fields: (t) => ({
    ...fieldsOf(t, QueriedSeries),
    prevValue: t.exposeFloat('prevValue', {
      description: 'What held when the window began; null if nothing was known then, or it is a text.',
    }),
    prevValueText: t.exposeString('prevValueText', { description: 'The same as a word.' }),
    points: t.expose('points', { type: [HistoryPoint], nullable: false, description: 'Of a number, in order.' }),
    states: t.expose('states', {
      type: [HistoryState],
      nullable: false,
      description: 'Of a state, where they are few enough.',
    }),
    stateBuckets: t.expose('stateBuckets', {
      type: [StateBucket],
      nullable: false,
      description: 'Of a state that changed often.',
    }),
    summary: t.expose('summary', {
      type: Summary,
      description: 'Of a number; null if unknown.',
    }),
    stateMs: t.expose('stateMs', {
      type: 'JSON',
      nullable: false,
      description: 'Of a state: how long each held in the window, in milliseconds by its number, or by the text.',
    }),
    recordedFrom: t.exposeFloat('recordedFrom', {
      description: 'The first moment of the window at which a value is known; null if none is.',
    }),
  }),
});

const Stats = builder.objectRef<StorageStats>('HistoryStorageStats').implement({
  description: 'What is kept of a home.',
  fields: (t) => ({
    enabled: t.exposeBoolean('enabled', {
      nullable: false,
      description: 'Whether the home’s history is on. It is off by default.',
    }),
    sharedAnalyticsEnabled: t.exposeBoolean('shared', {
      nullable: false,
      description: 'Whether share links show it too.',
    }),
    rawRetentionDays: t.exposeInt('rawRetentionDays', {
      nullable: false,
      description: 'How many days single samples are kept. Hours and days are kept for ever.',
    }),
    ...fieldsOf(t, HistoryStats.omit({ oldestAt: true })),
    oldestTs: t.exposeFloat('oldestAt', { description: 'The oldest of them; null while there is none.' }),
  }),
});

export const SeriesInput = builder.inputType('HistorySeriesInput', {
  description: 'One characteristic of one accessory or service group.',
  fields: (t) => ({
    accessoryId: t.string({ required: true }),
    characteristicType: t.string({ required: true, description: TYPE }),
  }),
});

builder.queryFields((t) => ({
  historySeries: t.field({
    type: [SeriesRow],
    nullable: LIST,
    description: 'What could be recorded in a home and what has been, by accessory, most useful first.',
    args: { homeId: t.arg.string({ required: true }) },
    resolve: (_, { homeId }, { caller, deps }) => deps.history.series(caller, homeId),
  }),
  history: t.field({
    type: [SeriesData],
    nullable: LIST,
    description: 'Up to six series over a window. Empty while the home’s history is off.',
    args: {
      ...argumentsOf(t.arg, HistoryQuery.omit({ series: true, maxPoints: true })),
      series: t.arg({ type: [SeriesInput], required: true, description: '1 to 6.' }),
      maxPoints: t.arg.int({ description: 'Of each series: 10 to 2000, 500 if left out.' }),
    },
    resolve: (_, { homeId, series, fromTs, toTs, ...options }, { caller, deps, request: { signal } }) =>
      deps.history.query(caller, { homeId, series, fromTs, toTs, ...given(options), signal }),
  }),
  exportHistory: t.string({
    description:
      'Every sample as CSV: `timestamp,accessory_id,characteristic,value,value_text,source`. At most 200,000; where there are more, the last line begins with `#` and names the cursor to go on with. REST streams the same.',
    args: argumentsOf(t.arg, ExportQuery),
    resolve: (_, { homeId, ...which }, { caller, deps, request }) =>
      withPlace(deps.history, async () => {
        const { chunks, next } = await deps.history.export(caller, { homeId, ...given(which) });
        const csv: string[] = [];
        for await (const chunk of chunks) {
          request.requireOpen();
          csv.push(chunk);
        }
        if (next !== null) csv.push(`# truncated; cursor: ${next}\r\n`);
        return csv.join('');
      }),
  }),
  historyStorageStats: t.field({
    type: Stats,
    description: 'How much is kept of a home, and whether anything is recorded.',
    args: { homeId: t.arg.string({ required: true }) },
    resolve: (_, { homeId }, { caller, deps }) => deps.history.stats(caller, homeId),
  }),
}));

builder.mutationFields((t) => ({
  setHomeHistoryEnabled: t.boolean({
    nullable: true,
    description: 'Turns a home’s history on or off. What was recorded stays. For admins of the home.',
    args: { homeId: t.arg.string({ required: true }), enabled: t.arg.boolean({ required: true }) },
    resolve: (_, { homeId, enabled }, { caller, deps }) => {
      deps.history.setEnabled(caller, homeId, enabled);
      return true;
    },
  }),
  setHomeSharedAnalyticsEnabled: t.boolean({
    nullable: true,
    description: 'Whether share links of a home show its history too. For admins of the home.',
    args: { homeId: t.arg.string({ required: true }), enabled: t.arg.boolean({ required: true }) },
    resolve: (_, { homeId, enabled }, { caller, deps }) => {
      deps.history.setShared(caller, homeId, enabled);
      return true;
    },
  }),
  setHomeHistoryRetention: t.boolean({
    nullable: true,
    description:
      'How long single samples of a home are kept, where nothing else is set for a series. For admins of the home.',
    args: {
      homeId: t.arg.string({ required: true }),
      rawRetentionDays: t.arg.float({ description: 'Whole days; null or left out for as long as usual, which is 90.' }),
    },
    resolve: (_, { homeId, rawRetentionDays }, { caller, deps }) => {
      deps.history.updateHome(caller, homeId, { rawRetentionDays: rawRetentionDays ?? null });
      return true;
    },
  }),
  setHistorySeriesConfig: t.boolean({
    nullable: true,
    description:
      'Sets how one series is recorded; what is left out stays, null is what holds for its kind. For admins of the home.',
    args: {
      ...argumentsOf(t.arg, SeriesChanges.omit({ retentionDays: true })),
      retentionDays: t.arg.float({ description: 'How many days samples are kept.' }),
    },
    resolve: (_, { homeId, accessoryId, characteristicType, ...changes }, { caller, deps }) => {
      deps.history.setSeries(caller, { homeId, accessoryId, characteristicType, ...changes });
      return true;
    },
  }),
  purgeHistory: t.boolean({
    nullable: true,
    description:
      'Deletes what was recorded, for ever: of a home, an accessory or one characteristic. For admins of the home.',
    args: argumentsOf(t.arg, HistoryPurge),
    resolve: async (_, { homeId, ...which }, { caller, deps }) => {
      await deps.history.purge(caller, { homeId, ...given(which) });
      return true;
    },
  }),
}));
