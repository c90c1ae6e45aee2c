import type { VirtualAccessories, VirtualDetails } from '../../app/virtual-accessories/virtual-accessories.ts';
import type {
  Accessory as ShownAccessory,
  Characteristic as ShownCharacteristic,
  Service as ShownService,
} from '../../contract/accessories.ts';
import type { TimerFields, VirtualFields } from '../../contract/virtual-accessories.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory, Characteristic, HapId, Service } from '../../home/model.ts';
import { ownNameOf } from '../../home/own-name.ts';
import type { TimerState } from '../../home/virtual-driver.ts';
import { deviceType } from '../../home/vocabulary/device-types.ts';
import { categoryTitle, characteristicName, serviceName } from '../../home/vocabulary/hap-names.ts';
import { presentValue } from '../../home/vocabulary/values.ts';
import { presentTime } from './time.ts';

/** Configured Name and Name: a service's name from its user or its maker. */
export interface AccessoryPresentation {
  readonly state: HomeState;
  readonly virtuals: Pick<VirtualAccessories, 'describe'>;
}

/**
 * An accessory with all its services, with the API document's field names (§2.4) and those of existing clients
 * (wire-facts §2.8) side by side. Ids of services and characteristics are the accessory's id followed by the iid.
 */
export function presentAccessory(accessory: Accessory, { state, virtuals }: AccessoryPresentation): ShownAccessory {
  const { id, name, homeId, roomId, reachable, address, lastSeenAt, vanishedAt, icon } = accessory;
  const virtual = virtuals.describe(accessory);
  return {
    id,
    name,
    homeId,
    roomId,
    roomName: state.room(roomId)?.name ?? '',
    type: deviceType(accessory),
    category: categoryTitle(accessory.category),
    icon,
    reachable,
    isReachable: reachable,
    lastSeenAt: presentTime(lastSeenAt),
    vanishedAt: presentTime(vanishedAt),
    deviceId: address.source,
    aid: address.aid,
    ...(virtual && presentVirtual(virtual)),
    services: accessory.services.map((service) => presentService(id, service)),
  };
}

/** API §2.3 and wire-facts §7. Fields that its kind lacks are omitted. */
export function presentVirtual(details: VirtualDetails): VirtualFields {
  const { virtualType, isUserEditable, icon, options, hasDate, hasTime, control, timer, operations, config } = details;
  const { virtualType: _type, icon: _icon, controllable: _controllable, ...setUp } = config;
  return {
    isVirtual: true,
    virtualType,
    isUserEditable,
    virtualIcon: icon,
    virtualOperations: operations,
    virtualConfig: setUp,
    ...(options !== null && { virtualOptions: options }),
    ...(hasDate !== null && { virtualHasDate: hasDate, virtualHasTime: hasTime ?? false }),
    ...(control !== null && { virtualControl: control }),
    ...(timer !== null && presentTimer(timer)),
  };
}

export function presentTimer(timer: TimerState): TimerFields {
  return {
    virtualTimerState: timer.status,
    virtualDurationMs: timer.durationMs,
    virtualStartedAt: presentTime(timer.startedAt),
    virtualEndsAt: presentTime(timer.endsAt),
    virtualRemainingMs: timer.remainingMs,
    virtualFinishedAt: presentTime(timer.finishedAt),
  };
}

function presentService(accessoryId: string, service: Service): ShownService {
  const type = serviceName(service.type);
  return {
    id: partId(accessoryId, service.iid),
    name: ownNameOf(service),
    type,
    serviceType: type,
    isPrimary: service.primary,
    isHidden: service.hidden,
    linkedServices: service.linked.map((iid) => partId(accessoryId, iid)),
    characteristics: service.characteristics.map((characteristic) =>
      presentCharacteristic(accessoryId, characteristic),
    ),
  };
}

function presentCharacteristic(accessoryId: string, characteristic: Characteristic): ShownCharacteristic {
  const { iid, format, permissions, unit, minValue, maxValue, minStep, validValues, textRule, description } =
    characteristic;
  const type = characteristicName(characteristic.type);
  const readable = permissions.includes('pr');
  const writable = permissions.includes('pw');
  // Fields that a device omits stay absent: JSON has no `undefined`.
  return {
    id: partId(accessoryId, iid),
    type,
    characteristicType: type,
    value: presentValue(characteristic),
    description,
    format,
    unit,
    minValue,
    maxValue,
    minStep,
    stepValue: minStep,
    validValues: validValues ?? (textRule?.kind === 'options' ? textRule.options : undefined),
    canRead: readable,
    canWrite: writable,
    isReadable: readable,
    isWritable: writable,
  };
}

export function partId(accessoryId: string, iid: HapId): string {
  return `${accessoryId}.${iid}`;
}
