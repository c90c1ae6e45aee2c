/**
 * Templates for flows, filled with the home's accessories. A template is offered only if the home has everything for
 * it, so it works at once and can be edited.
 */
import type { Catalogues } from 'texts:types';
import type { HomeAccessory, HomeInventory } from '../../../home/home-document.ts';
import { type Property, propertiesOf } from '../../../pickers/property.ts';
import { EMPTY_BLOCK, emptyDraft, type FlowNode, type FlowRecord, type JsonObject } from './flow-record.ts';
import { lightSensorNear } from './light-sensors.ts';
import { withIds } from './node-ids.ts';

export const TEMPLATE_KEYS = [
  'allOff',
  'lightAtSunset',
  'lightInTheEvening',
  'motionLight',
  'doorOpens',
  'doorLeftOpen',
  'leakNotice',
  'blindsBySun',
  'buttonToggles',
] as const;
export type TemplateKey = (typeof TEMPLATE_KEYS)[number];

type TemplateTexts = Catalogues['automation-editor']['templates'];

type Parts = Partial<Pick<FlowRecord, 'triggers' | 'conditions' | 'actions'>> & JsonObject;
/** @returns nothing if the home lacks a required accessory */
type Build = (inventory: HomeInventory, texts: TemplateTexts) => Parts | undefined;

const BUILDERS: Readonly<Record<TemplateKey, Build>> = {
  allOff(inventory) {
    const lights = findAll(inventory, ['light'], 'power_state');
    if (lights.length === 0) return undefined;
    return { triggers: [{ type: 'presence', event: 'lastDeparture' }], actions: lights.map((one) => set(one, false)) };
  },

  lightAtSunset(inventory) {
    const light = find(inventory, ['light', 'outlet', 'switch'], 'power_state');
    return light && { triggers: [{ type: 'sun', event: 'sunset' }], actions: [set(light, true)] };
  },

  lightInTheEvening(inventory) {
    const light = find(inventory, ['light', 'outlet', 'switch'], 'power_state');
    if (!light) return undefined;
    return {
      triggers: [{ type: 'sun', event: 'sunset' }],
      actions: [set(light, true), waitUntil(BEDTIME), set(light, false)],
    };
  },

  motionLight(inventory) {
    const motion = find(inventory, ['motion'], 'motion_detected') ?? find(inventory, ['motion'], 'occupancy_detected');
    const lights = findAll(inventory, ['light'], 'power_state');
    const light = lights.find(({ accessory }) => accessory.roomId === motion?.accessory.roomId) ?? lights[0];
    if (!motion || !light) return undefined;
    const sensor = lightSensorNear(motion, inventory);
    return {
      mode: 'restart',
      triggers: [changed(motion, motion.characteristic.format === 'bool' ? true : 1)],
      conditions: { operator: 'and', conditions: [sensor ? darkBy(sensor) : NIGHT] },
      actions: [set(light, true), { type: 'delay', duration: { minutes: 5 } }, set(light, false)],
    };
  },

  leakNotice(inventory, { messages }) {
    const leak = find(inventory, ['sensor'], 'leak_detected');
    if (!leak) return undefined;
    return {
      triggers: [changed(leak, 1)],
      actions: [{ type: 'notify', message: messages.leak({ name: leak.accessory.name }) }],
    };
  },

  blindsBySun(inventory) {
    const blind = find(inventory, ['blind'], 'target_position');
    if (!blind) return undefined;
    return {
      triggers: [
        { type: 'sun', event: 'sunrise' },
        { type: 'sun', event: 'sunset' },
      ],
      actions: [
        {
          type: 'if_then_else',
          condition: { operator: 'and', conditions: [{ type: 'sun', after: 'sunrise', before: 'sunset' }] },
          ...{ [THEN]: [set(blind, 100)], else: [set(blind, 0)] },
        },
      ],
    };
  },

  buttonToggles(inventory) {
    const button = find(inventory, ['button'], 'programmable_switch_event');
    const lamp = find(inventory, ['light', 'outlet', 'switch'], 'power_state');
    if (!button || !lamp) return undefined;
    const isOn: FlowNode = { ...targetOf(lamp), type: 'state', value: true };
    return {
      triggers: [changed(button, 0)],
      actions: [
        {
          type: 'if_then_else',
          condition: { operator: 'and', conditions: [isOn] },
          ...{ [THEN]: [set(lamp, false)], else: [set(lamp, true)] },
        },
      ],
    };
  },

  doorOpens(inventory, { messages }) {
    const door = find(inventory, ['contact'], 'contact_state');
    if (!door) return undefined;
    return {
      triggers: [changed(door, 1)],
      actions: [{ type: 'notify', message: messages.doorOpens({ name: door.accessory.name }) }],
    };
  },

  doorLeftOpen(inventory, { messages }) {
    const door = find(inventory, ['contact'], 'contact_state');
    if (!door) return undefined;
    return {
      triggers: [{ ...changed(door, 1), for: { minutes: 10 } }],
      actions: [{ type: 'notify', message: messages.doorOpen({ name: door.accessory.name }) }],
    };
  },
};

const NIGHT: FlowNode = { type: 'sun', after: 'sunset', before: 'sunrise' };
/** About the light of a room in which one turns on a lamp. */
const DARK_LUX = 50;
const BEDTIME = '23:00';

/** The record's key; a computed key keeps linters from reading the object as a thenable. */
const THEN = 'then';

/** The templates that this home has everything for. */
export function templatesFor(inventory: HomeInventory, texts: TemplateTexts): ReadonlyMap<TemplateKey, FlowRecord> {
  return new Map(
    TEMPLATE_KEYS.flatMap((key) => {
      const parts = BUILDERS[key](inventory, texts);
      if (!parts) return [];
      const flow = { ...emptyDraft(texts.names[key]), conditions: EMPTY_BLOCK, ...parts } as FlowRecord;
      return [[key, withIds(flow)] as const];
    }),
  );
}

function findAll(inventory: HomeInventory, types: readonly string[], characteristicType: string): readonly Property[] {
  const accessories = types.flatMap((type) => inventory.accessories.filter((one) => one.type === type && isThere(one)));
  return accessories.flatMap(
    (accessory) => propertiesOf(accessory).find((property) => property.characteristicType === characteristicType) ?? [],
  );
}

function find(inventory: HomeInventory, types: readonly string[], characteristicType: string): Property | undefined {
  return findAll(inventory, types, characteristicType)[0];
}

function isThere({ vanishedAt }: HomeAccessory): boolean {
  return vanishedAt === null;
}

function targetOf({ accessoryId, characteristicType }: Property): JsonObject {
  return { accessoryId, characteristicType };
}

function changed(property: Property, to: boolean | number): FlowNode {
  return { type: 'state', ...targetOf(property), to };
}

function set(property: Property, value: boolean | number): FlowNode {
  return { type: 'set_characteristic', ...targetOf(property), value };
}

function darkBy(sensor: Property): FlowNode {
  return { type: 'numeric_state', ...targetOf(sensor), below: DARK_LUX };
}

/** Waits until the clocks show this time. */
export function waitUntil(at: string): FlowNode {
  return { type: 'wait_for_trigger', triggers: [{ type: 'time', at }], continueOnTimeout: true };
}
