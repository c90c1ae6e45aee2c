/**
 * Watches the value of one characteristic of an accessory, or of a service group presented as one accessory
 * (`home/group-accessory.ts`). Only device changes count: becoming reachable, a new description or joining a group
 * does not.
 */
import type { HomeEvents } from '../../../home/events.ts';
import { asAccessory, membersOf } from '../../../home/group-accessory.ts';
import type { Accessory, Characteristic, CharacteristicValue, Service, ServiceGroup } from '../../../home/model.ts';
import { resolveCharacteristic } from '../../../home/vocabulary/settings.ts';
import { presentValue } from '../../../home/vocabulary/values.ts';
import { looseEqual } from '../expressions/values.ts';
import type { Target } from '../field-types.ts';
import { type Cause, NO_CAUSE } from '../scope.ts';
import type { TriggerWatch } from './trigger-kind.ts';

export interface ValueChange {
  /** Presented values; `null` for an unknown value. */
  readonly from: CharacteristicValue;
  readonly to: CharacteristicValue;
  /** The accessory that changed: for a group, one of its members. */
  readonly accessoryId: string;
  /** The automations that caused it. */
  readonly cause: Cause;
  /** A button was pressed: an event without a state. Only the person who pressed caused it. */
  readonly isPress: boolean;
}

export interface WatchedValue {
  /** `null` if the value is unknown; `undefined` if the characteristic does not exist. */
  current(): CharacteristicValue | undefined;
  /** Whether all devices behind it have responded since the start: until then values are remembered ones. */
  isReachable(): boolean;
  stop(): void;
}

export type WatchedCharacteristic = Target & { readonly characteristicType: string };

export function watchValue(
  target: WatchedCharacteristic,
  watch: Pick<TriggerWatch, 'homeId' | 'triggerDeps'>,
  changed: (change: ValueChange) => void,
): WatchedValue {
  return target.serviceGroupId === undefined
    ? watchAccessory(target.accessoryId, target.characteristicType, watch, changed)
    : watchGroup(target.serviceGroupId, target.characteristicType, watch, changed);
}

function watchAccessory(
  accessoryId: string,
  characteristicType: string,
  { homeId, triggerDeps }: Pick<TriggerWatch, 'homeId' | 'triggerDeps'>,
  changed: (change: ValueChange) => void,
): WatchedValue {
  const { state, causes } = triggerDeps;
  const find = finder(characteristicType);
  const current = (): Characteristic | undefined => find(state.accessoryIn(homeId, accessoryId));
  const stop = triggerDeps.accessoryEvents.on(accessoryId, {
    changed(event) {
      const characteristic = current();
      if (characteristic?.iid !== event.iid) return;
      const from = presentAs(characteristic, event.previous);
      const to = presentAs(characteristic, event.value);
      if (!looseEqual(from, to))
        changed({ from, to, accessoryId, cause: causes.of(event, characteristic), isPress: false });
    },
    pressed(event) {
      if (current()?.iid !== event.iid) return;
      changed({ from: null, to: event.value, accessoryId, cause: NO_CAUSE, isPress: true });
    },
  });
  return {
    current: () => shownValue(current()),
    isReachable: () => state.accessoryIn(homeId, accessoryId) !== undefined && state.isAnswering(accessoryId),
    stop,
  };
}

function watchGroup(
  groupId: string,
  characteristicType: string,
  { homeId, triggerDeps }: Pick<TriggerWatch, 'homeId' | 'triggerDeps'>,
  changed: (change: ValueChange) => void,
): WatchedValue {
  const { state, bus, accessoryEvents, causes } = triggerDeps;
  const find = finder(characteristicType);
  let group: ServiceGroup | undefined;
  let members: (() => void)[] = [];
  let last: CharacteristicValue = null;
  const current = (): CharacteristicValue | undefined => shownValue(find(group && asAccessory(group, state)));

  function look(event: HomeEvents['state.changed']): void {
    const from = last;
    last = current() ?? null;
    if (looseEqual(from, last)) return;
    const cause = causes.of(event, state.characteristic(event));
    changed({ from, to: last, accessoryId: event.accessoryId, cause, isPress: false });
  }
  /** Re-reads the group and resets the baseline. */
  function take(): void {
    const found = state.serviceGroups.find(groupId);
    const own = found?.homeId === homeId ? found : undefined;
    if (own !== group) {
      group = own;
      for (const end of members.splice(0)) end();
      const ids = new Set(own?.members.map(({ accessoryId }) => accessoryId));
      members = [...ids].map((id) => accessoryEvents.on(id, { changed: look }));
    }
    last = current() ?? null;
  }

  take();
  const stopWatchingLayout = bus.on('layout.changed', (event) => {
    if (event.homeId === homeId) take();
  });
  return {
    current,
    isReachable: () =>
      group !== undefined && membersOf(group, state).every(({ accessory }) => state.isAnswering(accessory.id)),
    stop() {
      stopWatchingLayout();
      for (const end of members.splice(0)) end();
    },
  };
}

/** Looks a characteristic up by its name once per list of services of its accessory. */
function finder(characteristicType: string): (accessory: Accessory | undefined) => Characteristic | undefined {
  let services: readonly Service[] | undefined;
  let found: Characteristic | undefined;
  return (accessory) => {
    if (!accessory) return undefined;
    if (accessory.services !== services) {
      services = accessory.services;
      found = findCharacteristic(accessory, characteristicType);
    }
    return found;
  };
}

function findCharacteristic(accessory: Accessory, characteristicType: string): Characteristic | undefined {
  try {
    return resolveCharacteristic(accessory, characteristicType).characteristic;
  } catch {
    // The accessory is not described yet, or no longer: there is nothing to watch until it is.
    return undefined;
  }
}

function shownValue(characteristic: Characteristic | undefined): CharacteristicValue | undefined {
  return characteristic && presentValue(characteristic);
}

function presentAs(characteristic: Characteristic, value: CharacteristicValue): CharacteristicValue {
  return presentValue(value === characteristic.value ? characteristic : { ...characteristic, value });
}
