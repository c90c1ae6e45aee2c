import { Command } from 'commander';
import type { HistoryReport, HistorySeries, HomeHistory } from '../../contract/history.ts';
import { type Cli, examples, HOME_OPTION } from '../action.ts';
import { EXIT, usageError } from '../exit-codes.ts';
import { addExport } from './history-export.ts';
import {
  accessoryIdOf,
  type HomeOptions,
  homeOf,
  numberOr,
  parseSpan,
  pathOf,
  queryOf,
  seriesOf,
  timeOf,
  type Which,
  zoneOf,
} from './history-query.ts';
import { showOverview, showValues } from './history-show.ts';

const ACCESSORY_ARGUMENT = ['<accessory>', 'name, slug key or id of an accessory or a service group'] as const;
/** The relay purges in small slices, so that the home is not delayed; ten million values take this long. */
const PURGE_TIMEOUT_MS = 10 * 60_000;

/** `hearthd history …`: recorded values and recording settings. */
export function historyCommand(cli: Cli): Command {
  const command = new Command('history')
    .description('record history, show, export or purge it')
    .addHelpText(
      'after',
      examples(
        'hearthd history enable',
        'hearthd history show Thermostat --last 7d',
        'hearthd history set Lamp hue --on --keep 30',
        'hearthd history export --from 2026-01-01 --file january.csv',
        'hearthd history purge --before 1y',
      ),
    );
  for (const add of [addEnable, addDisable, addShow, addSeries, addSet, addExport, addPurge, addStats])
    add(command, cli);
  return command;
}

function addEnable(command: Command, cli: Cli): void {
  command
    .command('enable')
    .description('enable the history of a home, or change its settings')
    .option(...HOME_OPTION)
    .option('--shared', 'show history in share links')
    .option('--no-shared', 'hide history in share links')
    .option('--keep <days>', 'days to keep single values, or "default"; hourly and daily values are kept forever')
    .action(
      cli.run(async ({ api, output }, options: HomeOptions & { shared?: boolean; keep?: string }) => {
        const home = await homeOf(api, options);
        const { shared, keep } = options;
        const settings = await api.send<HomeHistory>('PATCH', pathOf(home), {
          enabled: true,
          ...(shared !== undefined && { shared }),
          ...(keep !== undefined && { rawRetentionDays: numberOr(keep, '--keep') }),
        });
        output.result(settings, () => output.line(`History is enabled for ${home.name}.`));
        return EXIT.ok;
      }),
    );
}

function addDisable(command: Command, cli: Cli): void {
  command
    .command('disable')
    .description('disable the history of a home; recorded values stay')
    .option(...HOME_OPTION)
    .action(
      cli.run(async ({ api, output }, options: HomeOptions) => {
        const home = await homeOf(api, options);
        const settings = await api.send<HomeHistory>('PATCH', pathOf(home), { enabled: false });
        output.result(settings, () => output.line(`History is disabled for ${home.name}.`));
        return EXIT.ok;
      }),
    );
}

function addShow(command: Command, cli: Cli): void {
  command
    .command('show')
    .description('show recorded values of an accessory')
    .argument(...ACCESSORY_ARGUMENT)
    .argument('[characteristic]', 'only this characteristic, with all values: current_temperature, on …')
    .option('--home <text>', 'only homes whose name contains this text')
    .option('--last <time>', 'period until now: 12h, 7d, 4w, 1y', '24h')
    .option('--points <count>', 'maximum number of values per series, 10 to 1000')
    .action(
      cli.run(
        async (
          { api, output },
          accessory: string,
          characteristic: string | undefined,
          options: { home?: string; last: string; points?: string },
        ) => {
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
          return EXIT.ok;
        },
      ),
    );
}

function addSeries(command: Command, cli: Cli): void {
  command
    .command('series')
    .description('list recordable series and their settings')
    .option(...HOME_OPTION)
    .action(
      cli.run(async ({ api, output }, options: HomeOptions) => {
        const home = await homeOf(api, options);
        const series = await seriesOf(api, home);
        const rows = series.map((one) => [
          one.accessoryName,
          one.characteristicType,
          one.enabled ? 'yes' : 'no',
          `${one.minIntervalS} s`,
          one.deadband,
          `${one.retentionDays} d`,
          one.sampleCount,
          output.when(one.lastAt, home.timeZone),
        ]);
        const head = ['Accessory', 'Series', 'Recorded', 'Every', 'Deadband', 'Kept', 'Values', 'Last'];
        output.result(series, () => output.table(head, rows, 'No recordable series.'));
        return EXIT.ok;
      }),
    );
}

interface SetOptions extends HomeOptions {
  readonly on?: true;
  readonly off?: true;
  readonly interval?: string;
  readonly deadband?: string;
  readonly keep?: string;
  readonly reset?: true;
}

function addSet(command: Command, cli: Cli): void {
  command
    .command('set')
    .description('change the recording settings of a series')
    .argument(...ACCESSORY_ARGUMENT)
    .argument('<characteristic>', 'current_temperature, on, on_2 …')
    .option(...HOME_OPTION)
    .option('--on', 'record this series')
    .option('--off', 'do not record this series')
    .option('--interval <seconds>', 'minimum seconds between two values, or "default"')
    .option('--deadband <size>', 'ignore smaller changes, or "default"')
    .option('--keep <days>', 'days to keep single values, or "default"')
    .option('--reset', 'restore all defaults')
    .action(
      cli.run(async ({ api, output }, text: string, characteristicType: string, options: SetOptions) => {
        const home = await homeOf(api, options);
        const changes = changesOf(options);
        const accessoryId = await accessoryIdOf(api, home, text);
        const body = { homeId: home.id, accessoryId, characteristicType, ...changes };
        const series = await api.send<HistorySeries>('PATCH', '/rest/history/series', body);
        const { accessoryName, enabled, minIntervalS, deadband, retentionDays } = series;
        const how = enabled
          ? `at most every ${minIntervalS} s, changes of at least ${deadband}, kept ${retentionDays} days`
          : 'not recorded';
        output.result(series, () => output.line(`${accessoryName} ${series.characteristicType}: ${how}.`));
        return EXIT.ok;
      }),
    );
}

function changesOf({ on, off, interval, deadband, keep, reset }: SetOptions): object {
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

function addPurge(command: Command, cli: Cli): void {
  command
    .command('purge')
    .description('delete recorded values permanently')
    .option(...HOME_OPTION)
    .option('--accessory <accessory>', 'only this accessory')
    .option('--characteristic <name>', 'only this characteristic')
    .option('--before <time>', 'only values older than a date such as 2026-01-31, or an age such as 90d')
    .option('--all', 'all values of the home')
    .action(
      cli.run(async ({ api, output }, options: Which & { before?: string; all?: true }) => {
        if (options.accessory === undefined && options.before === undefined && !options.all) {
          throw usageError('Pass --accessory, --before, or --all for everything.');
        }
        const query = { ...(await queryOf(api, options)), before: timeOf(options.before, Date.now(), '--before') };
        const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
        const answer = await api.send<{ deleted: number }>(
          'DELETE',
          `/rest/history?${new URLSearchParams(given)}`,
          undefined,
          PURGE_TIMEOUT_MS,
        );
        output.result(answer, () => output.line(`Deleted ${answer.deleted} values.`));
        return EXIT.ok;
      }),
    );
}

function addStats(command: Command, cli: Cli): void {
  command
    .command('stats')
    .description('show the size of the history')
    .option(...HOME_OPTION)
    .action(
      cli.run(async ({ api, output }, options: HomeOptions) => {
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
        return EXIT.ok;
      }),
    );
}
