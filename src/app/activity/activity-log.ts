/**
 * Records what people care about in homes, and who caused it: switches, locks, doors, scenes, automations, presence. It
 * listens to events; `Control` and `Scenes` report their callers. It never delays them: entries are written later,
 * together. It records homes whose history is on. Of the others it knows only the latest change of each accessory and
 * the latest run of each scene, in memory.
 */
import { clearImmediate, setImmediate } from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ActivityActor, ActivityRecord, ActivitySubject } from '../../contract/activity.ts';
import { characteristicName } from '../../hap-spec/characteristics.ts';
import type { HomeEvents } from '../../home/events.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import type { MatterPinRefusal } from '../../home/matter-port.ts';
import type { Accessory, HapId, Scene } from '../../home/model.ts';
import type { ActivityKind } from '../../home/vocabulary/activity-words.ts';
import { bindingsOf } from '../../home/vocabulary/bindings.ts';
import { shorten } from '../../home/vocabulary/values.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { Allowances } from '../access/allowances.ts';
import type { Caller } from '../access/caller.ts';
import type { HistorySettings } from '../history/history-settings.ts';
import { ActivityBuffer, type WaitingEntry } from './activity-buffer.ts';
import { activityRow, PRESSES } from './activity-rows.ts';
import type { ActivityStore } from './activity-store.ts';
import { describeActor, type NameSources } from './actor-names.ts';
import { type ActivityCause, Attribution, attributedTo } from './attribution.ts';

const DAY_MS = 86_400_000;
export const ACTIVITY_DAYS = 90;
const ROWS_A_SLICE = 500;
const ANNOUNCE_MS = 1_000;
/** Per characteristic, scene and automation: what flaps or loops must not push out everything else. */
const ALLOWANCE = { burst: 60, perSecond: 1 / 60 };

/** Requested runs that have not begun: those that wait for the run before them. */
const MAX_REQUESTED = 1_000;

/** Scenes whose latest run is in memory; more than two homes may have. */
const MAX_SCENE_RUNS = 1_000;

/** As values of a lock. */
const PIN_REFUSALS: Readonly<Record<MatterPinRefusal, string>> = {
  no_pin: 'no_pin',
  wrong_pin: 'wrong_pin',
  last_wrong_pin: 'wrong_pin',
  pin_blocked: 'pin_blocked',
};

/** The id of an entry that is not stored. */
const UNSTORED = '0';

interface LogDeps extends HomeDeps<'state' | 'bus' | 'clock' | 'logger'> {
  readonly store: ActivityStore;
  readonly settings: Pick<HistorySettings, 'isEnabled'>;
  /** For tests, which cannot record as many. */
  readonly maxRows?: number;
}

/** A notification, of which a button was pressed. */
interface PressedNotification {
  readonly id: string;
  readonly homeId: string | null;
  readonly automationId: string | null;
  readonly title: string | null;
  readonly message: string;
}

/** What is known when it happens; the rest follows from it. */
interface Happened {
  readonly at: number;
  readonly homeId: string;
  readonly kind: ActivityKind;
  readonly subject: ActivitySubject;
  readonly value: string | null;
  readonly characteristic?: string;
  readonly roomId?: string;
  readonly actor: ActivityCause | WaitingEntry['actor'];
  readonly runId?: string | null;
  readonly foldKey?: string;
}

export class ActivityLog implements Startable {
  readonly #deps: LogDeps;
  readonly #attribution: Attribution;
  readonly #buffer: ActivityBuffer;
  readonly #allowances: Allowances;
  /** The latest change of each accessory. */
  readonly #latest = new Map<string, WaitingEntry>();
  /** The latest run of each scene, the latest last. */
  readonly #latestRuns = new Map<string, WaitingEntry>();
  /** Accessories that have not been online yet. */
  readonly #newOnes = new Set<string>();
  /** Who requested a run, by run. */
  readonly #requested = new Map<string, ActivityCause>();
  readonly #announcements = new Map<string, () => void>();
  #names: NameSources | undefined;
  #subscriptions: (() => void)[] = [];

  constructor(deps: LogDeps) {
    this.#deps = deps;
    this.#attribution = new Attribution(deps);
    this.#buffer = new ActivityBuffer(deps);
    this.#allowances = new Allowances(deps.clock, 'Too much activity');
  }

  /** Sets where names come from: parts that are built later. */
  bind(names: NameSources): void {
    this.#names = names;
  }

  start(): void {
    const { bus } = this.#deps;
    this.#subscriptions = [
      bus.on('state.changed', (change) => this.#changed(change)),
      bus.on('button.pressed', (press) => this.#pressed(press)),
      bus.on('accessory.added', ({ accessoryId }) => this.#newOnes.add(accessoryId)),
      bus.on('accessory.reachability_changed', (change) => this.#reachability(change)),
      bus.on('presence.changed', (change) => this.#presence(change)),
      bus.on('automation.fired', (event) => this.#automation(event, 'ran')),
      bus.on('automation.failed', (event) => this.#automation(event, 'failed')),
      bus.on('accessory.removed', ({ accessoryId }) => this.#forget(accessoryId)),
    ];
  }

  stop(): void {
    for (const unsubscribe of this.#subscriptions.splice(0)) unsubscribe();
    for (const cancel of this.#announcements.values()) cancel();
    this.#announcements.clear();
    this.#buffer.stop();
  }

  /** For `Control` and virtual accessories. */
  get onWrite(): Attribution['onWrite'] {
    return this.#attribution.onWrite;
  }

  /** For `Scenes`: a caller has executed a scene. */
  readonly onExecuted = (caller: Caller, { id, homeId, name }: Scene, success: boolean): void => {
    if (this.#subscriptions.length === 0) return;
    const value = success ? 'ran' : 'failed';
    const at = this.#deps.clock.now();
    const subject = { type: 'scene', id, name } as const;
    this.#add(`scene ${id}`, { at, homeId, kind: 'scene', subject, value, ...attributedTo(caller) });
  };

  /** For publications: locks refused a controller that did not give the right PIN. */
  readonly onPinRefused = (
    { principal: actor }: Caller,
    accessoryIds: readonly string[],
    refusal: MatterPinRefusal,
  ) => {
    if (this.#subscriptions.length === 0) return;
    const at = this.#deps.clock.now();
    for (const id of accessoryIds) this.#ofAccessory(id, at, 'lock', PIN_REFUSALS[refusal], actor);
  };

  /** For notifications: a caller has pressed a button of one. */
  readonly onButtonPressed = (
    { principal: actor }: Caller,
    { homeId, automationId, message, id, title: subjectTitle }: PressedNotification,
    value: string,
  ): void => {
    if (homeId === null || this.#subscriptions.length === 0) return;
    const name = subjectTitle ?? shorten(message);
    const subject = { type: 'notification', id, name } as const;
    this.#add(`button ${automationId}`, {
      ...{ at: this.#deps.clock.now(), homeId, kind: 'notification', subject, value, actor },
    });
  };

  /** The caller as people know it, with its name at this moment. */
  actorOf({ principal }: Caller): ActivityActor {
    if (!this.#names) throw new Error('The activity log has no names');
    return describeActor(principal, this.#names);
  }

  /** For flows: a caller has requested a run. */
  readonly onRequested = ({ principal }: Caller, runId: string): void => {
    this.#requested.set(runId, principal);
    const [oldest] = this.#requested.keys();
    if (this.#requested.size > MAX_REQUESTED && oldest !== undefined) this.#requested.delete(oldest);
  };

  /** The latest change of an accessory since the start, even if its home records nothing. */
  latestOf(accessoryId: string): ActivityRecord | undefined {
    const entry = this.#latest.get(accessoryId);
    return entry && unstored(entry);
  }

  /**
   * The latest run of a scene: since the start, even if its home records nothing; before, from the log. Never throws:
   * while the log can't be read, nothing is known of the time before.
   */
  latestRunOf(sceneId: string): ActivityRecord | undefined {
    const entry = this.#latestRuns.get(sceneId);
    if (entry) return unstored(entry);
    try {
      return this.#deps.store.latestOfScene(sceneId);
    } catch {
      return undefined;
    }
  }

  /** Writes what waits, so that a query sees it. Never throws. */
  flush(): void {
    this.#buffer.flush();
  }

  /**
   * Deletes the entries of a home, or of one accessory in it, in slices.
   * @param before milliseconds since the epoch, excluded.
   */
  async erase(homeId: string, accessoryId: string | undefined, before: number): Promise<void> {
    const isOf = ({ homeId: home, subject, at }: WaitingEntry): boolean =>
      home === homeId && at < before && (accessoryId === undefined || subject.id === accessoryId);
    this.#buffer.discard(isOf);
    for (const latest of [this.#latest, this.#latestRuns]) {
      for (const [id, entry] of latest) if (isOf(entry)) latest.delete(id);
    }
    while (this.#deps.store.erase(homeId, accessoryId, before, ROWS_A_SLICE) > 0) await nextTurn();
  }

  /** Deletes what is older than 90 days, in slices. @throws `storage_unavailable` */
  async prune(now: number): Promise<void> {
    const before = now - ACTIVITY_DAYS * DAY_MS;
    while (this.#deps.store.deleteBefore(before, ROWS_A_SLICE) > 0) await nextTurn();
  }

  #changed(change: HomeEvents['state.changed']): void {
    this.#attribution.noteChange(change);
    const row = activityRow(change.type);
    // A first known value is no change.
    if (!row || change.previous === null || change.value === null) return;
    if (row.only && !row.only.has(change.value)) return;
    const accessory = this.#deps.state.accessory(change.accessoryId);
    if (!accessory) return;
    const { type, iid, at, value } = change;
    const isDragged = typeof value === 'number' && (row.kind === 'cover' || row.kind === 'climate');
    const { actor, runId } = this.#attribution.of(change, row);
    this.#ofAccessory(accessory.id, at, row.kind, row.present(value), actor, {
      runId,
      characteristic: numberedName(accessory, type, iid),
      ...(isDragged && { foldKey: `${accessory.id} ${iid}` }),
    });
  }

  #pressed({ accessoryId, iid, value, at }: HomeEvents['button.pressed']): void {
    const accessory = this.#deps.state.accessory(accessoryId);
    const characteristic = this.#deps.state.characteristic({ accessoryId, iid });
    if (!accessory || !characteristic) return;
    this.#ofAccessory(
      accessoryId,
      at,
      'button',
      PRESSES.get(value) ?? String(value),
      { kind: 'device' },
      {
        characteristic: numberedName(accessory, characteristic.type, iid),
      },
    );
  }

  #reachability({ accessoryId, reachable, at }: HomeEvents['accessory.reachability_changed']): void {
    const isFirst = reachable && this.#newOnes.delete(accessoryId);
    if (isFirst) return;
    this.#ofAccessory(accessoryId, at, 'connection', reachable ? 'online' : 'offline', { kind: 'device' });
  }

  #forget(accessoryId: string): void {
    this.#latest.delete(accessoryId);
    this.#newOnes.delete(accessoryId);
  }

  #presence({ homeId, personId, atHome, at }: HomeEvents['presence.changed']): void {
    const person = this.#names?.person(homeId, personId);
    if (!person) return;
    const { name, userId } = person;
    this.#add(`person ${personId}`, {
      ...{ at, homeId, kind: 'presence', value: atHome ? 'home' : 'away' },
      subject: { type: 'person', id: personId, name },
      actor: () => (userId === null ? { kind: 'person', id: personId, name } : { kind: 'user', id: userId, name }),
    });
  }

  #automation(event: HomeEvents['automation.fired'], value: 'ran' | 'failed'): void {
    const { homeId, automationId: id, name, runId, at } = event;
    const requestedBy = value === 'ran' ? this.#requested.get(runId) : undefined;
    this.#requested.delete(runId);
    this.#add(`automation ${id}`, {
      ...{ at, homeId, kind: 'automation', value, runId },
      subject: { type: 'automation', id, name },
      actor: requestedBy ?? (() => ({ kind: 'automation', id, name })),
    });
  }

  #ofAccessory(
    accessoryId: string,
    at: number,
    kind: ActivityKind,
    value: string,
    actor: ActivityCause,
    more: Pick<Happened, 'characteristic' | 'runId' | 'foldKey'> = {},
  ): void {
    const accessory = this.#deps.state.accessory(accessoryId);
    if (!accessory) return;
    const { id, homeId, name, roomId } = accessory;
    const key = `${id} ${more.characteristic ?? kind}`;
    this.#add(key, { at, homeId, kind, subject: { type: 'accessory', id, name }, value, actor, roomId, ...more });
  }

  /** @param key of its allowance. */
  #add(key: string, happened: Happened): void {
    const { homeId, subject, kind } = happened;
    const entry = this.#entryOf(happened);
    // Whether it answers is no change of the accessory.
    if (subject.type === 'accessory' && kind !== 'connection') this.#latest.set(subject.id, entry);
    if (subject.type === 'scene') this.#keepRun(subject.id, entry);
    this.#announce(homeId);
    if (this.#deps.settings.isEnabled(homeId) && this.#allowances.tryTake(key, ALLOWANCE)) this.#buffer.add(entry);
  }

  #keepRun(sceneId: string, entry: WaitingEntry): void {
    this.#latestRuns.delete(sceneId);
    this.#latestRuns.set(sceneId, entry);
    const [oldest] = this.#latestRuns.keys();
    if (this.#latestRuns.size > MAX_SCENE_RUNS && oldest !== undefined) this.#latestRuns.delete(oldest);
  }

  #entryOf({ actor, roomId, characteristic, runId, foldKey, ...fields }: Happened): WaitingEntry {
    const names = this.#names;
    if (!names) throw new Error('The activity log has no names');
    return {
      ...fields,
      roomId: roomId ?? null,
      roomName: (roomId !== undefined && this.#deps.state.room(roomId)?.name) || null,
      characteristic: characteristic ?? null,
      actor: typeof actor === 'function' ? actor : () => describeActor(actor, names),
      runId: runId ?? null,
      foldKey: foldKey ?? null,
    };
  }

  /** Pages read it again, at most once a second. */
  #announce(homeId: string): void {
    if (this.#announcements.has(homeId)) return;
    const announce = (): void => {
      this.#announcements.delete(homeId);
      this.#deps.bus.emit('activity.added', { homeId });
    };
    // In the turn in which it happened, automations and streams come first.
    const arm = setImmediate(() => this.#announcements.set(homeId, this.#deps.clock.after(ANNOUNCE_MS, announce)));
    this.#announcements.set(homeId, () => clearImmediate(arm));
  }
}

function unstored({ actor, foldKey: _, ...fields }: WaitingEntry): ActivityRecord {
  return { id: UNSTORED, ...fields, actor: actor() };
}

/** The name of a characteristic, numbered from the second service that has it on. */
function numberedName({ services }: Accessory, type: string, iid: HapId): string {
  const places = bindingsOf(services).byType.get(type) ?? [];
  const index = places.findIndex(({ characteristic }) => characteristic.iid === iid);
  return index > 0 ? `${characteristicName(type)}_${index + 1}` : characteristicName(type);
}
