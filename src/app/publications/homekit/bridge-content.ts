/**
 * What is behind a HomeKit bridge. Reads come from the home's state and never wait; writes are operations by the
 * publication as caller, those for devices in one request.
 */
import type { PictureSize } from '../../../home/camera-driver.ts';
import { asAccessory } from '../../../home/group-accessory.ts';
import type { HomeDeps } from '../../../home/home-deps.ts';
import type { CharacteristicValue, HapId } from '../../../home/model.ts';
import type {
  BridgeContent,
  BridgeWrite,
  BridgeWriteResult,
  PublishedAccessory,
  ReadResult,
} from '../../../home/publication-port.ts';
import { HearthError, messageOf } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Caller, Principal } from '../../access/caller.ts';
import type { Cameras } from '../../control/cameras.ts';
import type { CharacteristicWrite, Control } from '../../control/control.ts';
import type { ServiceGroups } from '../../groups/service-groups.ts';
import type { Scenes } from '../../scenes/scenes.ts';
import type { Publication } from '../publication.ts';
import type { BridgeDays } from './bridge-days.ts';
import { hapStatus, INVALID_VALUE, NOT_FOUND, READ_ONLY, SUCCESS, UNREACHABLE, WRITE_ONLY } from './hap-status.ts';
import type { PublishedDatabase, PublishedPoint } from './published-database.ts';
import { publishedValue } from './published-value.ts';
import type { CharacteristicSource } from './template.ts';

export interface ContentDeps extends HomeDeps<'state' | 'logger'> {
  readonly control: Pick<Control, 'writeCharacteristics' | 'identify'>;
  readonly cameras: Pick<Cameras, 'takePicture' | 'negotiate'>;
  readonly serviceGroups: Pick<ServiceGroups, 'set'>;
  readonly scenes: Pick<Scenes, 'execute'>;
}

interface HomeKitContentDeps extends ContentDeps {
  readonly publication: Pick<Publication, 'id' | 'homeId'>;
  /** As it is now. */
  readonly database: () => PublishedDatabase;
  readonly configNumber: () => number;
  readonly sceneSwitches: SceneSwitches;
  readonly days: Pick<BridgeDays, 'read' | 'write'>;
  /** Sends the value of a point to the controllers: one of them may believe in another. */
  readonly announce: (point: PublishedPoint) => void;
}

/** Which scenes are shown as on: for a moment after they were executed. */
export interface SceneSwitches {
  isOn(sceneId: string): boolean;
  switchOn(sceneId: string): void;
}

interface ControllerCaller extends Caller {
  readonly principal: Extract<Principal, { kind: 'publication' }>;
}

type Status = BridgeWriteResult | Promise<BridgeWriteResult>;

export class HomeKitContent implements BridgeContent {
  readonly #deps: HomeKitContentDeps;
  /** What cameras answered last, by point and controller: it has the keys of a stream. */
  readonly #streams = new Map<string, string>();

  constructor(deps: HomeKitContentDeps) {
    this.#deps = deps;
  }

  accessories(): readonly PublishedAccessory[] {
    return this.#deps.database().accessories;
  }

  configNumber(): number {
    return this.#deps.configNumber();
  }

  read(aid: HapId, iid: HapId, controller?: string): ReadResult {
    const point = this.#deps.database().point(aid, iid);
    if (!point) return { ok: false, status: NOT_FOUND };
    if (!point.characteristic.permissions.includes('pr')) return { ok: false, status: WRITE_ONLY };
    const value = this.valueOf(point, controller);
    return value === undefined ? { ok: false, status: UNREACHABLE } : { ok: true, value };
  }

  /** The value to publish; `undefined` while what has it can't be reached. */
  valueOf(point: PublishedPoint, controller = ''): CharacteristicValue | undefined {
    const { characteristic, source } = point;
    const { state, sceneSwitches, days } = this.#deps;
    switch (source.kind) {
      case 'fixed':
        return source.value;
      case 'identify':
        return undefined;
      case 'scene':
        return sceneSwitches.isOn(source.sceneId);
      case 'transition':
        return days.read(point, source);
      case 'stream':
        return this.#streams.get(streamKey(point, controller)) ?? '';
      case 'word': {
        const value = this.#stored(source);
        return value === undefined ? undefined : value === source.on;
      }
      case 'characteristic': {
        const value = this.#stored(source);
        return value === undefined ? undefined : publishedValue(characteristic, value);
      }
      case 'group': {
        const group = state.serviceGroups.find(source.groupId);
        const accessory = group && asAccessory(group, state);
        const own = accessory?.services[0]?.characteristics.find(({ type }) => type === source.type);
        return accessory?.reachable && own ? publishedValue(characteristic, own.value) : undefined;
      }
    }
  }

  async write(controller: string, writes: readonly BridgeWrite[]): Promise<readonly BridgeWriteResult[]> {
    const caller = this.caller(controller);
    const statuses = new Array<Status>(writes.length).fill(SUCCESS);
    const device: { readonly index: number; readonly write: CharacteristicWrite }[] = [];
    for (const [index, { aid, iid, value }] of writes.entries()) {
      const point = this.#deps.database().point(aid, iid);
      const planned = this.#plan(caller, point, value);
      if (typeof planned === 'object' && 'accessoryId' in planned) device.push({ index, write: planned });
      else statuses[index] = planned;
    }
    const written = this.#writeDevices(
      caller,
      device.map(({ write }) => write),
    );
    for (const [place, { index }] of device.entries()) {
      statuses[index] = written.then((all) => all[place] ?? UNREACHABLE);
    }
    return Promise.all(statuses);
  }

  async picture(controller: string, aid: HapId | undefined, size: PictureSize): Promise<Buffer | number> {
    const source = this.#deps.database().streamPoint(aid)?.source;
    if (source?.kind !== 'stream') return NOT_FOUND;
    try {
      return await this.#deps.cameras.takePicture(this.caller(controller), source.accessoryId, size);
    } catch (error) {
      return this.#statusOf(error);
    }
  }

  async identify(aid: HapId): Promise<void> {
    const point = this.#deps.database().identifyPoint(aid);
    if (point) await this.#identify(this.caller(''), point);
  }

  /** A write for the request to the devices, or the status of something else. */
  #plan(caller: ControllerCaller, point: PublishedPoint | undefined, value: unknown): CharacteristicWrite | Status {
    if (!point) return NOT_FOUND;
    if (!point.characteristic.permissions.includes('pw')) return READ_ONLY;
    const { source } = point;
    switch (source.kind) {
      case 'fixed':
        return READ_ONLY;
      case 'identify':
        return this.#identify(caller, point);
      case 'characteristic':
        return writeOf(source, value);
      case 'transition':
        return this.#deps.days.write(caller, point, source, value);
      case 'stream':
        return this.#negotiate(caller, point, source, value);
      case 'word':
        return this.#switchWord(point, source, value);
      case 'group':
        return this.#writeGroup(caller, source.groupId, source.type, value);
      case 'scene':
        return this.#executeScene(caller, source.sceneId, value);
    }
  }

  #switchWord(
    point: PublishedPoint,
    source: Extract<PublishedPoint['source'], { kind: 'word' }>,
    value: unknown,
  ): CharacteristicWrite | Status {
    const isOn = booleanOf(value);
    if (isOn === undefined) return INVALID_VALUE;
    const word = isOn ? source.on : source.off;
    if (word !== null) return writeOf(source, word);
    // One of several options is always on: another has to be chosen.
    this.#deps.announce(point);
    return SUCCESS;
  }

  #stored({ accessoryId, iid }: Pick<CharacteristicSource, 'accessoryId' | 'iid'>): CharacteristicValue | undefined {
    const { state } = this.#deps;
    if (!state.accessory(accessoryId)?.reachable) return undefined;
    return state.characteristic({ accessoryId, iid })?.value;
  }

  async #writeDevices(caller: Caller, writes: readonly CharacteristicWrite[]): Promise<readonly number[]> {
    if (writes.length === 0) return [];
    try {
      const outcomes = await this.#deps.control.writeCharacteristics(caller, writes);
      return outcomes.map((outcome) => (outcome.ok ? SUCCESS : hapStatus(outcome.code)));
    } catch (error) {
      const status = this.#statusOf(error);
      return writes.map(() => status);
    }
  }

  /** A controller writes what it asks for, and reads the answer of the camera. */
  async #negotiate(
    caller: ControllerCaller,
    point: PublishedPoint,
    source: Omit<CharacteristicSource, 'kind'>,
    value: unknown,
  ): Promise<number> {
    return this.#attempt(async () => {
      const answer = await this.#deps.cameras.negotiate(caller, writeOf(source, value));
      this.#streams.set(streamKey(point, caller.principal.controller), answer);
      return SUCCESS;
    });
  }

  /** Members that do not answer are no error while another does what was asked. */
  async #writeGroup(caller: Caller, id: string, characteristicType: string, value: unknown): Promise<number> {
    return this.#attempt(async () => {
      const { affectedCount, outcomes } = await this.#deps.serviceGroups.set(caller, id, { characteristicType, value });
      const failed = outcomes.find(({ ok }) => !ok);
      return affectedCount > 0 || !failed || failed.ok ? SUCCESS : hapStatus(failed.code);
    });
  }

  async #executeScene(caller: Caller, id: string, value: unknown): Promise<number> {
    const isOn = booleanOf(value);
    if (isOn === undefined) return INVALID_VALUE;
    if (!isOn) return SUCCESS;
    return this.#attempt(async () => {
      const executed = this.#deps.scenes.execute(caller, id);
      this.#deps.sceneSwitches.switchOn(id);
      const { outcomes } = await executed;
      const failed = outcomes.find(({ ok }) => !ok);
      return outcomes.some(({ ok }) => ok) || !failed || failed.ok ? SUCCESS : hapStatus(failed.code);
    });
  }

  async #identify(caller: Caller, { source }: PublishedPoint): Promise<number> {
    const accessoryId = source.kind === 'identify' ? source.accessoryId : null;
    if (accessoryId === null) return SUCCESS;
    return this.#attempt(async () => {
      await this.#deps.control.identify(caller, accessoryId);
      return SUCCESS;
    });
  }

  async #attempt(act: () => Promise<number>): Promise<number> {
    try {
      return await act();
    } catch (error) {
      return this.#statusOf(error);
    }
  }

  #statusOf(error: unknown): number {
    if (error instanceof HearthError) return hapStatus(error.code);
    this.#deps.logger.error({ error: messageOf(error) }, 'A HomeKit controller could not be answered');
    return UNREACHABLE;
  }

  /** Who acts for a controller; for the bridge itself without one. */
  caller(controller: string): ControllerCaller {
    const { id: publicationId, homeId } = this.#deps.publication;
    return { principal: { kind: 'publication', publicationId, homeId, controller }, requestId: newId(), depth: 0 };
  }
}

function writeOf(source: Omit<CharacteristicSource, 'kind'>, value: unknown): CharacteristicWrite {
  const { accessoryId, serviceIid, type: characteristicType } = source;
  return { accessoryId, serviceIid, characteristicType, value };
}

function booleanOf(value: unknown): boolean | undefined {
  if (value === true || value === 1) return true;
  return value === false || value === 0 ? false : undefined;
}

function streamKey({ aid, iid }: PublishedPoint, controller: string): string {
  return `${aid}.${iid} ${controller}`;
}
