/**
 * Views of accessories with their services and characteristics for the schema's types: the API document's field names
 * (§2.4) and those of existing clients (wire-facts §4.2) side by side.
 *
 * A view is created once for each object of the home's state. It computes its fields on access, so that a whole home
 * costs no more than its properties. A view caches the fields of a characteristic that change only when its service is
 * replaced.
 */
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory, Characteristic, CharacteristicValue, HapId, Service } from '../../home/model.ts';
import { ownNameOf } from '../../home/own-name.ts';
import { deviceType } from '../../home/vocabulary/device-types.ts';
import { categoryTitle, characteristicName, serviceName } from '../../home/vocabulary/hap-names.ts';
import type { IconName } from '../../home/vocabulary/icon-names.ts';
import { presentValue } from '../../home/vocabulary/values.ts';
import { partId } from '../present/accessory.ts';
import { presentTime } from '../present/time.ts';

const views = new WeakMap<Accessory, AccessoryView>();

/** The view of an accessory of this state; the same object each time. */
export function viewAccessory(accessory: Accessory, state: HomeState): AccessoryView {
  let view = views.get(accessory);
  if (!view) {
    view = new AccessoryView(accessory, state);
    views.set(accessory, view);
  }
  return view;
}

export class AccessoryView {
  readonly accessory: Accessory;
  readonly #state: HomeState;
  #viewed: readonly Service[] = [];
  #services: readonly ServiceView[] = [];

  constructor(accessory: Accessory, state: HomeState) {
    this.accessory = accessory;
    this.#state = state;
  }

  get id(): string {
    return this.accessory.id;
  }
  get name(): string {
    return this.accessory.name;
  }
  get homeId(): string {
    return this.accessory.homeId;
  }
  get roomId(): string {
    return this.accessory.roomId;
  }
  get roomName(): string | null {
    return this.#state.room(this.accessory.roomId)?.name ?? null;
  }
  get type(): string {
    return deviceType(this.accessory);
  }
  get category(): string {
    return categoryTitle(this.accessory.category);
  }
  get icon(): IconName | null {
    return this.accessory.icon;
  }
  get reachable(): boolean {
    return this.accessory.reachable;
  }
  get deviceId(): string {
    return this.accessory.address.source;
  }
  get aid(): HapId {
    return this.accessory.address.aid;
  }
  get lastSeenAt(): string | null {
    return presentTime(this.accessory.lastSeenAt);
  }
  get vanishedAt(): string | null {
    return presentTime(this.accessory.vanishedAt);
  }
  get services(): readonly ServiceView[] {
    const { id, services } = this.accessory;
    if (this.#viewed !== services) {
      this.#services = services.map((service) => new ServiceView(id, service));
      this.#viewed = services;
    }
    return this.#services;
  }
}

export class ServiceView {
  readonly #service: Service;
  readonly id: string;
  readonly type: string;
  readonly isPrimary: boolean;
  readonly isHidden: boolean;
  readonly linkedServices: readonly string[];
  readonly characteristics: readonly CharacteristicView[];

  constructor(accessoryId: string, service: Service) {
    this.#service = service;
    this.id = partId(accessoryId, service.iid);
    this.type = serviceName(service.type);
    this.isPrimary = service.primary;
    this.isHidden = service.hidden;
    this.linkedServices = service.linked.map((iid) => partId(accessoryId, iid));
    this.characteristics = service.characteristics.map(
      (characteristic) => new CharacteristicView(accessoryId, characteristic),
    );
  }

  /** Read each time: an owner may rename a service (ConfiguredName). */
  get name(): string | null {
    return ownNameOf(this.#service);
  }
}

export class CharacteristicView {
  readonly #characteristic: Characteristic;
  readonly id: string;
  readonly accessoryId: string;
  readonly type: string;
  readonly description: string | null;
  readonly format: string;
  readonly unit: string | null;
  readonly minValue: number | null;
  readonly maxValue: number | null;
  readonly minStep: number | null;
  readonly validValues: readonly string[] | null;
  readonly canRead: boolean;
  readonly canWrite: boolean;

  constructor(accessoryId: string, characteristic: Characteristic) {
    const { description, format, unit, minValue, maxValue, minStep, validValues, textRule, permissions } =
      characteristic;
    this.#characteristic = characteristic;
    this.id = partId(accessoryId, characteristic.iid);
    this.accessoryId = accessoryId;
    this.type = characteristicName(characteristic.type);
    this.description = description ?? null;
    this.format = format;
    this.unit = unit ?? null;
    this.minValue = finite(minValue);
    this.maxValue = finite(maxValue);
    this.minStep = finite(minStep);
    this.validValues = validValues?.map(String) ?? (textRule?.kind === 'options' ? textRule.options : null);
    this.canRead = permissions.includes('pr');
    this.canWrite = permissions.includes('pw');
  }

  get value(): CharacteristicValue {
    return presentValue(this.#characteristic);
  }
}

/** GraphQL's Float has no infinities, which some devices send as their limits. */
function finite(limit: number | undefined): number | null {
  return limit !== undefined && Number.isFinite(limit) ? limit : null;
}
