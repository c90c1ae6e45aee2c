/**
 * Records what the home does, where its owner wants that: listens to changes of state and hands those worth keeping to the
 * buffer. Nobody calls it when state changes, and nothing that goes wrong in it reaches the home.
 *
 * A series is one characteristic of one accessory or service group. Its first value is always recorded; then a value is, if it is
 * at least the deadband away from the last *recorded* one, and not before the interval since that one is over: a change that comes
 * too early is held, and the value that stands when the interval ends is judged then. What is known already when recording begins
 * (at the start, when it is switched on, when a device comes back) is judged like a change, so that no series begins with a gap
 * and none repeats what it said last.
 */
import { characteristicName } from '../../hap-spec/characteristics.ts';
import type { HomeEvents } from '../../home/events.ts';
import { asAccessory } from '../../home/group-accessory.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory, HapId, Service } from '../../home/model.ts';
import { bindingsOf } from '../../home/vocabulary/bindings.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { Logger } from '../../kernel/logger.ts';
import { recordable } from './catalog.ts';
import type { HistorySettings } from './history-settings.ts';
import type { HistoryStore, SeriesKey } from './history-store.ts';
import { SampleBuffer } from './sample-buffer.ts';
import { SeriesTrack } from './series-track.ts';

/** Members of a group switch one after the other: what the group does is looked at once they are through. */
const GROUP_SETTLE_MS = 100;

/** Which series the characteristics of an accessory feed. */
interface Plan {
  /** The list that the plan was made of: another one needs another plan. */
  readonly services: readonly Service[];
  readonly byIid: ReadonlyMap<HapId, SeriesTrack>;
}

interface Parts {
  readonly store: HistoryStore;
  readonly settings: HistorySettings;
  readonly state: HomeState;
  readonly bus: EventBus<HomeEvents>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class HistoryRecorder implements Startable {
  readonly #parts: Parts;
  readonly #buffer: SampleBuffer;
  /** By the id of the accessory or group, then by characteristic. */
  readonly #tracks = new Map<string, Map<string, SeriesTrack>>();
  readonly #plans = new Map<string, Plan>();
  /** Groups by the ids of their members; made anew when a layout changes. */
  #groups: ReadonlyMap<string, readonly string[]> | undefined;
  readonly #settling = new Map<string, () => void>();
  #subscriptions: (() => void)[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#buffer = new SampleBuffer(parts);
  }

  start(): void {
    const { bus, settings, state } = this.#parts;
    this.#subscriptions = [
      bus.on('state.changed', (change) => this.#changed(change)),
      bus.on('accessory.added', ({ accessoryId }) => this.#takeStock(accessoryId)),
      bus.on('accessory.removed', ({ accessoryId }) => this.#forget(accessoryId)),
      bus.on('accessory.reachability_changed', ({ accessoryId }) => this.#takeStock(accessoryId)),
      bus.on('layout.changed', ({ homeId }) => this.#layoutChanged(homeId)),
      settings.onChanged((homeId) => this.#settingsChanged(homeId)),
    ];
    for (const { id } of state.homes()) this.#takeStockOfHome(id);
  }

  /** What is held back is judged anew at the next start. */
  stop(): void {
    for (const unsubscribe of this.#subscriptions.splice(0)) unsubscribe();
    for (const cancel of this.#settling.values()) cancel();
    this.#settling.clear();
    for (const id of [...this.#tracks.keys()]) this.#forget(id);
    this.#buffer.stop();
  }

  /** How many readings are not written yet. */
  get waiting(): number {
    return this.#buffer.size;
  }

  /** Writes what was recorded so far, so that it can be read. Never throws: what can't be written waits. */
  flush(): void {
    this.#buffer.flush();
  }

  /** As `SampleBuffer.discard`. */
  discard(unwanted: (series: SeriesKey, at: number) => boolean): number {
    return this.#buffer.discard(unwanted);
  }

  #changed({ homeId, accessoryId, iid, type, value, at }: HomeEvents['state.changed']): void {
    if (!this.#parts.settings.isEnabled(homeId) || !recordable(type)) return;
    const accessory = this.#parts.state.accessory(accessoryId);
    if (!accessory) return;
    this.#planOf(accessory).byIid.get(iid)?.take(value, at);
    this.#settleGroupsOf(accessoryId);
  }

  #layoutChanged(homeId: string): void {
    const { settings, state } = this.#parts;
    this.#groups = undefined;
    if (!settings.isEnabled(homeId)) return;
    for (const id of [...this.#tracks.keys()]) {
      // No event says that a group is gone.
      if (!state.accessory(id) && !state.serviceGroups.find(id)) this.#forget(id);
    }
    for (const { id, services } of state.accessories(homeId)) {
      // A device that was updated may have characteristics that it had not before.
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

  // — what is known already —

  #takeStockOfHome(homeId: string): void {
    if (!this.#parts.settings.isEnabled(homeId)) return;
    for (const { id } of this.#parts.state.accessories(homeId)) this.#takeStock(id);
    for (const { id } of this.#parts.state.serviceGroups.list(homeId)) this.#settle(id);
  }

  /** Values of what can't be reached are only remembered. */
  #takeStock(accessoryId: string): void {
    const accessory = this.#parts.state.accessory(accessoryId);
    if (!accessory || !this.#parts.settings.isEnabled(accessory.homeId)) return;
    this.#settleGroupsOf(accessory.id);
    if (!accessory.reachable) return;
    const at = this.#parts.clock.now();
    for (const [iid, track] of this.#planOf(accessory).byIid) {
      const known = this.#parts.state.characteristic({ accessoryId, iid });
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
    for (const { id, members } of this.#parts.state.serviceGroups.all()) {
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
    this.#settling.set(groupId, this.#parts.clock.after(GROUP_SETTLE_MS, look));
  }

  #takeStockOfGroup(groupId: string): void {
    const { state, settings, clock } = this.#parts;
    const group = state.serviceGroups.find(groupId);
    const view = group && asAccessory(group, state);
    if (!group) this.#forget(groupId);
    if (!view?.reachable || !settings.isEnabled(view.homeId)) return;
    const at = clock.now();
    for (const { type, value } of view.services.flatMap(({ characteristics }) => characteristics)) {
      this.#trackOf(view, type, 0)?.take(value, at);
    }
  }

  // — series —

  #planOf(accessory: Accessory): Plan {
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
   * The series of a characteristic, if it is to be recorded.
   * @param index 0 for the service that has the plain name, 1 for the one that is called `…_2`.
   */
  #trackOf({ id, homeId, services }: Accessory, type: string, index: number): SeriesTrack | undefined {
    const row = recordable(type);
    if (!row) return undefined;
    const characteristic = index === 0 ? characteristicName(type) : `${characteristicName(type)}_${index + 1}`;
    const unit = row.unit ?? unitOf(services, type);
    const known = this.#tracks.get(id)?.get(characteristic);
    if (known?.series.unit === unit && known.series.homeId === homeId) return known;
    known?.release();
    const settings = this.#parts.settings.series(homeId, id, characteristic, row);
    if (!settings.enabled) return undefined;
    const series = { homeId, accessoryId: id, characteristic, kind: row.kind, unit };
    const track = new SeriesTrack({ ...this.#parts, buffer: this.#buffer, series, row, settings });
    const tracks = this.#tracks.get(id) ?? new Map<string, SeriesTrack>();
    this.#tracks.set(id, tracks.set(characteristic, track));
    return track;
  }

  /** What is recorded stays; only what is known of it here goes. */
  #forget(id: string): void {
    for (const track of this.#tracks.get(id)?.values() ?? []) track.release();
    this.#tracks.delete(id);
    this.#plans.delete(id);
  }
}

/** What a device says for itself, where the catalog names no unit: a virtual number has its owner's. */
function unitOf(services: readonly Service[], type: string): string | null {
  for (const { characteristics } of services) {
    const unit = characteristics.find((characteristic) => characteristic.type === type)?.unit;
    if (unit !== undefined) return unit;
  }
  return null;
}
