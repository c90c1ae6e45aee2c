/**
 * Actions of flows in the tools' format (wire-facts §11.2). One row per kind, for both directions. An action on a
 * device sets several properties at once, where the record has one action for each: these have the ids
 * `<id>.<property>`, by which they are merged again.
 */
import { z } from 'zod';
import { ACTION_FIELDS } from '../../../app/automations/actions/common-fields.ts';
import { delay } from '../../../app/automations/actions/delay.ts';
import type { Action, ActionOf } from '../../../app/automations/actions/index.ts';
import { notify } from '../../../app/automations/actions/notify.ts';
import { virtual } from '../../../app/automations/actions/virtual.ts';
import { DURATION } from '../../../app/automations/parsing/durations.ts';
import { invalid, missing } from '../../../app/automations/parsing/faults.ts';
import { given } from '../../../app/automations/parsing/fields.ts';
import { presentDuration } from './durations.ts';
import type { HomeWords } from './home-words.ts';
import { KindFields, plainRow } from './kind-fields.ts';
import { type Node, presentTarget, presentUnsupported, readType, type WireNode } from './node.ts';
import { canonicalProperty, presentSetting, propertiesOf, requireProperty, type WireSetting } from './settings.ts';
import { SCENE, TARGET, VIRTUAL } from './vocabulary.ts';

export const ACTION_TYPES = ['device', 'virtual', 'scene', 'delay', 'notify'] as const;
type WireType = (typeof ACTION_TYPES)[number];

interface Row {
  /** For clients that write one; `read` does the actual checks. */
  readonly schema: z.ZodRawShape;
  read(node: Node): WireNode;
}

const COMMON = new KindFields(ACTION_FIELDS);
const VIRTUAL_FIELDS = new KindFields(virtual.fields);
const NOTIFY = plainRow(notify);
/** Its parts may stand in the action itself. */
const UNITS = DURATION.keyof().options;

/** All but actions on devices, which are several in the record. */
const ROWS: Readonly<Record<Exclude<WireType, 'device'>, Row>> = {
  virtual: {
    schema: { virtual: VIRTUAL, ...VIRTUAL_FIELDS.schema },
    read(node) {
      node.place('accessoryId', 'virtual');
      return { type: 'virtual', accessoryId: node.words.virtual(node.fields).id, ...VIRTUAL_FIELDS.read(node) };
    },
  },

  scene: {
    schema: { scene: SCENE },
    read(node) {
      node.place('sceneId', 'scene');
      return { type: 'execute_scene', sceneId: node.words.sceneId(node.fields) };
    },
  },

  delay: {
    schema: { seconds: DURATION.shape.seconds, ...z.object(new KindFields(delay.fields).schema).partial().shape },
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

  notify: NOTIFY,
};

export const ACTIONS: Readonly<Record<WireType, Pick<Row, 'schema'>>> = {
  device: { schema: TARGET },
  ...ROWS,
};

/** Fields of an action on a device that are not properties. */
const NO_PROPERTIES: ReadonlySet<string> = new Set([
  'type',
  'room',
  'id',
  ...Object.keys(TARGET),
  ...Object.keys(COMMON.schema),
]);

/** @param nodeAt the same action at a position of the record: it becomes several there */
export function readAction(input: object, nodeAt: (offset: number) => Node, freeId: () => string): readonly WireNode[] {
  const node = nodeAt(0);
  const type = readType(node.fields, ACTION_TYPES, 'action');
  const base = { id: node.take('id'), ...COMMON.read(node) };
  const actions =
    type === 'device' ? readDevice(input, nodeAt, base, freeId) : [given({ ...base, ...ROWS[type].read(node) })];
  node.fields.done();
  return actions;
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
    case 'virtual':
      return { type: action.type, virtual: words.keyOf(action.accessoryId), ...VIRTUAL_FIELDS.present(action) };
    case 'execute_scene':
      return { type: 'scene', scene: words.sceneName(action.sceneId) };
    case 'delay': {
      const wire = presentDuration(action.duration);
      return typeof wire === 'number' ? { type: 'delay', seconds: wire } : { type: 'delay', duration: wire };
    }
    case 'notify':
      return NOTIFY.present(action);
    default:
      return undefined;
  }
}

/** Shown only if they differ from the default. */
function presentBase(action: Action): WireNode {
  const { enabled, on_error, ...common } = COMMON.present(action);
  return { ...common, enabled: enabled ? undefined : false, on_error: on_error === 'stop' ? undefined : on_error };
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
