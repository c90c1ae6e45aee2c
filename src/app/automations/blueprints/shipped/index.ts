/** The blueprints of the relay, in the order in which people see them. A new one is a file and a line here. */
import type { BlueprintLanguage } from '../../../../contract/blueprints.ts';
import type { ReadBlueprint } from '../read-blueprint.ts';
import { awayMode } from './away-mode.ts';
import { doorLeftOpen } from './door-left-open.ts';
import { laundry } from './laundry.ts';
import { leak } from './leak.ts';
import { lowBattery } from './low-battery.ts';
import { motionLight } from './motion-light.ts';
import { nightLight } from './night-light.ts';
import { presenceLights } from './presence-lights.ts';
import type { Shipped } from './shipped.ts';
import { wakeUpLight } from './wake-up-light.ts';
import { windowHeating } from './window-heating.ts';

/** The ids are stored in the automations that are made of them. */
const SHIPPED: ReadonlyMap<string, Shipped> = new Map([
  ['motion_light', motionLight],
  ['night_light', nightLight],
  ['away_mode', awayMode],
  ['water_leak', leak],
  ['window_heating', windowHeating],
  ['wake_up_light', wakeUpLight],
  ['presence_lights', presenceLights],
  ['laundry_done', laundry],
  ['door_left_open', doorLeftOpen],
  ['low_battery', lowBattery],
]);

export function listShipped(language: BlueprintLanguage) {
  return [...SHIPPED].map(([id, make]) => ({ id, blueprint: make(language) }));
}

export function findShipped(id: string, language: BlueprintLanguage): ReadBlueprint | undefined {
  return SHIPPED.get(id)?.(language);
}
