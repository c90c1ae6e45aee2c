import type { HistoryReport, HistorySeries, HomeHistory } from '../../contract/history.ts';
import { HOME_OPTION } from '../action.ts';
import { withQuery } from '../api-client.ts';
import { defineCommand, type Options } from '../define-command.ts';
import { usageError } from '../exit-codes.ts';
import { exportHistory } from './history-export.ts';
import { accessoryIdOf, homeOf, numberOr, parseSpan, pathOf, queryOf, timeOf, zoneOf } from './history-query.ts';
import { showOverview, showValues } from './history-show.ts';

const ACCESSORY_ARGUMENT = ['<accessory>', 'name, slug key or id of an accessory or a service group'] as const;
/** The relay purges in small slices, so that the home is not delayed; ten million values take this long. */
const PURGE_TIMEOUT_MS = 10 * 60_000;

const enableHistory = defineCommand({
  name: 'enable',
  description: 'enable the history of a home, or change its settings',
  options: [
    HOME_OPTION,
    ['--shared', 'show history in share links'],
    ['--no-shared', 'hide history in share links'],
    ['--keep <days>', 'days to keep single values, or "default"; hourly and daily values are kept forever'],
  ],
  async run({ api, output }, options) {
    const home = await homeOf(api, options);
    const { shared, keep } = options;
    const settings = await api.send<HomeHistory>('PATCH', pathOf(home), {
      enabled: true,
      ...(shared !== undefined && { shared }),
      ...(keep !== undefined && { rawRetentionDays: numberOr(keep, '--keep') }),
    });
    output.done(settings, `History is enabled for ${home.name}.`);
  },
});

const disableHistory = defineCommand({
  name: 'disable',
  description: 'disable the history of a home; recorded values stay',
  options: [HOME_OPTION],
  async run({ api, output }, options) {
    const home = await homeOf(api, options);
    const settings = await api.send<HomeHistory>('PATCH', pathOf(home), { enabled: false });
    output.done(settings, `History is disabled for ${home.name}.`);
  },
});

const showHistory = defineCommand({
  name: 'show',
  description: 'show recorded values of an accessory',
  arguments: [
    ACCESSORY_ARGUMENT,
    ['[characteristic]', 'only this characteristic, with all values: current_temperature, on …'],
  ],
  options: [
    ['--home <text>', 'only homes whose name contains this text'],
    ['--last <time>', 'period until now: 12h, 7d, 4w, 1y', '24h'],
    ['--points <count>', 'maximum number of values per series, 10 to 1000'],
  ],
  async run({ api, output }, accessory, characteristic, options) {
    const history = await api.get<HistoryReport>('/rest/history', {
      accessory,
      characteristic,
      home: options.home,
      hours: String(parseSpan(options.last, '--last')),
      max_points: options.points,
    });
    const zone = output.json ? null : await zoneOf(api, history);
    const when = (at: string): string => output.when(at, zone);
    output.result(history, () => {
      output.note(`${history.accessory.name}, ${when(history.from)} to ${when(history.to)}`);
      const [series] = history.series;
      if (characteristic !== undefined && series) showValues(series, zone, output);
      else if (history.series.length > 0) showOverview(history, output);
      output.note(`${history._meta.message}`);
    });
  },
});

const listSeries = defineCommand({
  name: 'series',
  description: 'list recordable series and their settings',
  options: [HOME_OPTION],
  async run({ api, output }, options) {
    const home = await homeOf(api, options);
    output.list(
      await api.get<HistorySeries[]>('/rest/history/series', { home: home.id }),
      (one) => ({
        Accessory: one.accessoryName,
        Series: one.characteristicType,
        Recorded: one.enabled ? 'yes' : 'no',
        Every: `${one.minIntervalS} s`,
        Deadband: one.deadband,
        Kept: `${one.retentionDays} d`,
        Values: one.sampleCount,
        Last: output.when(one.lastAt, home.timeZone),
      }),
      'No recordable series.',
    );
  },
});

const SET_OPTIONS = [
  HOME_OPTION,
  ['--on', 'record this series'],
  ['--off', 'do not record this series'],
  ['--interval <seconds>', 'minimum seconds between two values, or "default"'],
  ['--deadband <size>', 'ignore smaller changes, or "default"'],
  ['--keep <days>', 'days to keep single values, or "default"'],
  ['--reset', 'restore all defaults'],
] as const;

const setSeries = defineCommand({
  name: 'set',
  description: 'change the recording settings of a series',
  arguments: [ACCESSORY_ARGUMENT, ['<characteristic>', 'current_temperature, on, on_2 …']],
  options: SET_OPTIONS,
  async run({ api, output }, text, characteristicType, options) {
    const home = await homeOf(api, options);
    const changes = changesOf(options);
    const accessoryId = await accessoryIdOf(api, home, text);
    const body = { homeId: home.id, accessoryId, characteristicType, ...changes };
    const series = await api.send<HistorySeries>('PATCH', '/rest/history/series', body);
    const { accessoryName, enabled, minIntervalS, deadband, retentionDays } = series;
    const how = enabled
      ? `at most every ${minIntervalS} s, changes of at least ${deadband}, kept ${retentionDays} days`
      : 'not recorded';
    output.done(series, `${accessoryName} ${series.characteristicType}: ${how}.`);
  },
});

const purgeHistory = defineCommand({
  name: 'purge',
  description: 'delete recorded values permanently',
  options: [
    HOME_OPTION,
    ['--accessory <accessory>', 'only this accessory'],
    ['--characteristic <name>', 'only this characteristic'],
    ['--before <time>', 'only values older than a date such as 2026-01-31, or an age such as 90d'],
    ['--all', 'all values of the home'],
  ],
  async run({ api, output }, options) {
    if (options.accessory === undefined && options.before === undefined && !options.all) {
      throw usageError('Pass --accessory, --before, or --all for everything.');
    }
    const query = { ...(await queryOf(api, options)), before: timeOf(options.before, Date.now(), '--before') };
    const path = withQuery('/rest/history', query);
    const answer = await api.send<{ deleted: number }>('DELETE', path, undefined, PURGE_TIMEOUT_MS);
    output.done(answer, `Deleted ${answer.deleted} values.`);
  },
});

const showStats = defineCommand({
  name: 'stats',
  description: 'show the size of the history',
  options: [HOME_OPTION],
  async run({ api, output }, options) {
    const home = await homeOf(api, options);
    const settings = await api.get<HomeHistory>(pathOf(home));
    const { seriesCount, sampleRows, rollupRows, estBytes, oldestAt } = settings.stats;
    const rows = [
      ['recorded', settings.enabled ? 'yes' : 'no'],
      ['shown in share links', settings.shared ? 'yes' : 'no'],
      ['series', seriesCount],
      ['values', sampleRows],
      ['hours and days', rollupRows],
      ['on the disk', `${(estBytes / 1e6).toFixed(1)} MB`],
      ['oldest', output.when(oldestAt, home.timeZone)],
    ] as const;
    output.result(settings, () => output.table([home.name, ''], rows, ''));
  },
});

/** `hearthd history …`: recorded values and recording settings. */
export const historyCommand = defineCommand({
  name: 'history',
  description: 'record history, show, export or purge it',
  examples: [
    'hearthd history enable',
    'hearthd history show Thermostat --last 7d',
    'hearthd history set Lamp hue --on --keep 30',
    'hearthd history export --from 2026-01-01 --file january.csv',
    'hearthd history purge --before 1y',
  ],
  commands: [enableHistory, disableHistory, showHistory, listSeries, setSeries, exportHistory, purgeHistory, showStats],
});

function changesOf({ on, off, interval, deadband, keep, reset }: Options<typeof SET_OPTIONS>): object {
  if (on && off) throw usageError('Pass either --on or --off.');
  const changes = {
    ...(reset && { enabled: null, minIntervalS: null, deadband: null, retentionDays: null }),
    ...((on || off) && { enabled: on === true }),
    ...(interval !== undefined && { minIntervalS: numberOr(interval, '--interval') }),
    ...(deadband !== undefined && { deadband: numberOr(deadband, '--deadband') }),
    ...(keep !== undefined && { retentionDays: numberOr(keep, '--keep') }),
  };
  if (Object.keys(changes).length > 0) return changes;
  throw usageError('Pass --on, --off, --interval, --deadband, --keep or --reset.');
}
