/**
 * One HomeKit bridge while its publication is open: the server, its content, and the events of the home that go to
 * its controllers in the same turn.
 */
import type { HomeEvents } from '../../../home/events.ts';
import type { CharacteristicValue } from '../../../home/model.ts';
import type { BridgeConnection, BridgeServer, OpenBridge } from '../../../home/publication-port.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Publication } from '../publication.ts';
import { type ContentDeps, HomeKitContent } from './bridge-content.ts';
import type { StoredControllers } from './bridge-controllers.ts';
import { BridgeDays, type DaysDeps } from './bridge-days.ts';
import type { BridgeRecord } from './bridge-store.ts';
import { BRIDGE_MODEL } from './information.ts';
import type { PublishedDatabase, PublishedPoint } from './published-database.ts';
import { publishedValue } from './published-value.ts';

/** How long the switch of a scene stays on. */
const SCENE_ON_MS = 1_000;

export interface BridgeDeps extends ContentDeps, DaysDeps {
  readonly openBridge: OpenBridge;
  readonly clock: Clock;
}

/** A bridge as it is now. */
export interface BridgeState {
  readonly record: BridgeRecord;
  /** As controllers show it. */
  readonly name: string;
  readonly category: number;
  readonly database: PublishedDatabase;
  /** The groups of each accessory. */
  readonly groupsOf: ReadonlyMap<string, readonly string[]>;
}

export class HomeKitBridge {
  readonly #deps: BridgeDeps;
  readonly #content: HomeKitContent;
  readonly #days: BridgeDays;
  readonly #server: BridgeServer;
  readonly #controllers: StoredControllers;
  #state: BridgeState;
  /** The values of groups that controllers have. */
  readonly #groupValues = new Map<string, CharacteristicValue | undefined>();
  /** Scenes whose switch is on, with what cancels the end of that. */
  readonly #scenesOn = new Map<string, () => void>();

  constructor(
    state: BridgeState,
    publication: Pick<Publication, 'id' | 'homeId'>,
    controllers: StoredControllers,
    deps: BridgeDeps,
  ) {
    this.#deps = deps;
    this.#state = state;
    this.#controllers = controllers;
    const onChange = (accessoryId: string) => this.#dayChanged(accessoryId);
    this.#days = new BridgeDays({ ...deps, bridgeId: state.record.id, onChange });
    this.#content = new HomeKitContent({
      ...deps,
      days: this.#days,
      publication,
      database: () => this.#state.database,
      configNumber: () => this.#state.record.configNumber,
      announce: (point) => this.#announce(point),
      sceneSwitches: { isOn: (id) => this.#scenesOn.has(id), switchOn: (id) => this.#switchOn(id) },
    });
    const { deviceId, setupCode, setupId, secretKey, port } = state.record;
    this.#server = deps.openBridge({
      identity: {
        deviceId,
        setupCode,
        setupId,
        secretKey,
        name: state.name,
        category: state.category,
        model: BRIDGE_MODEL,
      },
      controllers,
      content: this.#content,
      preferredPort: port ?? undefined,
    });
    this.#rememberGroups();
  }

  get state(): BridgeState {
    return this.#state;
  }

  get port(): number | undefined {
    return this.#server.port;
  }

  connections(): readonly BridgeConnection[] {
    return this.#server.connections();
  }

  async start(): Promise<void> {
    await this.#server.start();
    this.#days.start(this.#content.caller(''));
  }

  async stop(): Promise<void> {
    for (const cancel of this.#scenesOn.values()) cancel();
    this.#scenesOn.clear();
    this.#days.stop();
    await this.#server.stop();
  }

  /** What is published, or its ids, changed. */
  update(state: BridgeState): void {
    const before = this.#state;
    this.#state = state;
    this.#rememberGroups();
    if (before.record.configNumber !== state.record.configNumber) this.#server.databaseChanged();
  }

  /** The last controller is gone. */
  unpaired(): void {
    this.#days.end();
  }

  /** An admin removed a controller, or all of them. */
  removeController(identifier: string): void {
    this.#controllers.remove(identifier);
    this.#server.controllersChanged();
  }

  valueChanged({ accessoryId, iid, value, previous }: HomeEvents['state.changed']): void {
    for (const point of this.#state.database.pointsOf(accessoryId)) {
      const { source } = point;
      if (!('iid' in source) || source.iid !== iid) continue;
      if (source.kind === 'characteristic') {
        if (!this.#days.holdsBack({ ...source, key: keyOf(point) }))
          this.#send(point, publishedValue(point.characteristic, value));
      } else if (source.kind === 'word' && (value === source.on) !== (previous === source.on))
        this.#send(point, value === source.on);
    }
    for (const groupId of this.#state.groupsOf.get(accessoryId) ?? []) this.#groupChanged(groupId);
  }

  /** A press is an event each time, equal or not. */
  pressed({ accessoryId, iid, value }: HomeEvents['button.pressed']): void {
    for (const point of this.#state.database.pointsOf(accessoryId)) {
      if ('iid' in point.source && point.source.iid === iid) this.#send(point, value);
    }
  }

  #dayChanged(accessoryId: string): void {
    for (const point of this.#state.database.pointsOf(accessoryId)) {
      if (point.source.kind === 'transition' && point.source.part === 'count') this.#announce(point);
    }
  }

  #groupChanged(groupId: string): void {
    for (const point of this.#state.database.pointsOf(groupId)) {
      const value = this.#content.valueOf(point);
      const key = keyOf(point);
      if (value === undefined || this.#groupValues.get(key) === value) continue;
      this.#groupValues.set(key, value);
      this.#send(point, value);
    }
  }

  #rememberGroups(): void {
    this.#groupValues.clear();
    for (const groupId of new Set([...this.#state.groupsOf.values()].flat())) {
      for (const point of this.#state.database.pointsOf(groupId)) {
        this.#groupValues.set(keyOf(point), this.#content.valueOf(point));
      }
    }
  }

  #switchOn(sceneId: string): void {
    this.#scenesOn.get(sceneId)?.();
    const end = this.#deps.clock.after(SCENE_ON_MS, () => {
      this.#scenesOn.delete(sceneId);
      this.#announceAll(sceneId);
    });
    this.#scenesOn.set(sceneId, end);
    this.#announceAll(sceneId);
  }

  #announceAll(subjectId: string): void {
    for (const point of this.#state.database.pointsOf(subjectId)) this.#announce(point);
  }

  #announce(point: PublishedPoint): void {
    const value = this.#content.valueOf(point);
    if (value !== undefined) this.#send(point, value);
  }

  #send({ aid, iid, characteristic }: PublishedPoint, value: CharacteristicValue): void {
    if (characteristic.permissions.includes('ev')) this.#server.valueChanged(aid, iid, value);
  }
}

function keyOf({ aid, iid }: PublishedPoint): string {
  return `${aid}.${iid}`;
}
