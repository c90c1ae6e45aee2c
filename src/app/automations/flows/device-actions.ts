/** Parsers of the actions that set devices: characteristics, groups, scenes, virtual accessories. */
import type { Accessory } from '../../../home/model.ts';
import { parseValue } from '../../../home/vocabulary/values.ts';
import { nearest } from '../../../kernel/nearest.ts';
import type { TemplateNumber } from '../field-types.ts';
import type { ActionOf } from '../flow.ts';
import { MAX_HOLD_MS, parseTemplateDuration } from '../parsing/durations.ts';
import { at, fault, invalid, missing } from '../parsing/faults.ts';
import { type Fields, given } from '../parsing/fields.ts';
import { hasTemplate, type Parsing } from '../parsing/parsing.ts';
import { resolveAccessory, resolveAccessorySetting, resolveGroup, resolveGroupSetting } from '../parsing/targets.ts';
import type { ActionParsers } from './action-parser.ts';

type DeviceActions = 'set_characteristic' | 'set_service_group' | 'execute_scene' | 'virtual' | 'restore_state';

export const DEVICE_ACTIONS: ActionParsers<DeviceActions> = {
  set_characteristic(fields, parsing) {
    const { id, accessory } = resolveAccessory(fields, parsing);
    return { accessoryId: id, ...resolveAccessorySetting(id, accessory, fields, parsing) };
  },

  set_service_group(fields, parsing) {
    requireSameHome(fields, parsing);
    const { id, accessory } = resolveGroup(fields, 'groupId', parsing);
    return { groupId: id, ...resolveGroupSetting(id, accessory, fields, parsing) };
  },

  execute_scene(fields, parsing) {
    requireSameHome(fields, parsing);
    const { state, homeId, hasScene } = parsing.context;
    const sceneId = fields.text('sceneId', "a scene's id").toLowerCase();
    const found = hasScene?.(sceneId, homeId) ?? state.scenes.find(sceneId)?.homeId === homeId;
    if (!found && !parsing.isNamedNow(sceneId)) throw fault('scene_not_found', fields.at('sceneId'), 'Scene not found');
    return { sceneId };
  },

  virtual(fields, parsing) {
    const { id: accessoryId, accessory } = resolveAccessory(fields, parsing);
    const operation = parseOperation(fields, accessory, parsing);
    const [value, duration] = [fields.raw('value'), fields.raw('duration')];
    if (operation === 'set' && value === undefined) throw missing(fields.at('value'), 'the value to set');
    const limits = { maxMs: MAX_HOLD_MS };
    return given({
      accessoryId,
      operation,
      value: value === undefined ? undefined : parseOperand(value, operation, accessory, fields, parsing),
      duration:
        duration === undefined ? undefined : parseTemplateDuration(duration, fields.at('duration'), limits, parsing),
      step: optionalCount(fields, 'step', parsing),
    });
  },

  restore_state(fields, parsing) {
    const nodeId = fields.text('nodeId', 'the id of an action that executes a scene');
    const path = fields.at('nodeId');
    parsing.afterwards(() => {
      if (parsing.actionType(nodeId) !== 'execute_scene')
        throw invalid(path, 'no action with this id executes a scene');
    });
    return { nodeId };
  },
};

/** Clients may send the home's id; it must be the automation's home. */
function requireSameHome(fields: Fields, { context }: Parsing): void {
  const homeId = fields.optionalText('homeId');
  if (homeId === undefined || homeId.toLowerCase() === context.homeId) return;
  throw fault('home_not_found', fields.at('homeId'), 'Home not found: it must be the home of the automation');
}

function parseOperation(fields: Fields, accessory: Accessory | undefined, { context }: Parsing): string {
  const operation = fields.text('operation', 'the name of an operation');
  const path = fields.at('operation');
  if (!accessory) return operation;
  if (accessory.virtual === null)
    throw invalid(fields.at('accessoryId'), `'${accessory.name}' is no virtual accessory`);
  const operations = context.virtuals?.describe(accessory)?.operations;
  if (operations === undefined || operations.some((one) => one === operation)) return operation;
  const meant = nearest(operation, operations);
  const advice = meant === undefined ? '' : `; did you mean ${meant}?`;
  throw invalid(path, `'${accessory.name}' can ${operations.join(', ')}${advice}`);
}

function parseOperand(
  input: unknown,
  operation: string,
  accessory: Accessory | undefined,
  fields: Fields,
  parsing: Parsing,
): NonNullable<ActionOf<'virtual'>['value']> {
  const path = fields.at('value');
  // A virtual accessory has one characteristic, which defines its operations; automations may operate it even if people
  // may only read it.
  const [characteristic] = accessory?.services[0]?.characteristics ?? [];
  if (operation !== 'set' || hasTemplate(input) || !characteristic) return parsing.templates(input, path) ?? '';
  return at(path, () => parseValue(characteristic, input, 'value')) ?? '';
}

/** A number, or an expression that yields one. @throws `invalid_value` */
export function optionalCount(fields: Fields, name: string, parsing: Parsing): TemplateNumber | undefined {
  const value = fields.raw(name);
  if (typeof value === 'string' && hasTemplate(value)) return parsing.template(value, fields.at(name));
  return fields.optionalNumber(name, { min: 0 });
}
