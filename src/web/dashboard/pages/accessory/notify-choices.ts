/**
 * What an accessory can notify people of with one switch. A switch stands for an automation of the home, which the list
 * of automations shows like any other; the editor's own data in it names the switch that made it.
 */
import type { HomeAccessory } from '../../home/home-document.ts';
import { propertiesOf } from '../../pickers/property.ts';
import { emptyFlow, type FlowNode, type FlowRecord, isObject, textOf } from '../automations/flow/flow-record.ts';
import { withIds } from '../automations/flow/node-ids.ts';

export type NotifyKey =
  | 'opens'
  | 'unlocked'
  | 'motion'
  | 'occupancy'
  | 'leak'
  | 'smoke'
  | 'gas'
  | 'lowBattery'
  | 'offline';

export interface NotifyChoice {
  readonly key: NotifyKey;
  readonly trigger: FlowNode;
}

/** The characteristics, and the values of which people want to know. */
const EVENTS: readonly (readonly [key: NotifyKey, characteristicType: string, to: boolean | number])[] = [
  ['opens', 'contact_state', 1],
  ['opens', 'current_door_state', 0],
  ['unlocked', 'lock_current_state', 0],
  ['motion', 'motion_detected', true],
  ['occupancy', 'occupancy_detected', 1],
  ['leak', 'leak_detected', 1],
  ['smoke', 'smoke_detected', 1],
  ['gas', 'carbon_monoxide_detected', 1],
  ['lowBattery', 'status_low_battery', 1],
];
/** As a device that only restarts is back by then. */
const OFFLINE_MINUTES = 10;

/** The field of the editor's own data that names the switch. */
const MADE_BY = 'notifyWhen';

/** About the device itself, not about what it is for. */
const UPKEEP: ReadonlySet<NotifyKey> = new Set(['lowBattery', 'offline']);

export function isUpkeep({ key }: NotifyChoice): boolean {
  return UPKEEP.has(key);
}

export function notifyChoicesOf(accessory: HomeAccessory): readonly NotifyChoice[] {
  const accessoryId = accessory.id;
  const reported = new Set(propertiesOf(accessory).map(({ characteristicType }) => characteristicType));
  const events = EVENTS.filter(([, characteristicType]) => reported.has(characteristicType)).map(
    ([key, characteristicType, to]): NotifyChoice => ({
      key,
      trigger: { type: 'state', accessoryId, characteristicType, to },
    }),
  );
  const unique = events.filter(({ key }, index) => events.findIndex((other) => other.key === key) === index);
  if (accessory.isVirtual) return unique;
  const lost = { type: 'device_availability', accessoryId, to: 'unavailable', for: { minutes: OFFLINE_MINUTES } };
  return [...unique, { key: 'offline', trigger: lost }];
}

/** @param name of the automation @param message the notification */
export function notifyFlow(
  accessoryId: string,
  { key, trigger }: NotifyChoice,
  name: string,
  message: string,
): FlowRecord {
  return withIds({
    ...emptyFlow(name),
    triggers: [trigger],
    actions: [{ type: 'notify', message }],
    uiState: { [MADE_BY]: switchKey(accessoryId, key) },
  });
}

export interface StoredFlow {
  readonly id: string;
  readonly enabled: boolean;
  readonly dataJson: string;
}

/** The automation that a switch stands for. One that is on comes first: duplicates may be off. */
export function flowOfSwitch(
  flows: readonly StoredFlow[],
  accessoryId: string,
  key: NotifyKey,
): StoredFlow | undefined {
  const own = flows.filter(({ dataJson }) => madeBy(dataJson) === switchKey(accessoryId, key));
  return own.find(({ enabled }) => enabled) ?? own[0];
}

function madeBy(dataJson: string): string {
  const data: unknown = JSON.parse(dataJson);
  return isObject(data) && isObject(data.uiState) ? textOf(data.uiState, MADE_BY) : '';
}

function switchKey(accessoryId: string, key: NotifyKey): string {
  return `${accessoryId} ${key}`;
}
