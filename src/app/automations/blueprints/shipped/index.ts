/** The blueprints of the relay, in the order in which people see them. A new one is a file and a line here. */
import type { IconName } from '../../../../home/vocabulary/icon-names.ts';
import type { InputWords } from '../input-names.ts';
import type { ReadBlueprint } from '../read-blueprint.ts';
import { awayMode } from './away-mode.ts';
import { doorLeftOpen } from './door-left-open.ts';
import { laundry } from './laundry.ts';
import { leak } from './leak.ts';
import { lowBattery } from './low-battery.ts';
import { motionLight } from './motion-light.ts';
import { nightLight } from './night-light.ts';
import { presenceLights } from './presence-lights.ts';
import { type DocumentTexts, type InputsTexts, type ShippedBlueprint, withTexts } from './shipped.ts';
import { wakeUpLight } from './wake-up-light.ts';
import { windowHeating } from './window-heating.ts';

/** The ids are stored in the automations that are made of them, and name their texts. */
const SHIPPED = {
  motion_light: motionLight,
  night_light: nightLight,
  away_mode: awayMode,
  water_leak: leak,
  window_heating: windowHeating,
  wake_up_light: wakeUpLight,
  presence_lights: presenceLights,
  laundry_done: laundry,
  door_left_open: doorLeftOpen,
  low_battery: lowBattery,
} satisfies Record<string, ShippedBlueprint>;

type ShippedId = keyof typeof SHIPPED;

/** The texts of blueprints in one language. */
export interface BlueprintTexts {
  readonly shipped: Readonly<Record<ShippedId, DocumentTexts>>;
  /** Of inputs that several of them have. */
  readonly inputs: InputsTexts;
  /** Names for the inputs of exported ones: see `InputNames`. */
  readonly exported: InputWords;
}

/** A blueprint with its texts, and what its document does not have. */
export interface FoundBlueprint {
  readonly id: string;
  readonly icon: IconName;
  readonly blueprint: ReadBlueprint;
}

export function listShipped(texts: BlueprintTexts): readonly FoundBlueprint[] {
  return Object.keys(SHIPPED)
    .filter(isShipped)
    .map((id) => shippedIn(texts, id));
}

export function findShipped(id: string, texts: BlueprintTexts): FoundBlueprint | undefined {
  return isShipped(id) ? shippedIn(texts, id) : undefined;
}

function shippedIn({ shipped, inputs }: BlueprintTexts, id: ShippedId): FoundBlueprint {
  const { icon } = SHIPPED[id];
  return { id, icon, blueprint: withTexts(SHIPPED[id], shipped[id], inputs) };
}

function isShipped(id: string): id is ShippedId {
  return Object.hasOwn(SHIPPED, id);
}
