/**
 * The recording settings, in memory: the recorder reads them at every change of state. Every change is stored first.
 * `history.ts` checks permissions.
 */
import type { Clock } from '../../kernel/clock.ts';
import { type CatalogRow, recordable } from './catalog.ts';
import type { HistorySettingsStore, HomeHistory, SeriesOverride } from './history-settings-store.ts';

export type { HomeHistory, SeriesOverride } from './history-settings-store.ts';

export const DEFAULT_RETENTION_DAYS = 90;

/** Effective settings of a series: the catalog's row with the user's overrides. */
export interface SeriesSettings {
  readonly enabled: boolean;
  readonly minIntervalMs: number;
  readonly deadband: number;
  readonly retentionDays: number;
}

export class HistorySettings {
  readonly #store: HistorySettingsStore;
  readonly #clock: Clock;
  readonly #homes = new Map<string, HomeHistory>();
  readonly #overrides = new Map<string, SeriesOverride>();
  readonly #listeners = new Set<(homeId: string) => void>();

  readonly #maxBytes: () => number;

  constructor(deps: { store: HistorySettingsStore; clock: Clock; maxBytes: () => number }) {
    this.#maxBytes = deps.maxBytes;
    this.#store = deps.store;
    this.#clock = deps.clock;
  }

  /** Maximum size of the whole history, in bytes, before the oldest samples are pruned. */
  get maxBytes(): number {
    return this.#maxBytes();
  }

  /** Loads the stored settings. */
  start(): void {
    this.#homes.clear();
    this.#overrides.clear();
    for (const home of this.#store.homes()) this.#homes.set(home.homeId, home);
    for (const override of this.#store.overrides()) this.#overrides.set(keyOf(override), override);
  }

  stop(): void {
    // Everything is stored already.
  }

  isEnabled(homeId: string): boolean {
    return this.#homes.get(homeId)?.enabled ?? false;
  }

  /** Off by default. */
  home(homeId: string): HomeHistory {
    return this.#homes.get(homeId) ?? { homeId, enabled: false, shared: false, rawRetentionDays: null };
  }

  setHome(homeId: string, changes: Partial<Omit<HomeHistory, 'homeId'>>): HomeHistory {
    const home = { ...this.home(homeId), ...changes };
    this.#store.putHome(home, this.#clock.now());
    this.#homes.set(homeId, home);
    this.#notify(homeId);
    return home;
  }

  /** Effective settings of a series. @param characteristic numbered or not. */
  series(homeId: string, accessoryId: string, characteristic: string, row?: CatalogRow): SeriesSettings {
    const catalog = row ?? recordable(characteristic);
    const override = this.#override(accessoryId, characteristic);
    return {
      enabled: override?.enabled ?? catalog?.byDefault ?? false,
      minIntervalMs: override?.minIntervalMs ?? catalog?.minIntervalMs ?? 0,
      deadband: override?.deadband ?? catalog?.deadband ?? 0,
      retentionDays: override?.retentionDays ?? this.home(homeId).rawRetentionDays ?? DEFAULT_RETENTION_DAYS,
    };
  }

  #override(accessoryId: string, characteristic: string): SeriesOverride | undefined {
    return this.#overrides.get(keyOf({ accessoryId, characteristic }));
  }

  /** Changes the given settings. A series without any override is deleted. */
  setSeries(
    key: Pick<SeriesOverride, 'homeId' | 'accessoryId' | 'characteristic'>,
    changes: Partial<Pick<SeriesOverride, 'enabled' | 'minIntervalMs' | 'deadband' | 'retentionDays'>>,
  ): SeriesSettings {
    const { homeId, accessoryId, characteristic } = key;
    const plain = { enabled: null, minIntervalMs: null, deadband: null, retentionDays: null };
    const override = { ...plain, ...this.#override(accessoryId, characteristic), ...key, ...changes };
    const { enabled, minIntervalMs, deadband, retentionDays } = override;
    if ([enabled, minIntervalMs, deadband, retentionDays].every((value) => value === null)) {
      this.#store.removeOverride(accessoryId, characteristic);
      this.#overrides.delete(keyOf(key));
    } else {
      this.#store.putOverride(override);
      this.#overrides.set(keyOf(key), override);
    }
    this.#notify(homeId);
    return this.series(homeId, accessoryId, characteristic);
  }

  /** Calls `listener` with the home whose settings changed. @returns the unsubscribe function. */
  onChanged(listener: (homeId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(homeId: string): void {
    for (const listener of [...this.#listeners]) listener(homeId);
  }
}

function keyOf({ accessoryId, characteristic }: Pick<SeriesOverride, 'accessoryId' | 'characteristic'>): string {
  return `${accessoryId} ${characteristic}`;
}
