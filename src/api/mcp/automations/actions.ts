/**
 * Actions of flows in the tools' format (wire-facts §11.2). One row per kind, for both directions. An action on a
 * device sets several properties at once, where the record has one action for each: these have the ids
 * `<id>.<property>`, by which they are merged again.
 */
import { z } from 'zod';
import { ERROR_POLICIES } from '../../../app/automations/action-node.ts';
import type { Action, ActionOf } from '../../../app/automations/actions/index.ts';
import { invalid, missing } from '../../../app/automations/parsing/faults.ts';
import { given } from '../../../app/automations/parsing/fields.ts';
import { VIRTUAL_OPERATIONS } from '../../../home/virtual-driver.ts';
import { presentDuration } from './durations.ts';
import type { HomeWords } from './home-words.ts';
import { type Node, presentTarget, presentUnsupported, readType, type WireNode } from './node.ts';
import { canonicalProperty, presentSetting, propertiesOf, requireProperty, type WireSetting } from './settings.ts';
import { ACCESSORY, DURATION, SERVICE_GROUP, VALUE } from './vocabulary.ts';

export const ACTION_TYPES = ['device', 'virtual', 'scene', 'delay', 'notify'] as const;
type WireType = (typeof ACTION_TYPES)[number];

interface Row {
  /** For clients that write one; `read` does the actual checks. */
  readonly schema: z.ZodRawShape;
  read(node: Node): WireNode;
}

/** Common fields of actions. Shown only if they differ from the default. */
export const BASE = {
  id: z.string().optional().describe('Kept when an automation is changed; made where left out'),
  alias: z.string().optional(),
  enabled: z.boolean().optional(),
  on_error: z.enum(ERROR_POLICIES).optional(),
  max_retries: z.int().optional(),
  retry_delay_ms: z.int().optional(),
};

const TEXT = z.string().describe('May hold {{ expressions }}');
const UNITS = ['hours', 'minutes', 'seconds'] as const;

/** All but actions on devices, which are several in the record. */
const ROWS: Readonly<Record<Exclude<WireType, 'device'>, Row>> = {
  virtual: {
    schema: {
      virtual: ACCESSORY.describe('Key or name of a virtual accessory'),
      operation: z.enum(VIRTUAL_OPERATIONS),
      value: VALUE.optional().describe('For set'),
      duration: DURATION.optional().describe('For start: seconds, or {hours, minutes, seconds}, if not its own'),
      step: z.number().optional().describe('For increment and decrement'),
    },
    read(node) {
      node.place('accessoryId', 'virtual');
      const { id } = node.words.virtual(node.fields);
      const [operation, value, step] = [node.take('operation'), node.take('value'), node.take('step')];
      return { type: 'virtual', accessoryId: id, operation, value, duration: node.duration('duration'), step };
    },
  },

  scene: {
    schema: { scene: z.string().describe('Name of a scene') },
    read(node) {
      node.place('sceneId', 'scene');
      return { type: 'execute_scene', sceneId: node.words.sceneId(node.fields) };
    },
  },

  delay: {
    schema: {
      seconds: z.number().optional(),
      duration: DURATION.optional().describe('Instead of seconds: {hours, minutes, seconds}'),
    },
    read(node) {
      const { fields } = node;
      const parts = UNITS.filter((unit) => fields.has(unit));
      if (parts.length === 0) return { type: 'delay', duration: node.duration('duration') };
      if (fields.has('duration')) throw invalid(fields.at('duration'), `give it or ${parts.join(' and ')}, not both`);
      node.place('duration', parts[0] ?? 'seconds');
      for (const unit of parts) node.place(`duration.${unit}`, unit);
      return { type: 'delay', duration: Object.fromEntries(parts.map((unit) => [unit, fields.raw(unit)])) };
    },
  },

  notify: {
    schema: { message: TEXT, title: TEXT.optional(), icon: z.string().optional(), icon_color: z.string().optional() },
    read: (node) => ({
      type: 'notify',
      message: node.take('message'),
      title: node.take('title'),
      icon: node.take('icon'),
      iconColor: node.take('iconColor', 'icon_color'),
      data: node.take('data'),
    }),
  },
};

export const ACTIONS: Readonly<Record<WireType, Pick<Row, 'schema'>>> = {
  device: { schema: { accessory: ACCESSORY.optional(), service_group: SERVICE_GROUP.optional() } },
  ...ROWS,
};

/** Fields of an action on a device that are not properties. */
const NO_PROPERTIES: ReadonlySet<string> = new Set([
  'type',
  'accessory',
  'room',
  'service_group',
  ...Object.keys(BASE),
]);

/** @param nodeAt the same action at a position of the record: it becomes several there */
export function readAction(input: object, nodeAt: (offset: number) => Node, freeId: () => string): readonly WireNode[] {
  const node = nodeAt(0);
  const type = readType(node.fields, ACTION_TYPES, 'action');
  const base = readBase(node);
  const actions =
    type === 'device' ? readDevice(input, nodeAt, base, freeId) : [given({ ...base, ...ROWS[type].read(node) })];
  node.fields.done();
  return actions;
}

function readBase(node: Node): WireNode {
  return {
    id: node.take('id'),
    alias: node.take('alias'),
    enabled: node.take('enabled'),
    onError: node.take('onError', 'on_error'),
    maxRetries: node.take('maxRetries', 'max_retries'),
    retryDelayMs: node.take('retryDelayMs', 'retry_delay_ms'),
  };
}

function readDevice(
  input: object,
  nodeAt: (offset: number) => Node,
  base: WireNode,
  freeId: () => string,
): readonly WireNode[] {
  const { fields } = nodeAt(0);
  const { target, accessory } = nodeAt(0).target();
  const properties = Object.keys(input).filter((name) => !NO_PROPERTIES.has(name) && fields.has(name));
  if (properties.length === 0) {
    const known = propertiesOf(accessory).join(', ');
    throw missing(fields.at(propertiesOf(accessory)[0] ?? 'on'), `a value to set; '${accessory.name}' has ${known}`);
  }
  const id = properties.length === 1 ? base.id : (base.id ?? freeId());
  return properties.map((property, offset) => {
    const node = nodeAt(offset);
    requireProperty(accessory, property, fields.at(property));
    for (const name of ['characteristicType', 'value']) node.place(name, property);
    for (const name of ['accessoryId', 'groupId'])
      node.place(name, fields.has('accessory') ? 'accessory' : 'service_group');
    node.place('id', 'id');
    return given({
      ...base,
      id: properties.length === 1 ? id : `${id}.${canonicalProperty(accessory, property)}`,
      ...(fields.has('accessory')
        ? { type: 'set_characteristic', ...target }
        : { type: 'set_service_group', groupId: target.serviceGroupId }),
      characteristicType: property,
      value: fields.raw(property),
    });
  });
}

export interface WireAction {
  readonly wire: WireNode;
  /** The record's actions that it represents. */
  readonly records: readonly Action[];
}

export function presentActions(actions: readonly Action[], words: HomeWords): readonly WireAction[] {
  const wire: WireAction[] = [];
  for (let index = 0; index < actions.length; ) {
    const one = presentTogether(actions, index, words) ?? presentAlone(actions[index] as Action, words);
    wire.push(one);
    index += one.records.length;
  }
  return wire;
}

function presentAlone(action: Action, words: HomeWords): WireAction {
  const own = presentOwn(action, words);
  return {
    wire: own ? given({ id: action.id, ...own, ...presentBase(action) }) : presentUnsupported(action),
    records: [action],
  };
}

type DeviceAction = ActionOf<'set_characteristic' | 'set_service_group'>;

/** The actions from `start` on that belong to one action on a device. */
function presentTogether(actions: readonly Action[], start: number, words: HomeWords): WireAction | undefined {
  const parts: { readonly action: DeviceAction; readonly setting: WireSetting }[] = [];
  let base: string | undefined;
  for (const action of actions.slice(start)) {
    if (!isDevice(action)) break;
    const { setting, id } = splitId(action, words);
    const [first] = parts;
    const fits = id !== undefined && !parts.some((part) => part.setting.property === setting.property);
    if (!fits || (first && (id !== base || !isAlike(first.action, action)))) break;
    base = id;
    parts.push({ action, setting });
  }
  const [first] = parts;
  if (!first || parts.length < 2) return undefined;
  const settings = Object.fromEntries(parts.map(({ setting }) => [setting.property, setting.value]));
  const wire = given({
    id: base,
    type: 'device',
    ...presentDevice(first.action, words),
    ...settings,
    ...presentBase(first.action),
  });
  return { wire, records: parts.map(({ action }) => action) };
}

/** `<id>.<property>`: the id, if it has this form. */
function splitId(action: DeviceAction, words: HomeWords): { setting: WireSetting; id: string | undefined } {
  const setting = presentItsSetting(action, words);
  const ending = `.${setting.property}`;
  const isMade = action.id.endsWith(ending) && action.id.length > ending.length && isSayable(setting);
  return { setting, id: isMade ? action.id.slice(0, -ending.length) : undefined };
}

function presentOwn(action: Action, words: HomeWords): WireNode | undefined {
  switch (action.type) {
    case 'set_characteristic':
    case 'set_service_group': {
      const setting = presentItsSetting(action, words);
      if (!isSayable(setting)) return undefined;
      return { type: 'device', ...presentDevice(action, words), [setting.property]: setting.value };
    }
    case 'virtual': {
      const { type, accessoryId, operation, value, duration, step } = action;
      const wire = duration === undefined ? undefined : presentDuration(duration);
      return { type, virtual: words.keyOf(accessoryId), operation, value, duration: wire, step };
    }
    case 'execute_scene':
      return { type: 'scene', scene: words.sceneName(action.sceneId) };
    case 'delay': {
      const wire = presentDuration(action.duration);
      return typeof wire === 'number' ? { type: 'delay', seconds: wire } : { type: 'delay', duration: wire };
    }
    case 'notify': {
      const { type, message, title, icon, iconColor, data } = action;
      return { type, message, title, icon, icon_color: iconColor, data };
    }
    default:
      return undefined;
  }
}

function presentBase({ alias, enabled, onError, maxRetries, retryDelayMs }: Action): WireNode {
  return {
    alias,
    enabled: enabled ? undefined : false,
    on_error: onError === 'stop' ? undefined : onError,
    max_retries: maxRetries,
    retry_delay_ms: retryDelayMs,
  };
}

function isDevice(action: Action): action is DeviceAction {
  return action.type === 'set_characteristic' || action.type === 'set_service_group';
}

function targetOf(action: DeviceAction): Parameters<typeof presentTarget>[0] {
  return action.type === 'set_characteristic'
    ? { accessoryId: action.accessoryId }
    : { serviceGroupId: action.groupId };
}

function presentDevice(action: DeviceAction, words: HomeWords): WireNode {
  return presentTarget(targetOf(action), words).wire;
}

function presentItsSetting(action: DeviceAction, words: HomeWords): WireSetting {
  const { accessory } = presentTarget(targetOf(action), words);
  return presentSetting(accessory, action.characteristicType, action.value, action.type === 'set_service_group');
}

/** A property with the name of a common field would be ambiguous, and so would `null`, which also means absent. */
function isSayable({ property, value }: WireSetting): boolean {
  return !NO_PROPERTIES.has(property) && !(property in {}) && value !== null;
}

function isAlike(one: DeviceAction, other: DeviceAction): boolean {
  const alike = (action: DeviceAction) => JSON.stringify([action.type, targetOf(action), presentBase(action)]);
  return alike(one) === alike(other);
}
