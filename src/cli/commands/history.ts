import { closeSync, openSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { parseIsoTime } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import { type Cli, examples, HOME_OPTION } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import type { HistoryHomeResource, HistoryResource, HistorySettingsResource, HomeResource } from '../api-resources.ts';
import { CliError, EXIT, usageError } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';
import { showOverview, showValues } from './history-show.ts';

const ACCESSORY_ARGUMENT = ['<accessory>', 'name, slug key or id of an accessory or a service group'] as const;
const FROM_OPTION = ['--from <time>', 'start: a date such as 2026-01-31, a time, or an age such as 7d'] as const;

const HOURS_PER_UNIT: Readonly<Record<string, number>> = { h: 1, d: 24, w: 168, y: 8_784 };
const MS_PER_HOUR = 3_600_000;
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

interface HomeOptions {
  readonly home?: string;
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
        const settings = await api.send<HistoryHomeResource>('PATCH', pathOf(home), {
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
        const settings = await api.send<HistoryHomeResource>('PATCH', pathOf(home), { enabled: false });
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
          const history = await api.get<HistoryResource>('/rest/history', {
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
        const series = await api.send<HistorySettingsResource>('PATCH', '/rest/history/series', body);
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

interface Which extends HomeOptions {
  readonly accessory?: string;
  readonly characteristic?: string;
}

function addExport(command: Command, cli: Cli): void {
  command
    .command('export')
    .description('export values as CSV')
    .option(...HOME_OPTION)
    .option('--accessory <accessory>', 'only this accessory')
    .option('--characteristic <name>', 'only this characteristic')
    .option(...FROM_OPTION)
    .option('--to <time>', 'end: a date, a time or an age')
    .option('--file <path>', 'write to this file instead of stdout')
    .action(
      cli.run(async ({ api, output }, options: Which & { from?: string; to?: string; file?: string }) => {
        if (output.json && options.file === undefined) {
          throw usageError('An export is CSV. Omit --json, or write to a file with --file.');
        }
        const now = Date.now();
        const query = {
          ...(await queryOf(api, options)),
          from: timeOf(options.from, now, '--from'),
          to: timeOf(options.to, now, '--to'),
        };
        const { file } = options;
        if (file === undefined) {
          await exportAll(api, query, (text) => output.terminal.out(text));
          return EXIT.ok;
        }
        const values = await exportTo(file, (write) => exportAll(api, query, write));
        output.result({ file, values }, () => output.line(`Wrote ${values} values to ${file}.`));
        return EXIT.ok;
      }),
    );
}

/** Combines as many exports as needed into one. @returns the number of values. */
async function exportAll(
  api: ApiClient,
  query: Readonly<Record<string, string | undefined>>,
  write: (text: string) => void,
): Promise<number> {
  let lines = 0;
  let cursor: string | undefined;
  do {
    // Each export starts with the header, which only the first one keeps.
    let isInHeader = cursor !== undefined;
    const headers = await api.download('/rest/history/export', { ...query, cursor }, (text) => {
      let rest = text;
      if (isInHeader) {
        const end = text.indexOf('\n');
        if (end < 0) return;
        rest = text.slice(end + 1);
        isInHeader = false;
      }
      lines += rest.split('\n').length - 1;
      write(rest);
    });
    const next = headers['x-next-cursor'];
    cursor = typeof next === 'string' ? next : undefined;
  } while (cursor !== undefined);
  return lines - 1;
}

/** Private to the user: the file reveals when people are at home. */
const FILE_MODE = 0o600;

async function exportTo(path: string, run: (write: (text: string) => void) => Promise<number>): Promise<number> {
  const orSay = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      throw new CliError(EXIT.failed, 'not_written', `Cannot write ${path}: ${messageOf(error)}.`, { cause: error });
    }
  };
  const file = orSay(() => openSync(path, 'w', FILE_MODE));
  try {
    return await run((text) => orSay(() => writeFileSync(file, text)));
  } finally {
    closeSync(file);
  }
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
        const settings = await api.get<HistoryHomeResource>(pathOf(home));
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

/** The zone of the queried item's home; a service group is not in the list of accessories. */
async function zoneOf(api: ApiClient, { accessory }: HistoryResource): Promise<string | null> {
  const house = await loadInventory(api);
  const known = house.accessories.find(({ id }) => id === accessory.id);
  const [only, ...others] = house.homes;
  if (known) return house.zoneOf(known);
  return others.length === 0 ? (only?.timeZone ?? null) : null;
}

async function homeOf(api: ApiClient, { home }: HomeOptions): Promise<HomeResource> {
  return (await loadInventory(api)).home(home);
}

function pathOf({ id }: HomeResource): string {
  return `/rest/history/homes/${id}`;
}

function seriesOf(api: ApiClient, { id }: HomeResource): Promise<readonly HistorySettingsResource[]> {
  return api.get<HistorySettingsResource[]>('/rest/history/series', { home: id });
}

async function queryOf(api: ApiClient, options: Which) {
  const home = await homeOf(api, options);
  const { accessory, characteristic } = options;
  return {
    home: home.id,
    accessory: accessory === undefined ? undefined : await accessoryIdOf(api, home, accessory),
    characteristic,
  };
}

/** Finds accessories and groups; a deleted item's id may still have a history. */
async function accessoryIdOf(api: ApiClient, home: HomeResource, text: string): Promise<string> {
  if (isUuid(text)) return text;
  const { accessory } = await api.get<HistoryResource>('/rest/history', { accessory: text, home: home.id });
  const wanted = text.toLowerCase();
  // Setting and deleting require the full name: a part of a name could match another item.
  if ([accessory.name.toLowerCase(), accessory.key].includes(wanted)) return accessory.id;
  throw usageError(`Use the full name: "${text}" is part of "${accessory.name}".`);
}

/** @returns `null` for "default". */
function numberOr(text: string, flag: string): number | null {
  if (text === 'default') return null;
  const value = Number(text);
  if (text.trim() !== '' && !Number.isNaN(value)) return value;
  throw usageError(`${flag} takes a number or "default", not "${text}".`);
}

/** @returns hours. */
function parseSpan(text: string, flag: string): number {
  const [, count, unit = 'h'] = /^(\d{1,6}(?:\.\d{1,3})?)([hdwy])?$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * (HOURS_PER_UNIT[unit] ?? 1);
  throw usageError(`${flag} takes a time span such as 12h, 7d or 4w, not "${text}".`);
}

/** A date, a time or an age. @returns milliseconds, as a text for the query. */
function timeOf(text: string | undefined, now: number, flag: string): string | undefined {
  if (text === undefined) return undefined;
  if (/^[\d.]+[hdwy]$/.test(text)) return String(Math.max(0, now - parseSpan(text, flag) * MS_PER_HOUR));
  const at = parseIsoTime(text);
  if (!Number.isNaN(at) && at >= 0) return String(at);
  throw usageError(
    `${flag} takes a date such as 2026-01-31, a time such as 2026-01-31T12:00:00Z, or an age such as 7d, not "${text}".`,
  );
}
