/**
 * The driver of virtual accessories: keeps their values in memory and on disk, and finishes timers when they are due.
 * `kinds/` defines the kinds; this file stores each change before it reports it, and reports each change once.
 *
 * Virtual accessories are always reachable. Timers continue in a paused home, because they send nothing to a device.
 */
import type { DriverSink, DriverWrite, WriteOutcome } from '../../home/accessory-driver.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import type { AccessoryAddress, CharacteristicValue, VirtualConfig, VirtualType } from '../../home/model.ts';
import {
  type TimerState,
  VIRTUAL_OPERATIONS,
  type VirtualDefinition,
  type VirtualDriver,
  type VirtualInput,
  type VirtualOperation,
  virtualSource,
} from '../../home/virtual-driver.ts';
import { shorten } from '../../home/vocabulary/values.ts';
import { HearthError, messageOf } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Database } from '../../storage/database.ts';
import { kindOf, parseConfig } from './kinds/index.ts';
import type { Held } from './kinds/kind.ts';
import { holdRun } from './kinds/timer.ts';
import { finishRun, isDue, setBackRun, timerState } from './kinds/timer-run.ts';
import { AID, CHARACTERISTIC_IID, describeVirtual, initialHeld, restoreVirtual, settleHeld } from './stored-virtual.ts';
import { TimerDeadlines } from './timer-deadlines.ts';
import { type LoadedVirtual, type StoredVirtual, VirtualStore } from './virtual-store.ts';

/** Delay before a failed save is retried. */
const RETRY_AFTER_MS = 5_000;

export interface VirtualDriverDeps extends HomeDeps<'clock' | 'timers' | 'logger'> {
  readonly database: Database;
  readonly sink: DriverSink;
}

export class VirtualAccessoryDriver implements VirtualDriver {
  readonly #store: VirtualStore;
  readonly #deps: VirtualDriverDeps;
  /** By source. */
  readonly #items = new Map<string, StoredVirtual>();
  readonly #deadlines: TimerDeadlines;
  /** Sources whose runs moved with the clock, until that is stored. */
  readonly #moved = new Set<string>();
  /** Sources of timers whose stored state is out of date because the disk fails. */
  readonly #unsaved = new Set<string>();
  #cancelRetry: (() => void) | undefined;

  constructor(deps: VirtualDriverDeps) {
    const { database, timers } = deps;
    this.#store = new VirtualStore(database);
    this.#deps = deps;
    this.#deadlines = new TimerDeadlines({
      timers,
      onDue: (now) => this.#finishDue(now),
      onMoved: (source, byMs) => this.#move(source, byMs),
      onAllMoved: (byMs) => this.#storeMoved(byMs),
    });
  }

  /** Describes all accessories as stored. Timers that came due meanwhile finish now, once. */
  start(): void {
    const now = this.#deps.timers.now();
    for (const loaded of this.#store.load()) {
      const item = this.#restore(loaded, now);
      if (!item) continue;
      this.#items.set(item.source, item);
      this.#describe(item);
      this.#deadlines.set(item.source, item.held.run?.endsAt ?? null);
    }
    this.#deps.timers.look();
  }

  stop(): void {
    this.#storeUnsaved();
    this.#cancelRetry?.();
    this.#unsaved.clear();
    this.#deadlines.clear();
    this.#items.clear();
  }

  parseConfig(fields: VirtualInput, current?: VirtualConfig): VirtualConfig {
    return parseConfig(fields, current, this.#deps.clock.now());
  }

  operationsOf(type: VirtualType): readonly VirtualOperation[] {
    return kindOf(type).operations;
  }

  create({ homeId, name, roomId, config }: VirtualDefinition): AccessoryAddress {
    const source = virtualSource(newId());
    const item = { source, homeId, name, config, held: initialHeld(config), createdAt: this.#deps.clock.now() };
    try {
      // The same commit saves its room: a kill in between would leave it in a room that the user did not choose.
      this.#store.save([item], () => this.#describe(item, roomId));
    } catch (error) {
      this.#deps.sink.forget(source);
      throw error;
    }
    this.#items.set(source, item);
    return { source, aid: AID };
  }

  update({ source }: AccessoryAddress, config: VirtualConfig): void {
    const item = this.#get(source);
    const changed = { ...item, config, held: settleHeld(config, item.held) };
    this.#keep([changed], 'write');
    this.#describe(changed);
  }

  remove({ source }: AccessoryAddress): void {
    const item = this.#get(source);
    try {
      // The same commit deletes it from the home: a kill in between would leave an accessory without a driver.
      this.#store.delete(source, () => this.#deps.sink.forget(source));
    } catch (error) {
      this.#describe(item);
      throw error;
    }
    this.#items.delete(source);
    this.#unsaved.delete(source);
    this.#deadlines.delete(source);
  }

  /** Stores all writes together, so that a scene costs one commit. */
  async write(writes: readonly DriverWrite[]): Promise<readonly WriteOutcome[]> {
    const now = this.#finishFirst();
    const changed = new Map<string, StoredVirtual>();
    const outcomes = writes.map((write): WriteOutcome => {
      const { source, aid } = write.address;
      const item = changed.get(source) ?? this.#items.get(source);
      if (!item || aid !== AID || write.iid !== CHARACTERISTIC_IID) {
        return { ok: false, reason: 'not_found', detail: 'There is no such virtual accessory.' };
      }
      if (!item.config.controllable) return { ok: false, reason: 'read_only', detail: 'It is read-only.' };
      const held = kindOf(item.config.virtualType).write(item.config, item.held, write.value, now);
      changed.set(source, { ...item, held });
      return { ok: true, value: held.value };
    });
    try {
      this.#keep([...changed.values()], 'write');
      return outcomes;
    } catch (error) {
      const detail = messageOf(error);
      return outcomes.map((outcome) => (outcome.ok ? { ok: false, reason: 'device_error', detail } : outcome));
    }
  }

  /** A virtual accessory has no means to identify itself. */
  async identify(): Promise<void> {}

  operate({ source }: AccessoryAddress, name: string, input?: unknown): CharacteristicValue {
    const now = this.#finishFirst();
    const item = this.#get(source);
    const kind = kindOf(item.config.virtualType);
    const operation = parseOperation(name, kind.operations, kind.noun);
    const held = kind.operate(item.config, { held: item.held, operation, input, now });
    this.#keep([{ ...item, held }], 'write');
    return held.value;
  }

  timerOf({ source }: AccessoryAddress): TimerState | undefined {
    // First, because it moves the runs of all timers if the clock was set back.
    const now = this.#deps.timers.now();
    const item = this.#items.get(source);
    if (item?.config.virtualType !== 'timer') return undefined;
    return timerState(item.held.run, item.config.durationMs, now);
  }

  #get(source: string): StoredVirtual {
    const item = this.#items.get(source);
    if (!item) throw new HearthError('not_found', 'Not found');
    return item;
  }

  /**
   * Finishes due timers before any other operation, but not inside another caller's transaction, which may roll back.
   * @returns the wall time
   */
  #finishFirst(): number {
    return this.#store.isInTransaction ? this.#deps.timers.now() : this.#deps.timers.look();
  }

  /**
   * Stores the changes, then shows and reports them, since they can no longer get lost. @throws `storage_unavailable`
   */
  #keep(items: readonly StoredVirtual[], via: 'write' | 'event'): void {
    const changed = items.filter((item) => !isSame(item, this.#items.get(item.source)));
    if (changed.length === 0) return;
    this.#store.save(changed);
    if (this.#store.isInTransaction) queueMicrotask(() => this.#takeBackUnstored(changed));
    this.#show(changed, via);
  }

  /** Restores the previous state of items that were stored in a transaction that rolled back. */
  #takeBackUnstored(items: readonly StoredVirtual[]): void {
    for (const item of items) {
      if (this.#items.get(item.source) !== item) continue;
      const stored = this.#tryFind(item.source);
      if (stored && !isSameValue(stored, item)) this.#show([stored], 'write');
    }
  }

  #tryFind(source: string): StoredVirtual | undefined {
    try {
      const loaded = this.#store.find(source);
      return loaded && this.#restore(loaded, this.#deps.clock.now());
    } catch {
      // If the disk can't even be read, nothing is rolled back.
      return undefined;
    }
  }

  #show(items: readonly StoredVirtual[], via: 'write' | 'event'): void {
    const changed = items.filter(({ source, held }) => held.value !== this.#items.get(source)?.held.value);
    for (const item of items) {
      this.#items.set(item.source, item);
      this.#deadlines.set(item.source, item.held.run?.endsAt ?? null);
    }
    for (const { source, held } of changed) {
      this.#deps.sink.report(source, [{ aid: AID, iid: CHARACTERISTIC_IID, value: held.value, via }]);
    }
  }

  #describe(item: StoredVirtual, firstRoomId?: string): void {
    this.#deps.sink.describe(item.homeId, item.source, [describeVirtual(item, firstRoomId)]);
    this.#deps.sink.setReachable(item.source, true);
  }

  /**
   * Finishes all due timers at once, the earliest first, in one commit. The effects of their end are in the same
   * commit, so that a kill loses neither. A timer stays finished in memory even if the disk fails. After a kill before
   * the save, it finishes once more.
   */
  #finishDue(now: number): void {
    const finished = this.#deadlines.dueBy(now).flatMap((source) => {
      const item = this.#items.get(source);
      const run = item?.held.run;
      return item && run && isDue(run, now) ? [{ ...item, held: holdRun(finishRun(run, run.endsAt ?? now)) }] : [];
    });
    if (finished.length === 0) return;
    let isShown = false;
    const show = (): void => {
      isShown = true;
      this.#show(finished, 'event');
    };
    this.#tryStore(finished, show);
    if (!isShown) show();
  }

  #move(source: string, byMs: number): void {
    const item = this.#items.get(source);
    if (!item?.held.run) return;
    this.#items.set(source, { ...item, held: holdRun(setBackRun(item.held.run, byMs)) });
    this.#moved.add(source);
  }

  #storeMoved(byMs: number): void {
    const moved = [...this.#moved].flatMap((source) => this.#items.get(source) ?? []);
    this.#moved.clear();
    if (moved.length === 0) return;
    this.#tryStore(moved);
    this.#deps.logger.info(
      { seconds: Math.round(-byMs / 1_000), timers: moved.length },
      'The system clock was set back',
    );
  }

  #tryStore(items: readonly StoredVirtual[], also?: () => void): void {
    try {
      this.#store.save(items, also);
      for (const { source } of items) this.#unsaved.delete(source);
    } catch (error) {
      for (const { source } of items) this.#unsaved.add(source);
      this.#cancelRetry ??= this.#deps.clock.after(RETRY_AFTER_MS, () => this.#storeUnsaved());
      this.#deps.logger.warn({ timers: items.length, error: messageOf(error) }, 'Could not save timers');
    }
  }

  /** Stores their current state, including changes since the failure. */
  #storeUnsaved(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    const items = [...this.#unsaved].flatMap((source) => this.#items.get(source) ?? []);
    if (items.length > 0) this.#tryStore(items);
  }

  #restore(loaded: LoadedVirtual, now: number): StoredVirtual | undefined {
    try {
      return restoreVirtual(loaded, now);
    } catch (error) {
      this.#deps.logger.error(
        { device: loaded.source, name: loaded.name, error: messageOf(error) },
        'Could not read a virtual accessory from the database',
      );
      return undefined;
    }
  }
}

function parseOperation(name: string, known: readonly VirtualOperation[], noun: string): VirtualOperation {
  const word = name.trim().toLowerCase();
  const operation = VIRTUAL_OPERATIONS.find((one) => one === word);
  if (operation !== undefined && known.includes(operation)) return operation;
  throw new HearthError('invalid_value', `Unknown operation "${shorten(name)}": ${noun} takes ${known.join(', ')}.`, {
    field: 'operation',
  });
}

function isSameValue({ held: a }: StoredVirtual, { held: b }: StoredVirtual): boolean {
  return a.value === b.value && JSON.stringify(a.run) === JSON.stringify(b.run);
}

function isSame(a: StoredVirtual, b: StoredVirtual | undefined): boolean {
  const isSameHeld = (one: Held, other: Held): boolean => one.value === other.value && one.run === other.run;
  return b !== undefined && a.config === b.config && isSameHeld(a.held, b.held);
}
