/**
 * History (API §4.1.2, wire-facts §13): the recorded series, their samples, and the recording settings. Times are
 * milliseconds since the epoch.
 */
import type { SeriesInfo, StorageStats } from '../../app/history/history.ts';
import {
  ExportQuery,
  HistoryData,
  HistoryPoint,
  HistoryPurge,
  HistoryQuery,
  HistorySeries,
  HistoryState,
  HistoryStateBucket,
  HistoryStats,
  HistorySummary,
  HomeHistory,
  HomeHistoryChanges,
  SeriesChanges,
  SeriesName,
} from '../../contract/history.ts';
import { given } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import { argumentsOf, fieldsOf, inputFieldsOf, jsonFieldsOf, meaningOf, timesOf } from './contract-fields.ts';
import { withPlace } from './whole-text.ts';

export const SeriesRow = builder.objectRef<SeriesInfo>('HistorySeriesInfo').implement({
  description: 'What could be recorded of a characteristic, and what has been.',
  fields: (t) => ({
    ...fieldsOf(t, HistorySeries.omit({ firstAt: true, lastAt: true })),
    ...timesOf(t, HistorySeries),
  }),
});

const Point = builder.objectRef<HistoryPoint>('HistoryPoint').implement({
  description: 'What became of a number in one stretch of time.',
  fields: (t) => ({ ...timesOf(t, HistoryPoint), ...fieldsOf(t, HistoryPoint.omit({ at: true })) }),
});

const State = builder.objectRef<HistoryState>('HistoryStateSpan').implement({
  description: 'A state that began in the window.',
  fields: (t) => ({ ...timesOf(t, HistoryState), ...fieldsOf(t, HistoryState.omit({ at: true })) }),
});

const StateBucket = builder.objectRef<HistoryStateBucket>('HistoryStateBucket').implement({
  description: 'What became of a state in one stretch of time.',
  fields: (t) => ({
    ...timesOf(t, HistoryStateBucket),
    ...fieldsOf(t, HistoryStateBucket.omit({ at: true })),
    ...jsonFieldsOf(t, HistoryStateBucket),
    stateMsJson: t.string({
      nullable: false,
      description: `${HistoryStateBucket.shape.stateMs.description} A text that holds a JSON object.`,
      resolve: ({ stateMs }) => JSON.stringify(stateMs),
    }),
  }),
});

const Summary = builder.objectRef<HistorySummary>('HistorySummary').implement({
  description: 'What a number was over the time of the window at which it is known.',
  fields: (t) => fieldsOf(t, HistorySummary),
});

const { points, states, stateBuckets, summary } = HistoryData.shape;

export const SeriesData = builder.objectRef<HistoryData>('HistorySeriesData').implement({
  description: 'One series over a window: `points` for a number, `states` or else `stateBuckets` for anything else.',
  fields: (t) => ({
    ...fieldsOf(t, HistoryData),
    ...jsonFieldsOf(t, HistoryData.pick({ stateMs: true })),
    points: t.expose('points', { type: [Point], nullable: false, description: meaningOf(points) }),
    states: t.expose('states', { type: [State], nullable: false, description: meaningOf(states) }),
    stateBuckets: t.expose('stateBuckets', {
      type: [StateBucket],
      nullable: false,
      description: meaningOf(stateBuckets),
    }),
    summary: t.expose('summary', { type: Summary, description: meaningOf(summary) }),
  }),
});

const Stats = builder.objectRef<StorageStats>('HistoryStorageStats').implement({
  description: 'What is kept of a home.',
  fields: (t) => ({
    ...fieldsOf(t, HomeHistory.pick({ enabled: true })),
    sharedAnalyticsEnabled: t.exposeBoolean('shared', {
      nullable: false,
      description: meaningOf(HomeHistory.shape.shared),
    }),
    rawRetentionDays: t.exposeInt('rawRetentionDays', {
      nullable: false,
      description: 'How many days single samples are kept. Hours and days are kept for ever.',
    }),
    ...fieldsOf(t, HistoryStats.omit({ oldestAt: true })),
    ...timesOf(t, HistoryStats),
  }),
});

export const SeriesInput = builder.inputType('HistorySeriesInput', {
  description: 'One characteristic of one accessory or service group.',
  fields: (t) => inputFieldsOf(t, SeriesName),
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
      ...argumentsOf(t.arg, HistoryQuery.omit({ series: true }), { maxPoints: 'Int' }),
      series: t.arg({ type: [SeriesInput], required: true, description: meaningOf(HistoryQuery.shape.series) }),
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
      ...argumentsOf(t.arg, HomeHistoryChanges.pick({ rawRetentionDays: true }), { rawRetentionDays: 'Float' }),
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
    args: argumentsOf(t.arg, SeriesChanges, { retentionDays: 'Float' }),
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
