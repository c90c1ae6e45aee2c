import type {
  EnergyNow,
  EnergyReport,
  EnergyTariff,
  HomeEnergyTariff,
  SavedEnergyPrices,
} from '../../contract/energy.ts';
import type { Home } from '../../contract/homes.ts';
import { ENERGY_STEPS, TARIFF_KINDS } from '../../home/vocabulary/energy-words.ts';
import { HOME_OPTION } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { defineCommand } from '../define-command.ts';
import { usageError } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';
import type { CommandOutput } from '../output.ts';
import { parseRate, readPrices } from './energy-options.ts';
import { exportTo } from './export-file.ts';

const WINDOW = [
  HOME_OPTION,
  ['--by <step>', 'the step', ['day', ...ENERGY_STEPS.filter((step) => step !== 'day')]],
  ['--from <time>', 'start: a day such as 2026-01-31, or a time'],
  ['--to <time>', 'end: a day such as 2026-01-31, or a time'],
  ['--accessory <accessory>', 'only this accessory'],
] as const;

interface WindowOptions {
  readonly home?: string;
  readonly by: string;
  readonly from?: string;
  readonly to?: string;
  readonly accessory?: string;
}

const now = defineCommand({
  name: 'now',
  description: 'show the power of every device that measures it',
  options: [HOME_OPTION],
  async run({ api, output }, options) {
    const home = await homeOf(api, options);
    const answer = await api.get<EnergyNow>('/rest/energy/now', { home: home.id });
    output.result(answer, () => {
      const rows = answer.meters.map(({ name, watts, measures }) => [name, watts ?? '–', MEASURES[measures]]);
      output.table(['Device', 'Watts', 'Measures'], rows, NO_METERS);
      if (rows.length > 0) output.line(`Together: ${answer.watts} W`);
    });
  },
});

const show = defineCommand({
  name: 'show',
  description: 'show energy and cost by step and by device',
  options: WINDOW,
  async run({ api, output }, options) {
    const { home, query } = await queryOf(api, options);
    const report = await api.get<EnergyReport>('/rest/energy', query);
    output.result(report, () => showReport(output, report, home));
  },
});

const exportEnergy = defineCommand({
  name: 'export',
  description: 'export energy and cost as CSV',
  options: [...WINDOW, ['--file <path>', 'write to this file instead of stdout']],
  async run({ api, output }, options) {
    const { file } = options;
    if (output.json && file === undefined) {
      throw usageError('An export is CSV. Omit --json, or write to a file with --file.');
    }
    const { query } = await queryOf(api, options);
    const download = (write: (text: string) => void) => api.download('/rest/energy/export', query, write);
    if (file === undefined) {
      await download((text) => output.terminal.out(text));
      return;
    }
    await exportTo(file, download);
    output.done({ file }, `Wrote ${file}.`);
  },
});

const tariff = defineCommand({
  name: 'tariff',
  description: 'show what energy costs',
  options: [HOME_OPTION],
  async run({ api, output }, options) {
    const home = await homeOf(api, options);
    const answer = await api.get<HomeEnergyTariff>('/rest/energy/tariff', { home: home.id });
    output.result(answer, () => {
      if (answer.tariffs.length === 0) output.note('No tariff is set.');
      for (const one of answer.tariffs) output.line(tariffText(one));
    });
  },
});

const setTariff = defineCommand({
  name: 'set-tariff',
  description: 'set what energy costs',
  arguments: [
    ['<kind>', 'fixed: one price; times: prices by time of day; spot: prices that a program sends', TARIFF_KINDS],
    ['[rates...]', 'of times: 06:00-22:00=0.36, or sat,sun@00:00-00:00=0.24'],
  ],
  options: [
    HOME_OPTION,
    ['--currency <code>', 'the currency, such as EUR', 'EUR'],
    ['--price <price>', 'the price of a kilowatt-hour; of spot: where no spot price is known', Number],
    ['--since <day>', 'the day from which it applies; to all energy if left out'],
  ],
  async run({ api, output }, kind, rates, { home: text, currency, price, since }) {
    const home = await homeOf(api, { ...(text !== undefined && { home: text }) });
    const changed = {
      kind,
      currency,
      rates: rates.map(parseRate),
      ...(price !== undefined && { price }),
      ...(since !== undefined && { since }),
    };
    const answer = await api.send<HomeEnergyTariff>('PUT', `/rest/energy/tariff?home=${home.id}`, changed);
    const saved = answer.tariffs.at(-1);
    output.done(answer, `${home.name}: ${saved ? tariffText(saved) : 'no tariff'}.`);
  },
});

const removeTariff = defineCommand({
  name: 'remove-tariff',
  description: 'remove all tariffs',
  options: [HOME_OPTION],
  async run({ api, output }, options) {
    const home = await homeOf(api, options);
    const answer = await api.send<HomeEnergyTariff>('DELETE', `/rest/energy/tariff?home=${home.id}`);
    output.done(answer, `${home.name} has no tariff.`);
  },
});

const prices = defineCommand({
  name: 'prices',
  description: 'send spot prices from a JSON file: [{"from": …, "to": …, "price": 0.21}]',
  arguments: [['<file>', 'a file, or - for stdin']],
  options: [HOME_OPTION],
  async run({ api, output }, file, options) {
    const home = await homeOf(api, options);
    const list = readPrices(file);
    const saved = await api.send<SavedEnergyPrices>('PUT', `/rest/energy/prices?home=${home.id}`, list);
    const { from, to, quarters } = saved;
    const [start, end] = [from, to].map((at) => output.when(at, home.timeZone));
    output.done(saved, `Saved the prices of ${quarters / QUARTERS_PER_HOUR} hours, from ${start} to ${end}.`);
  },
});

/** `hearthd energy …`: what devices use, and what it costs. */
export const energyCommand = defineCommand({
  name: 'energy',
  description: 'show energy and cost, and set the tariff',
  examples: [
    'hearthd energy now',
    'hearthd energy show --by month',
    'hearthd energy set-tariff fixed --price 0.34 --currency EUR',
    'hearthd energy set-tariff times 06:00-22:00=0.36 22:00-06:00=0.24',
    'hearthd energy prices tomorrow.json',
    'hearthd energy export --by hour --from 2026-01-01 --file energy.csv',
  ],
  commands: [now, show, exportEnergy, tariff, setTariff, removeTariff, prices],
});

const QUARTERS_PER_HOUR = 4;
const NO_METERS = 'No device of this home measures energy.';
const MEASURES = { power: 'power', total: 'energy', both: 'power and energy' } as const;

async function homeOf(api: ApiClient, { home }: { readonly home?: string }): Promise<Home> {
  return (await loadInventory(api)).home(home);
}

async function queryOf(api: ApiClient, { home: text, accessory, by, from, to }: WindowOptions) {
  const inventory = await loadInventory(api);
  const home = inventory.home(text);
  const accessoryId = accessory === undefined ? undefined : inventory.accessory(accessory).id;
  return { home, query: { home: home.id, by, from, to, accessory: accessoryId } };
}

function showReport(output: CommandOutput, report: EnergyReport, { timeZone }: Home): void {
  const { buckets, devices, currency } = report;
  const cells = (kwh: number, cost: number | null) => [kwh.toFixed(3), cost === null ? '' : cost.toFixed(2)];
  const heads = ['kWh', currency ?? 'Cost'];
  const steps = buckets.map(({ start, kwh, cost }) => [output.when(start, timeZone), ...cells(kwh, cost)]);
  output.table(['From', ...heads], steps, NO_METERS);
  output.line('');
  const rows = devices.map(({ name, kwh, cost, share }) => [name, ...cells(kwh, cost), `${Math.round(share * 100)} %`]);
  output.table(['Device', ...heads, 'Share'], rows, NO_METERS);
  const cost = report.cost === null ? '' : `, ${report.cost.toFixed(2)} ${currency}`;
  output.line(`Together: ${report.kwh.toFixed(3)} kWh${cost}`);
  if (report.unpricedKwh > 0) output.note(`${report.unpricedKwh.toFixed(3)} kWh have no price.`);
}

/** `since 2030-01-01: 0.36 EUR 06:00–22:00, …` */
function tariffText({ since, kind, price, currency, rates }: EnergyTariff): string {
  const from = since === null ? '' : `since ${since}: `;
  if (kind === 'fixed') return `${from}${price} ${currency} per kWh`;
  if (kind === 'spot') return `${from}spot prices in ${currency}${price === null ? '' : `, else ${price}`}`;
  const parts = rates.map((rate) => {
    const days = rate.days.length === DAYS_A_WEEK ? '' : `${rate.days.join(', ')} `;
    return `${rate.price} ${days}${rate.start}–${rate.end}`;
  });
  return `${from}${currency} per kWh: ${parts.join('; ')}`;
}

const DAYS_A_WEEK = 7;
