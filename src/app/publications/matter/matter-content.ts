/**
 * What is behind a Matter bridge. Values come from the home's state and never wait; what controllers change are
 * operations by the publication as caller, those for one device in one request.
 */
import {
  CHARACTERISTIC,
  type CharacteristicName,
  characteristicTypesNamed,
} from '../../../hap-spec/characteristics.ts';
import { asAccessory } from '../../../home/group-accessory.ts';
import type { HomeState } from '../../../home/home-state.ts';
import type {
  MatterClusters,
  MatterContent,
  MatterEndpoint,
  MatterPinRefusal,
  MatterWrite,
  MatterWriteResult,
} from '../../../home/matter-port.ts';
import type { Accessory, CharacteristicValue, Service } from '../../../home/model.ts';
import { type Clock, waitAtMost } from '../../../kernel/clock.ts';
import { type ErrorCode, HearthError, messageOf } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Logger } from '../../../kernel/logger.ts';
import type { Caller } from '../../access/caller.ts';
import type { Control } from '../../control/control.ts';
import type { ServiceGroups } from '../../groups/service-groups.ts';
import type { Scenes } from '../../scenes/scenes.ts';
import type { LockPins } from '../lock-pins.ts';
import type { Publication } from '../publication.ts';
import type { HapSettings } from './cluster-row.ts';
import { clustersOf, type MatterPart, SCENE_CLUSTERS } from './describe-thing.ts';
import { deviceRowOf } from './device-rows.ts';
import { HapServiceView } from './hap-service-view.ts';
import type { EndpointRecord } from './matter-store.ts';
import { stopSettings, withLockPin, withLockPinFeatures } from './opening-clusters.ts';

export interface MatterContentDeps {
  readonly state: HomeState;
  readonly control: Pick<Control, 'writeCharacteristics' | 'identify'>;
  readonly serviceGroups: Pick<ServiceGroups, 'set'>;
  readonly scenes: Pick<Scenes, 'execute'>;
  readonly lockPins: Pick<LockPins, 'check'>;
  readonly onPinRefused: OnPinRefused;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface PublishedPart extends MatterPart {
  readonly record: EndpointRecord;
}

/** Called for a lock that a controller could not operate, for want of the right PIN. */
export type OnPinRefused = (caller: Caller, accessoryIds: readonly string[], refusal: MatterPinRefusal) => void;

interface OwnDeps extends MatterContentDeps {
  /** As it is now. Its id and its home stay. */
  readonly publication: () => Publication;
  /** By key. */
  readonly parts: () => ReadonlyMap<string, PublishedPart>;
  /** A command of a controller is over: what it has may not be what is. */
  readonly settled: (key: string) => void;
}

/** Controllers give up on an answer after some seconds, and send nothing else to the endpoint while they wait. */
const MAX_ANSWER_MS = 4_000;

const RESULTS: Readonly<Partial<Record<ErrorCode, MatterWriteResult>>> = {
  accessory_unreachable: 'unreachable',
  relay_not_connected: 'unreachable',
  insufficient_permissions: 'denied',
  characteristic_not_writable: 'denied',
  invalid_value: 'invalid',
  invalid_request: 'invalid',
  rate_limited: 'busy',
};

export class HomeMatterContent implements MatterContent {
  readonly #deps: OwnDeps;

  constructor(deps: OwnDeps) {
    this.#deps = deps;
  }

  endpoints(): readonly MatterEndpoint[] {
    return [...this.#deps.parts()].flatMap(([key, part]) => {
      const { name, deviceType, record } = part;
      const clusters = this.clustersOf(part);
      if (!clusters) return [];
      const { number, uniqueId } = record;
      const features = this.#asksForPin ? withLockPinFeatures(part.features) : part.features;
      const reachable = this.#isReachable(part);
      return [{ key, number, uniqueId, name, deviceType, features, clusters, reachable, ...this.#makerOf(part) }];
    });
  }

  configurationVersion(): number {
    return 1 + this.#deps.publication().lockPin.changes;
  }

  /** All attributes by the values of now; `undefined` while its service is not there. */
  clustersOf({ source }: MatterPart): MatterClusters | undefined {
    if (source.kind === 'scene') return SCENE_CLUSTERS;
    const found = this.#find(source);
    const clusters = found && clustersOf(found.service, source.kind === 'group' ? [] : found.accessory.services);
    return clusters && this.#asksForPin ? withLockPin(clusters) : clusters;
  }

  get #asksForPin(): boolean {
    return this.#deps.publication().lockPin.hash !== null;
  }

  async write({ key, fabricIndex, clusters, pin }: MatterWrite): Promise<MatterWriteResult> {
    const part = this.#deps.parts().get(key);
    if (!part) return 'failed';
    let result: MatterWriteResult | undefined;
    const work = this.#carryOut(part, clusters, this.#caller(fabricIndex), pin).then((carriedOut) => {
      result = carriedOut;
    });
    await waitAtMost(this.#deps.clock, MAX_ANSWER_MS, work);
    void work.finally(() => this.#deps.settled(key));
    return result ?? 'unreachable';
  }

  stopMotion(key: string): void {
    const source = this.#deps.parts().get(key)?.source;
    const found = source && source.kind !== 'scene' ? this.#find(source) : undefined;
    if (!source || !found) return;
    void this.#attempt(() => this.#set(source, stopSettings(new HapServiceView(found.service)), this.#caller(null)));
  }

  identify(key: string): void {
    const source = this.#deps.parts().get(key)?.source;
    if (source?.kind !== 'service') return;
    void this.#attempt(async () => {
      await this.#deps.control.identify(this.#caller(null), source.accessoryId);
      return 'ok';
    });
  }

  async #carryOut(
    { source, name }: MatterPart,
    clusters: MatterClusters,
    caller: Caller,
    pin: string | undefined,
  ): Promise<MatterWriteResult> {
    if (source.kind === 'scene') {
      if (clusters.onOff?.onOff !== true) return 'ok';
      return this.#attempt(async () => {
        const { outcomes } = await this.#deps.scenes.execute(caller, source.sceneId);
        return outcomes.length === 0 || outcomes.some(({ ok }) => ok) ? 'ok' : 'failed';
      });
    }
    const found = this.#find(source);
    if (!found) return 'unreachable';
    return this.#attempt(async () => {
      const refusal = clusters.doorLock ? await this.#deps.lockPins.check(this.#deps.publication(), pin) : 'ok';
      if (refusal === 'ok') return this.#set(source, settingsOf(clusters, found.service), caller);
      this.#deps.logger.warn({ lock: name, refusal }, 'A lock refused a Matter controller without the right PIN');
      this.#deps.onPinRefused(caller, this.#accessoriesOf(source), refusal);
      return refusal;
    });
  }

  #accessoriesOf(source: Exclude<MatterPart['source'], { readonly kind: 'scene' }>): readonly string[] {
    if (source.kind === 'service') return [source.accessoryId];
    const { members = [] } = this.#deps.state.serviceGroups.find(source.groupId) ?? {};
    return [...new Set(members.map(({ accessoryId }) => accessoryId))];
  }

  async #set(source: MatterPart['source'], settings: HapSettings, caller: Caller): Promise<MatterWriteResult> {
    const wanted = Object.entries(settings).map(([name, value]) => ({
      characteristicType: characteristicTypesNamed(name as CharacteristicName)[0] ?? '',
      value: value as CharacteristicValue,
    }));
    if (source.kind === 'group') {
      const all = await Promise.all(
        wanted.map((setting) => this.#deps.serviceGroups.set(caller, source.groupId, setting)),
      );
      return all.every(({ affectedCount }) => affectedCount > 0) ? 'ok' : 'unreachable';
    }
    if (source.kind === 'scene' || wanted.length === 0) return 'ok';
    const { accessoryId, serviceIid } = source;
    const outcomes = await this.#deps.control.writeCharacteristics(
      caller,
      wanted.map((setting) => ({ accessoryId, serviceIid, ...setting })),
    );
    const failed = outcomes.find(({ ok }) => !ok);
    return failed && !failed.ok ? (RESULTS[failed.code] ?? 'failed') : 'ok';
  }

  async #attempt(act: () => Promise<MatterWriteResult>): Promise<MatterWriteResult> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof HearthError) return RESULTS[error.code] ?? 'failed';
      this.#deps.logger.error({ error: messageOf(error) }, 'A Matter controller could not be answered');
      return 'failed';
    }
  }

  #isReachable({ source }: MatterPart): boolean {
    return source.kind === 'scene' || this.#find(source)?.accessory.reachable === true;
  }

  #makerOf({ source }: MatterPart): Pick<MatterEndpoint, 'vendor' | 'product' | 'serialNumber'> {
    const services = source.kind === 'service' ? this.#find(source)?.accessory.services : undefined;
    const text = (type: string): string | null => {
      const all = services?.flatMap(({ characteristics }) => characteristics) ?? [];
      const value = all.find((one) => one.type === type)?.value;
      return typeof value === 'string' && value !== '' ? value : null;
    };
    return {
      vendor: text(CHARACTERISTIC.manufacturer) ?? 'hearthd',
      product: text(CHARACTERISTIC.model),
      serialNumber: text(CHARACTERISTIC.serialNumber),
    };
  }

  #find(source: Exclude<MatterPart['source'], { readonly kind: 'scene' }>): Found | undefined {
    const { state, publication } = this.#deps;
    if (source.kind === 'group') {
      const group = state.serviceGroups.find(source.groupId);
      const accessory = group && asAccessory(group, state);
      const [service] = accessory?.services ?? [];
      return accessory && service && { accessory, service };
    }
    const accessory = state.accessoryIn(publication().homeId, source.accessoryId);
    const service = accessory?.services.find(({ iid }) => iid === source.serviceIid);
    return accessory && service && { accessory, service };
  }

  #caller(fabricIndex: number | null): Caller {
    const { id: publicationId, homeId } = this.#deps.publication();
    const controller = fabricIndex === null ? '' : String(fabricIndex);
    return { principal: { kind: 'publication', publicationId, homeId, controller }, requestId: newId(), depth: 0 };
  }
}

interface Found {
  readonly accessory: Accessory;
  readonly service: Service;
}

/** What a controller changed, as settings of the service. A lamp that goes off keeps its brightness. */
function settingsOf(clusters: MatterClusters, service: Service): HapSettings {
  const view = new HapServiceView(service);
  const isOff = clusters.onOff?.onOff === false;
  const rows = deviceRowOf(view)?.clusters.filter(({ cluster }) => !isOff || cluster !== 'levelControl') ?? [];
  const all = rows.map(({ cluster, write }) => {
    const changes = clusters[cluster];
    return changes && write ? write(changes, view) : {};
  });
  return Object.assign({}, ...all) as HapSettings;
}
