/**
 * Records the state of homes whose history is on. It listens to state changes and passes those worth keeping to the
 * buffer. It is not called on state changes, and its errors never reach the home.
 *
 * A series is one characteristic of one accessory or service group. The first value is always recorded. A later value
 * is recorded if it differs by at least the deadband from the last *recorded* one and the interval since that one is
 * over. A change that comes too early is held, and the value at the end of the interval is evaluated then. A value
 * known when recording begins (at start, when recording is turned on, when a device returns) is evaluated like a
 * change, so that no series begins with a gap and none repeats its last value.
 */
import { characteristicName } from '../../hap-spec/characteristics.ts';
import type { HomeEvents } from '../../home/events.ts';
import { asAccessory } from '../../home/group-accessory.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import type { Accessory, HapId, Service } from '../../home/model.ts';
import { bindingsOf } from '../../home/vocabulary/bindings.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { recordable } from './catalog.ts';
import type { HistorySettings } from './history-settings.ts';
import type { HistoryStore, SeriesKey } from './history-store.ts';
import { SampleBuffer } from './sample-buffer.ts';
import { SeriesTrack } from './series-track.ts';

/** Members of a group switch one after the other; the group is evaluated once they have finished. */
const GROUP_SETTLE_MS = 100;

/** Maps the characteristics of an accessory to their series. */
interface RecordingPlan {
  /** The service list the plan was built from; another list needs another plan. */
  readonly services: readonly Service[];
  readonly byIid: ReadonlyMap<HapId, SeriesTrack>;
}

interface Deps extends HomeDeps<'state' | 'bus' | 'clock' | 'logger'> {
  readonly store: HistoryStore;
  readonly settings: HistorySettings;
}

export class HistoryRecorder implements Startable {
  readonly #deps: Deps;
  readonly #buffer: SampleBuffer;
  /** By the id of the accessory or group, then by characteristic. */
  readonly #tracks = new Map<string, Map<string, SeriesTrack>>();
  readonly #plans = new Map<string, RecordingPlan>();
  /** Groups by the ids of their members; rebuilt when a layout changes. */
  #groups: ReadonlyMap<string, readonly string[]> | undefined;
  readonly #settling = new Map<string, () => void>();
  #subscriptions: (() => void)[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#buffer = new SampleBuffer(deps);
  }

  start(): void {
    const { bus, settings, state } = this.#deps;
    this.#subscriptions = [
      bus.on('state.changed', (change) => this.#changed(change)),
      bus.on('accessory.added', ({ accessoryId }) => this.#takeStock(accessoryId)),
      bus.on('accessory.removed', ({ accessoryId }) => this.#forget(accessoryId)),
      bus.on('accessory.reachability_changed', ({ accessoryId }) => this.#takeStock(accessoryId)),
      bus.on('accessory.reachability_settled', ({ accessoryId }) => this.#takeStock(accessoryId)),
      bus.on('layout.changed', ({ homeId }) => this.#layoutChanged(homeId)),
      settings.onChanged((homeId) => this.#settingsChanged(homeId)),
    ];
    for (const { id } of state.homes()) this.#takeStockOfHome(id);
  }

  /** Held values are evaluated again at the next start. */
  stop(): void {
    for (const unsubscribe of this.#subscriptions.splice(0)) unsubscribe();
    for (const cancel of this.#settling.values()) cancel();
    this.#settling.clear();
    for (const id of [...this.#tracks.keys()]) this.#forget(id);
    this.#buffer.stop();
  }

  /** Number of readings not written yet. */
  get waiting(): number {
    return this.#buffer.size;
  }

  /** Writes the buffered readings, so that a query sees them. Never throws: on an error they stay buffered. */
  flush(): void {
    this.#buffer.flush();
  }

  /** As `SampleBuffer.discard`. */
  discard(unwanted: (series: SeriesKey, at: number) => boolean): number {
    return this.#buffer.discard(unwanted);
  }

  #changed({ homeId, accessoryId, iid, type, value, at }: HomeEvents['state.changed']): void {
    if (!this.#deps.settings.isEnabled(homeId) || !recordable(type)) return;
    const accessory = this.#deps.state.accessory(accessoryId);
    if (!accessory) return;
    this.#planOf(accessory).byIid.get(iid)?.take(value, at);
    this.#settleGroupsOf(accessoryId);
  }

  #layoutChanged(homeId: string): void {
    const { settings, state } = this.#deps;
    this.#groups = undefined;
    if (!settings.isEnabled(homeId)) return;
    for (const id of [...this.#tracks.keys()]) {
      // No event reports the deletion of a group.
      if (!state.accessory(id) && !state.serviceGroups.find(id)) this.#forget(id);
    }
    for (const { id, services } of state.accessories(homeId)) {
      // A device update may have added characteristics.
      if (this.#plans.get(id)?.services !== services) this.#takeStock(id);
    }
    for (const { id } of state.serviceGroups.list(homeId)) this.#settle(id);
  }

  #settingsChanged(homeId: string): void {
    for (const [id, tracks] of [...this.#tracks]) {
      const [first] = tracks.values();
      if (first?.series.homeId === homeId) this.#forget(id);
    }
    this.#plans.clear();
    this.#takeStockOfHome(homeId);
  }

  // — known values —

  #takeStockOfHome(homeId: string): void {
    if (!this.#deps.settings.isEnabled(homeId)) return;
    for (const { id } of this.#deps.state.accessories(homeId)) this.#takeStock(id);
    for (const { id } of this.#deps.state.serviceGroups.list(homeId)) this.#settle(id);
  }

  /** Values of an accessory that is unreachable, or has not answered since the start, are only cached. */
  #takeStock(accessoryId: string): void {
    const accessory = this.#deps.state.accessory(accessoryId);
    if (!accessory || !this.#deps.settings.isEnabled(accessory.homeId)) return;
    this.#settleGroupsOf(accessory.id);
    if (!this.#deps.state.isAnswering(accessoryId)) return;
    const at = this.#deps.clock.now();
    for (const [iid, track] of this.#planOf(accessory).byIid) {
      const known = this.#deps.state.characteristic({ accessoryId, iid });
      if (known) track.take(known.value, at);
    }
  }

  // — groups —

  #settleGroupsOf(accessoryId: string): void {
    this.#groups ??= this.#indexGroups();
    for (const id of this.#groups.get(accessoryId) ?? []) this.#settle(id);
  }

  #indexGroups(): ReadonlyMap<string, readonly string[]> {
    const index = new Map<string, string[]>();
    for (const { id, members } of this.#deps.state.serviceGroups.all()) {
      for (const accessoryId of new Set(members.map((member) => member.accessoryId))) {
        index.set(accessoryId, [...(index.get(accessoryId) ?? []), id]);
      }
    }
    return index;
  }

  #settle(groupId: string): void {
    if (this.#settling.has(groupId)) return;
    const look = (): void => {
      this.#settling.delete(groupId);
      this.#takeStockOfGroup(groupId);
    };
    this.#settling.set(groupId, this.#deps.clock.after(GROUP_SETTLE_MS, look));
  }

  #takeStockOfGroup(groupId: string): void {
    const { state, settings, clock } = this.#deps;
    const group = state.serviceGroups.find(groupId);
    const view = group && asAccessory(group, state);
    if (!group) this.#forget(groupId);
    const isAnswering = group?.members.some(({ accessoryId }) => state.isAnswering(accessoryId));
    if (!view || !isAnswering || !settings.isEnabled(view.homeId)) return;
    const at = clock.now();
    for (const { type, value } of view.services.flatMap(({ characteristics }) => characteristics)) {
      this.#trackOf(view, type, 0)?.take(value, at);
    }
  }

  // — series —

  #planOf(accessory: Accessory): RecordingPlan {
    const known = this.#plans.get(accessory.id);
    if (known?.services === accessory.services) return known;
    const byIid = new Map<HapId, SeriesTrack>();
    for (const [type, places] of bindingsOf(accessory.services).byType) {
      for (const [index, { characteristic }] of places.entries()) {
        const track = this.#trackOf(accessory, type, index);
        if (track && !byIid.has(characteristic.iid)) byIid.set(characteristic.iid, track);
      }
    }
    const plan = { services: accessory.services, byIid };
    this.#plans.set(accessory.id, plan);
    return plan;
  }

  /**
   * The series of a characteristic, if it is recorded.
   * @param index 0 for the service with the plain name, 1 for the one named `…_2`.
   */
  #trackOf({ id, homeId, services }: Accessory, type: string, index: number): SeriesTrack | undefined {
    const row = recordable(type);
    if (!row) return undefined;
    const characteristic = index === 0 ? characteristicName(type) : `${characteristicName(type)}_${index + 1}`;
    const unit = row.unit ?? unitOf(services, type);
    const known = this.#tracks.get(id)?.get(characteristic);
    if (known?.series.unit === unit && known.series.homeId === homeId) return known;
    known?.release();
    const settings = this.#deps.settings.series(homeId, id, characteristic, row);
    if (!settings.enabled) return undefined;
    const series = { homeId, accessoryId: id, characteristic, kind: row.kind, unit };
    const track = new SeriesTrack({ ...this.#deps, buffer: this.#buffer, series, row, settings });
    const tracks = this.#tracks.get(id) ?? new Map<string, SeriesTrack>();
    this.#tracks.set(id, tracks.set(characteristic, track));
    return track;
  }

  /** Drops the in-memory state; recorded samples stay. */
  #forget(id: string): void {
    for (const track of this.#tracks.get(id)?.values() ?? []) track.release();
    this.#tracks.delete(id);
    this.#plans.delete(id);
  }
}

/** The device's own unit, if the catalog has none: a virtual number has the unit its owner set. */
function unitOf(services: readonly Service[], type: string): string | null {
  for (const { characteristics } of services) {
    const unit = characteristics.find((characteristic) => characteristic.type === type)?.unit;
    if (unit !== undefined) return unit;
  }
  return null;
}
