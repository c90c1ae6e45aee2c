/**
 * The history report of one accessory (API §4.1.2), for natural requests: finds the accessory by a part of its name,
 * picks the most informative series over the last hours, and summarizes them in a sentence.
 */
import { ReportQuery } from '../../contract/history.ts';
import { parseInput } from '../../contract/parse.ts';
import type { Home } from '../../home/model.ts';
import { slugKey } from '../../home/slug.ts';
import { shorten } from '../../home/vocabulary/values.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { AppDeps } from '../access/app-deps.ts';
import type { Caller } from '../access/caller.ts';
import { isKnown, type SeriesData } from './history-query.ts';
import type { HistorySettings } from './history-settings.ts';
import type { HistoryStore } from './history-store.ts';
import {
  type RecordableCharacteristic,
  type RecordedThing,
  type RecordedThings,
  recordablesOf,
} from './recorded-things.ts';

export interface ReportInput extends Omit<ReportQuery, 'accessory'> {
  readonly accessory: string | undefined;
  /** Aborts the query when the client has disconnected. */
  readonly signal?: AbortSignal | undefined;
}

export interface HistoryReport {
  readonly home: Home;
  readonly accessory: RecordedThing;
  /** Milliseconds since the epoch. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Empty while the home's history is off. */
  readonly series: readonly (SeriesData & { readonly characteristicType: string })[];
  /** Human-readable summary. */
  readonly message: string;
}

/** What a report must read. */
export interface PreparedReport {
  readonly home: Home;
  readonly accessory: RecordedThing;
  readonly hours: number;
  readonly window: { readonly fromMs: number; readonly toMs: number; readonly maxPoints: number };
  readonly picked: readonly RecordableCharacteristic[];
}

/** API §8: number of history characteristics returned if none is named. */
const MAX_SERIES = 6;
const HOUR_MS = 3_600_000;

interface Deps extends AppDeps<'state' | 'access' | 'clock'> {
  readonly settings: HistorySettings;
  readonly store: HistoryStore;
  readonly things: RecordedThings;
}

export class HistoryReports {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * @throws `invalid_request` · `invalid_value` · `home_not_found` · `accessory_not_found` ·
   *         `characteristic_not_found`
   */
  prepare(caller: Caller, { signal: _, ...input }: ReportInput): PreparedReport {
    const text = input.accessory?.trim();
    if (!text) {
      throw new HearthError(
        'invalid_request',
        'accessory parameter required: give the name, the key or the id of an accessory.',
        { field: 'accessory' },
      );
    }
    const { hours, max_points: maxPoints } = parseInput(ReportQuery, input);
    const { home, accessory } = this.#find(caller, text, input.home?.trim() || undefined);
    const picked = input.characteristic
      ? [this.#deps.things.resolve(accessory, input.characteristic)]
      : this.#mostUseful(accessory);
    const toMs = this.#deps.clock.now();
    const window = { fromMs: Math.max(0, toMs - Math.round(hours * HOUR_MS)), toMs, maxPoints };
    return { home, accessory, hours, window, picked: this.#isEnabled(home) ? picked : [] };
  }

  finish(
    { home, accessory, hours, window }: PreparedReport,
    series: readonly (SeriesData & { readonly characteristicType: string })[],
  ): HistoryReport {
    const { fromMs, toMs } = window;
    return { home, accessory, fromMs, toMs, series, message: this.#message(home, accessory, hours, series) };
  }

  #message({ id, name }: Home, accessory: RecordedThing, hours: number, series: readonly SeriesData[]): string {
    if (!this.#deps.settings.isEnabled(id)) {
      return `Nothing is recorded: history is opt-in, and off in ${name}. Turn it on with "hearthd history enable", or PATCH /rest/history/homes/${id} with {"enabled": true}.`;
    }
    if (series.length === 0) return `${accessory.name} has nothing that is recorded.`;
    const known = series.filter(isKnown).length;
    return `${known} of ${series.length} characteristics have recorded history in the last ${hours}h`;
  }

  #isEnabled({ id }: Home): boolean {
    return this.#deps.settings.isEnabled(id);
  }

  #find(caller: Caller, text: string, homeText: string | undefined): { home: Home; accessory: RecordedThing } {
    const homes = this.#homes(caller, homeText);
    const candidates = homes.flatMap((home) =>
      this.#deps.things.list(caller, home.id).map((accessory) => ({ home, accessory })),
    );
    const wanted = text.toLowerCase();
    for (const matches of MATCHES) {
      const found = candidates.find(({ accessory }) => matches(accessory, wanted));
      if (found) return found;
    }
    const where = homes.map(({ name }) => `"${name}"`).join(', ');
    throw new HearthError('accessory_not_found', `No accessory matches "${shorten(text)}" in home ${where}`, {
      field: 'accessory',
    });
  }

  #homes(caller: Caller, text: string | undefined): readonly Home[] {
    const { principal } = caller;
    const { access, state } = this.#deps;
    const visible =
      principal.kind === 'share_link'
        ? state.homes().filter(({ id }) => principal.homeIds.has(id))
        : access.visibleHomes(caller, state.homes());
    if (visible.length === 0) throw new HearthError('home_not_found', 'No homes found');
    if (text === undefined) return visible;
    const wanted = text.toLowerCase();
    const matching = visible.filter((home) => MATCHES.some((matches) => matches(home, wanted)));
    if (matching.length > 0) return matching;
    throw new HearthError('home_not_found', `No home matches "${shorten(text)}"`, { field: 'home' });
  }

  /** Recorded characteristics first, then recordable ones. */
  #mostUseful(thing: RecordedThing): readonly RecordableCharacteristic[] {
    const { store, settings } = this.#deps;
    const rows = store.seriesOf(thing.homeId).filter(({ accessoryId }) => accessoryId === thing.id);
    const stored = new Set(rows.map(({ characteristic }) => characteristic));
    const all = recordablesOf(thing, stored).map((recordable) => ({
      recordable,
      isStored: stored.has(recordable.characteristic),
    }));
    const wanted = ({ characteristic, row }: RecordableCharacteristic): boolean =>
      settings.series(thing.homeId, thing.id, characteristic, row).enabled;
    const picked = all
      .filter(({ recordable, isStored }) => isStored || wanted(recordable))
      .sort((a, b) => Number(b.isStored) - Number(a.isStored))
      .slice(0, MAX_SERIES);
    return picked.map(({ recordable }) => recordable).sort((a, b) => a.row.rank - b.row.rank);
  }
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Exact matches first, so that "Lamp" does not match "Floor Lamp". @param wanted in lower case */
const MATCHES: readonly ((named: Named, wanted: string) => boolean)[] = [
  ({ id }, wanted) => id === wanted,
  ({ id, name }, wanted) => slugKey(name, id) === wanted,
  ({ name }, wanted) => name.toLowerCase() === wanted,
  ({ id, name }, wanted) => slugKey(name, id).includes(wanted),
  ({ name }, wanted) => name.toLowerCase().includes(wanted),
];
