import type { VirtualAccessories, VirtualDetails } from '../../app/virtual-accessories/virtual-accessories.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory, Characteristic, HapId, Service } from '../../home/model.ts';
import type { TimerState } from '../../home/virtual-driver.ts';
import { deviceType } from '../../home/vocabulary/device-types.ts';
import { categoryTitle, characteristicName, serviceName } from '../../home/vocabulary/hap-names.ts';
import { presentValue } from '../../home/vocabulary/values.ts';
import { presentTime } from './present-time.ts';

/** Configured Name and Name: what a service calls itself, as its user or its maker named it. */
const NAME_TYPES = ['E3', '23'] as const;

export interface AccessoryPresentation {
  readonly state: HomeState;
  readonly virtuals: Pick<VirtualAccessories, 'describe'>;
}

/**
 * An accessory with all its services, under the API document's field names (§2.4) and those of existing clients (wire-facts
 * §2.8) side by side. Ids of services and characteristics are the accessory's with the iid behind it.
 */
export function presentAccessory(accessory: Accessory, { state, virtuals }: AccessoryPresentation): object {
  const { id, name, homeId, roomId, reachable, address, lastSeenAt, vanishedAt } = accessory;
  return {
    id,
    name,
    homeId,
    roomId,
    roomName: state.room(roomId)?.name,
    type: deviceType(accessory),
    category: categoryTitle(accessory.category),
    reachable,
    isReachable: reachable,
    lastSeenAt: presentTime(lastSeenAt),
    vanishedAt: presentTime(vanishedAt),
    deviceId: address.source,
    aid: address.aid,
    ...presentVirtual(virtuals.describe(accessory)),
    services: accessory.services.map((service) => presentService(id, service)),
  };
}

/** API §2.3 and wire-facts §7. What its kind has not is left out. */
function presentVirtual(details: VirtualDetails | null): object {
  if (details === null) return {};
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
    ...(hasDate !== null && { virtualHasDate: hasDate, virtualHasTime: hasTime }),
    ...(control !== null && { virtualControl: control }),
    ...(timer !== null && presentTimer(timer)),
  };
}

export function presentTimer(timer: TimerState): object {
  return {
    virtualTimerState: timer.status,
    virtualDurationMs: timer.durationMs,
    virtualStartedAt: presentTime(timer.startedAt),
    virtualEndsAt: presentTime(timer.endsAt),
    virtualRemainingMs: timer.remainingMs,
    virtualFinishedAt: presentTime(timer.finishedAt),
  };
}

function presentService(accessoryId: string, service: Service): object {
  const type = serviceName(service.type);
  return {
    id: partId(accessoryId, service.iid),
    name: ownName(service),
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

function presentCharacteristic(accessoryId: string, characteristic: Characteristic): object {
  const { iid, format, permissions, unit, minValue, maxValue, minStep, validValues, textRule, description } =
    characteristic;
  const type = characteristicName(characteristic.type);
  const readable = permissions.includes('pr');
  const writable = permissions.includes('pw');
  // What a device leaves out stays out: JSON has no place for `undefined`.
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

export function ownName({ characteristics }: Service): string | null {
  for (const type of NAME_TYPES) {
    const value = characteristics.find((characteristic) => characteristic.type === type)?.value;
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return null;
}
