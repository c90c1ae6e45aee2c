/**
 * Parses the events of a dry run, each of one kind: `set`, `press`, `presence`, `move`, `webhook`, `event`,
 * `reachable`, `connected`.
 */
import { PROGRAMMABLE_SWITCH_EVENT } from '../../../home/home-state.ts';
import type { CharacteristicValue, HapId } from '../../../home/model.ts';
import type { Json } from '../../../kernel/json.ts';
import { fault, invalid, missing } from '../parsing/faults.ts';
import type { Fields } from '../parsing/fields.ts';
import { parseJson } from '../parsing/json.ts';
import type { Parsing } from '../parsing/parsing.ts';
import { resolveAccessory, resolveReading } from '../parsing/targets.ts';

/** An event in the home. */
export type ScenarioEvent =
  | { readonly type: 'set'; readonly accessoryId: string; readonly iid: HapId; readonly value: CharacteristicValue }
  | { readonly type: 'press'; readonly accessoryId: string; readonly iid: HapId; readonly value: number }
  | { readonly type: 'presence'; readonly personId: string; readonly atHome: boolean }
  | {
      readonly type: 'move';
      readonly personId: string;
      readonly latitude: number;
      readonly longitude: number;
      readonly accuracyM: number;
    }
  /** Without an id: the webhook of the automation itself. */
  | { readonly type: 'webhook'; readonly webhookId: string | null; readonly payload: Json }
  | { readonly type: 'event'; readonly eventType: string; readonly eventData: Json }
  | { readonly type: 'reachable'; readonly accessoryId: string; readonly reachable: boolean }
  | { readonly type: 'connected'; readonly connected: boolean };

const PRESSES = ['single', 'double', 'long'] as const;
const DEFAULT_ACCURACY_M = 10;

const PARSERS: {
  readonly [T in ScenarioEvent['type']]: (fields: Fields, parsing: Parsing) => Extract<ScenarioEvent, { type: T }>;
} = {
  set: parseSet,
  press: parsePress,
  presence: (fields, parsing) => ({
    type: 'presence',
    personId: personId(fields, parsing),
    atHome: flag(fields, 'atHome'),
  }),
  move: (fields, parsing) => ({
    type: 'move',
    personId: personId(fields, parsing),
    latitude: fields.number('latitude', { min: -90, max: 90 }),
    longitude: fields.number('longitude', { min: -180, max: 180 }),
    accuracyM: fields.optionalNumber('accuracyM', { min: 0 }) ?? DEFAULT_ACCURACY_M,
  }),
  webhook: (fields) => ({
    type: 'webhook',
    webhookId: fields.optionalText('webhookId') ?? null,
    payload: json(fields, 'payload'),
  }),
  event: (fields) => ({
    type: 'event',
    eventType: fields.text('eventType'),
    eventData: json(fields, 'eventData'),
  }),
  reachable: (fields, parsing) => ({
    type: 'reachable',
    accessoryId: accessoryOf(fields, parsing).id,
    reachable: flag(fields, 'reachable'),
  }),
  connected: (fields) => ({ type: 'connected', connected: flag(fields, 'connected') }),
};
const TYPES = Object.keys(PARSERS) as readonly ScenarioEvent['type'][];

/**
 * @throws `invalid_request` no kind, or several · `invalid_value` · `accessory_not_found` · `characteristic_not_found`
 * · `person_not_found`
 */
export function parseScenarioEvent(event: Fields, parsing: Parsing): ScenarioEvent {
  const [type, ...others] = TYPES.filter((one) => event.has(one));
  if (type === undefined) throw missing(event.path, `what happens: one of ${TYPES.join(', ')}`);
  if (others.length > 0) throw invalid(event.path, `one thing happens at a time: ${type} or ${others[0]}`);
  const fields = event.object(type) as Fields;
  const parsed = PARSERS[type](fields, parsing);
  fields.done();
  return parsed;
}

function parseSet(fields: Fields, parsing: Parsing): Extract<ScenarioEvent, { type: 'set' }> {
  const accessory = accessoryOf(fields, parsing);
  const resolved = resolveReading({ target: { accessoryId: accessory.id }, accessory }, fields, parsing);
  const { characteristic } = resolved;
  const path = fields.at('characteristicType');
  if (!characteristic) throw fault('characteristic_not_found', path, 'Characteristic not found');
  if (characteristic.type === PROGRAMMABLE_SWITCH_EVENT) throw invalid(path, 'it has no value; use press');
  const value = resolved.value(fields.required('value', 'the value that it gets'), fields.at('value'));
  return { type: 'set', accessoryId: accessory.id, iid: characteristic.iid, value };
}

function parsePress(fields: Fields, parsing: Parsing): Extract<ScenarioEvent, { type: 'press' }> {
  const accessory = accessoryOf(fields, parsing);
  const buttons = accessory.services
    .flatMap(({ characteristics }) => characteristics)
    .filter(({ type }) => type === PROGRAMMABLE_SWITCH_EVENT);
  const number = fields.optionalNumber('button', { min: 1, max: Math.max(1, buttons.length), integer: true }) ?? 1;
  const button = buttons[number - 1];
  if (!button) throw fault('characteristic_not_found', fields.at('accessoryId'), `"${accessory.name}" has no button`);
  return {
    type: 'press',
    accessoryId: accessory.id,
    iid: button.iid,
    value: PRESSES.indexOf(fields.optionalOneOf('value', PRESSES) ?? 'single'),
  };
}

function accessoryOf(fields: Fields, parsing: Parsing) {
  const { accessory } = resolveAccessory(fields, parsing);
  if (accessory) return accessory;
  throw fault('accessory_not_found', fields.at('accessoryId'), 'Accessory not found');
}

function personId(fields: Fields, { context }: Parsing): string {
  const id = fields.text('personId', "a person's id").toLowerCase();
  if (context.people?.people(context.homeId).some((person) => person.id === id)) return id;
  throw fault('person_not_found', fields.at('personId'), 'Person not found');
}

function flag(fields: Fields, name: string): boolean {
  fields.required(name, 'true or false');
  return fields.boolean(name, false);
}

function json(fields: Fields, name: string) {
  return parseJson(fields.raw(name) ?? {}, fields.at(name));
}
