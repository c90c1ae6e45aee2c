/**
 * Energy as operations: the power now, the energy counted by hour, day, week and month, its cost, and the tariffs.
 * Reading requires view access to the home, tariffs and prices an admin. A share link shows no energy.
 */
import {
  type EnergyMeter,
  type EnergyNow,
  EnergyQuery,
  type EnergyTariff,
  NewEnergyPrices,
  NewEnergyTariff,
  PriceQuery,
} from '../../contract/energy.ts';
import { parseInput } from '../../contract/parse.ts';
import type { Accessory, HapId, Home } from '../../home/model.ts';
import { zoneOf } from '../../home/schedule/time-zones.ts';
import type { EnergyStep } from '../../home/vocabulary/energy-words.ts';
import { parseIsoTime } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { type AccessLevel, notFound } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { QueryLine, QueryWork } from '../history/query-work.ts';
import { csvOf } from './energy-export.ts';
import type { EnergyRecorder } from './energy-recorder.ts';
import { type EnergyResult, stepsOf, sumEnergy } from './energy-report.ts';
import { startOfStep, stepsBefore } from './energy-steps.ts';
import type { EnergyStore, MeterRow, QuarterPrice } from './energy-store.ts';
import { type Meter, meterName, metersOf } from './meters.ts';
import { floorToQuarter, QUARTER_MS } from './quarters.ts';
import { beginningOf, isDay, Prices, requireValidTariff, startOfDay } from './tariff.ts';
import type { TariffStore } from './tariff-store.ts';

export interface HomeTariffs {
  readonly homeId: string;
  readonly tariff: EnergyTariff | null;
  readonly tariffs: readonly EnergyTariff[];
}

/** What is asked for where no beginning is given: so many steps before the current one. */
const USUAL_STEPS: Readonly<Record<EnergyStep, number>> = { hour: 23, day: 29, week: 11, month: 11 };
const MAX_STEPS = 800;
/** What is kept is about three years. */
const MAX_WINDOW_MS = 4 * 366 * 24 * 3_600_000;
const MAX_PRICE_SPAN_MS = 40 * 24 * 3_600_000;
/** Times before and after these are no times of a meter. */
const EARLIEST_MS = Date.UTC(2000, 0, 1);
const LATEST_MS = Date.UTC(2200, 0, 1);

interface EnergyDeps extends AppDeps<'state' | 'access' | 'clock'> {
  readonly store: EnergyStore;
  readonly tariffStore: TariffStore;
  readonly recorder: Pick<EnergyRecorder, 'flush'>;
}

interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

export class Energy {
  readonly #deps: EnergyDeps;
  readonly #line = new QueryLine();

  constructor(deps: EnergyDeps) {
    this.#deps = deps;
  }

  /** The power now, and every meter of a home. Requires view access. @throws `home_not_found` */
  now(caller: Caller, homeId: string): EnergyNow {
    const home = this.#home(caller, 'view', homeId);
    const meters = this.#deps.state
      .accessories(home.id)
      .filter(({ vanishedAt }) => vanishedAt === null)
      .flatMap((accessory) => this.#metersNow(accessory))
      .sort((a, b) => (b.watts ?? -1) - (a.watts ?? -1) || a.name.localeCompare(b.name));
    return { homeId: home.id, watts: tenths(meters.reduce((sum, { watts }) => sum + (watts ?? 0), 0)), meters };
  }

  /**
   * The energy of a home by step and by meter. Requires view access.
   * @throws `home_not_found` · `accessory_not_found` it has no meter in this home · `invalid_value` · `rate_limited` ·
   *         `storage_unavailable`
   */
  async report(caller: Caller, query: EnergyQuery, { signal }: Abortable = {}): Promise<EnergyResult> {
    const home = this.#home(caller, 'view', query.home);
    const { by, accessory, ...window } = parseInput(EnergyQuery, query);
    const { from, to } = this.#window(home, by, window);
    const zone = zoneOf(home);
    this.#deps.recorder.flush();
    const meters = this.#metersOf(home, accessory);
    const tariffs = this.#deps.tariffStore.list(home.id);
    const work = new QueryWork(this.#line, signal);
    try {
      const steps = stepsOf(by, from, to, zone);
      const end = steps.at(-1)?.end ?? to;
      const spot = await this.#spotPrices(home.id, tariffs, from, end, work);
      const prices = new Prices(zone, tariffs, spot);
      const sums = await sumEnergy({ store: this.#deps.store, meters, prices, work }, steps);
      const ranked = [...sums.meters].sort((a, b) => b.sum.mwh - a.sum.mwh);
      return {
        ...sums,
        meters: ranked,
        homeId: home.id,
        from,
        to: end,
        by,
        currency: tariffs.at(-1)?.currency ?? null,
      };
    } finally {
      work.end();
    }
  }

  /** The same as CSV (RFC 4180): a line for each step and meter with energy. Permissions and errors as `report`. */
  async export(caller: Caller, query: EnergyQuery, options: Abortable = {}): Promise<string> {
    return csvOf(await this.report(caller, query, options));
  }

  /** The tariffs of a home. Requires view access. @throws `home_not_found` */
  tariff(caller: Caller, homeId: string): HomeTariffs {
    return this.#tariffsOf(this.#home(caller, 'view', homeId));
  }

  /**
   * Sets the tariff of a home from a day on, or for all energy. Requires an admin.
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_value` naming the field: a gap, an overlap
   */
  setTariff(caller: Caller, homeId: string, input: NewEnergyTariff): HomeTariffs {
    const home = this.#home(caller, 'manage', homeId);
    const tariff = parseInput(NewEnergyTariff, input);
    requireValidTariff(tariff);
    this.#requireRoom(home.id, tariff);
    this.#deps.tariffStore.put(home.id, tariff);
    return this.#tariffsOf(home);
  }

  /** Removes every tariff of a home. Requires an admin. @throws `home_not_found` · `insufficient_permissions` */
  removeTariff(caller: Caller, homeId: string): HomeTariffs {
    const home = this.#home(caller, 'manage', homeId);
    this.#deps.tariffStore.removeAll(home.id);
    return this.#tariffsOf(home);
  }

  /**
   * The known spot prices, by quarter of an hour. Requires view access.
   * @throws `home_not_found` · `invalid_value` · `storage_unavailable`
   */
  prices(caller: Caller, query: PriceQuery): readonly QuarterPrice[] {
    const home = this.#home(caller, 'view', query.home);
    const window = parseInput(PriceQuery, query);
    const zone = zoneOf(home);
    const from = this.#moment('from', window.from, zone) ?? startOfStep('day', this.#deps.clock.now(), zone);
    const to = this.#moment('to', window.to, zone) ?? from + MAX_PRICE_SPAN_MS;
    if (to - from > MAX_PRICE_SPAN_MS) throw invalid('to', 'it takes a time at most 40 days after from');
    return [...this.#deps.store.prices(home.id, from, to)].flat();
  }

  /**
   * Replaces the spot prices of the time that the given ones cover. Requires an admin.
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_value` naming the price · `storage_unavailable`
   */
  setPrices(caller: Caller, homeId: string, input: NewEnergyPrices): readonly QuarterPrice[] {
    const home = this.#home(caller, 'manage', homeId);
    const { prices } = parseInput(NewEnergyPrices, input);
    const quarters = new Map<number, number>();
    let covered = 0;
    for (const [index, { from, to, price }] of prices.entries()) {
      const start = quarterOf(from, `prices[${index}].from`);
      const end = quarterOf(to, `prices[${index}].to`);
      if (end <= start) throw invalid(`prices[${index}].to`, 'it takes a time later than from');
      covered += end - start;
      if (covered > MAX_PRICE_SPAN_MS) throw invalid('prices', 'together they cover 40 days at most');
      for (let at = start; at < end; at += QUARTER_MS) {
        if (quarters.has(at)) throw invalid(`prices[${index}].from`, 'an earlier entry has a price for this time');
        quarters.set(at, price);
      }
    }
    const saved = [...quarters].map(([start, price]) => ({ start, price })).sort((a, b) => a.start - b.start);
    this.#deps.store.savePrices(home.id, saved);
    return saved;
  }

  // — parts —

  #metersNow(accessory: Accessory): readonly EnergyMeter[] {
    const { state } = this.#deps;
    const meters = metersOf(accessory.services);
    const reachable = state.isAnswering(accessory.id);
    const wattsAt = (iid: HapId): number | null => {
      const value = state.characteristic({ accessoryId: accessory.id, iid })?.value;
      return reachable && typeof value === 'number' ? tenths(Math.max(0, value)) : null;
    };
    return meters.map((meter) => ({
      accessoryId: accessory.id,
      meter: meter.number,
      name: meterName(accessory.name, meter, meters.length),
      watts: meter.power === null ? null : wattsAt(meter.power),
      measures: measuresOf(meter),
      reachable,
    }));
  }

  /** @param accessoryId only of this accessory; also of one that is gone */
  #metersOf(home: Home, accessoryId: string | undefined): readonly MeterRow[] {
    const all = this.#deps.store.metersOf(home.id);
    if (accessoryId === undefined) return all;
    const id = accessoryId.toLowerCase();
    const own = all.filter((meter) => meter.accessoryId === id);
    if (own.length === 0 && !this.#deps.state.accessoryIn(home.id, id)) throw notFound('accessory_not_found');
    return own;
  }

  #window(home: Home, by: EnergyStep, { from, to }: { readonly from?: string; readonly to?: string }) {
    const zone = zoneOf(home);
    const now = this.#deps.clock.now();
    const end = this.#moment('to', to, zone) ?? Math.max(now, (this.#moment('from', from, zone) ?? 0) + 1);
    const begin = this.#moment('from', from, zone) ?? stepsBefore(by, end - 1, zone, USUAL_STEPS[by]);
    if (begin >= end) throw invalid('to', 'it takes a time later than from');
    const tooMuch = `it takes at most ${MAX_STEPS} steps and four years at once`;
    if (end - begin > MAX_WINDOW_MS) throw invalid('from', tooMuch);
    if (by === 'hour' && end - begin > MAX_STEPS * 3_600_000) throw invalid('from', tooMuch);
    if (by === 'day' && end - begin > MAX_STEPS * 24 * 3_600_000) throw invalid('from', tooMuch);
    return { from: startOfStep(by, begin, zone), to: end };
  }

  /** A day of the home, a time with a zone, or milliseconds. @throws `invalid_value` */
  #moment(field: string, text: string | undefined, zone: string): number | undefined {
    if (text === undefined || text === '') return undefined;
    const at = isDay(text) ? startOfDay(text, zone) : /^\d{1,16}$/.test(text) ? Number(text) : isoOf(text);
    if (at >= EARLIEST_MS && at <= LATEST_MS) return at;
    throw invalid(field, 'it takes a day such as 2030-01-31, or a time such as 2030-01-31T12:00:00Z');
  }

  async #spotPrices(
    homeId: string,
    tariffs: readonly EnergyTariff[],
    from: number,
    to: number,
    work: QueryWork,
  ): Promise<ReadonlyMap<number, number>> {
    const prices = new Map<number, number>();
    if (!tariffs.some(({ kind }) => kind === 'spot')) return prices;
    for (const page of this.#deps.store.prices(homeId, from, to)) {
      for (const { start, price } of page) prices.set(start, price);
      await work.did(page.length);
    }
    return prices;
  }

  #tariffsOf(home: Home): HomeTariffs {
    const tariffs = this.#deps.tariffStore.list(home.id);
    const now = this.#deps.clock.now();
    const tariff = tariffs.findLast((one) => beginningOf(one, zoneOf(home)) <= now) ?? null;
    return { homeId: home.id, tariff, tariffs };
  }

  /** @throws `conflict` */
  #requireRoom(homeId: string, { since }: Pick<EnergyTariff, 'since'>): void {
    const staying = this.#deps.tariffStore.list(homeId).filter((one) => (one.since ?? '') < (since ?? ''));
    if (staying.length < MAX_TARIFFS) return;
    throw new HearthError('conflict', `A home has ${MAX_TARIFFS} tariffs at most.`);
  }

  #home(caller: Caller, action: AccessLevel, id: string): Home {
    return this.#deps.access.authorizeHome(caller, action, this.#deps.state.home(id));
  }
}

const MAX_TARIFFS = 100;

function measuresOf({ power, counter }: Meter): EnergyMeter['measures'] {
  if (counter === null) return 'power';
  return power === null ? 'total' : 'both';
}

function invalid(field: string, reason: string): HearthError {
  return new HearthError('invalid_value', `Invalid value for ${field}: ${reason}.`, { field });
}

const WITH_ZONE = /T.*(Z|[+-]\d{2}:\d{2})$/;

function isoOf(text: string): number {
  return WITH_ZONE.test(text) ? parseIsoTime(text) : Number.NaN;
}

/** @throws `invalid_value` */
function quarterOf(text: string, field: string): number {
  const at = isoOf(text);
  if (at >= EARLIEST_MS && at <= LATEST_MS && floorToQuarter(at) === at) return at;
  throw invalid(field, 'it takes a time on a quarter of an hour, such as 2030-01-31T12:15:00Z');
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
