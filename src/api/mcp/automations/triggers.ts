/** Triggers of flows in the tools' format (wire-facts §11.2). One row per kind, for both directions. */

import { z } from 'zod';
import { invalid } from '../../../app/automations/parsing/faults.ts';
import { given } from '../../../app/automations/parsing/fields.ts';
import type { Trigger, TriggerOf } from '../../../app/automations/triggers/index.ts';
import { sun } from '../../../app/automations/triggers/sun.ts';
import { time } from '../../../app/automations/triggers/time.ts';
import { webhook } from '../../../app/automations/triggers/webhook.ts';
import type { CharacteristicValue } from '../../../home/model.ts';
import { presentDuration } from './durations.ts';
import type { HomeWords } from './home-words.ts';
import { type Node, presentTarget, presentUnsupported, readType, type WireNode } from './node.ts';
import { plainRow } from './plain-row.ts';
import { presentNumeric, presentReading, propertyOfVirtual, requireNumeric } from './settings.ts';
import { ACCESSORY, CHARACTERISTIC, DURATION, SERVICE_GROUP, VALUE } from './vocabulary.ts';

export const TRIGGER_TYPES = ['device', 'numeric', 'virtual', 'time', 'sun', 'webhook'] as const;
type WireType = (typeof TRIGGER_TYPES)[number];

interface Row {
  /** For clients that write one; `read` does the actual checks. */
  readonly schema: z.ZodRawShape;
  /** The record's own fields. */
  read(node: Node): WireNode;
}

const PLAIN = {
  time: plainRow(time, { at: 'HH:MM or HH:MM:SS' }),
  sun: plainRow(sun, { event: '', offset: 'Seconds or {hours, minutes, seconds}; negative: before' }),
  webhook: plainRow(webhook, {
    webhookId: 'Secret of /webhook/<id>; made where left out',
    allowedMethods: '',
  }),
};

const bounds = { above: z.number().optional(), below: z.number().optional() };

export const TRIGGERS: Readonly<Record<WireType, Row>> = {
  device: {
    schema: {
      accessory: ACCESSORY.optional(),
      service_group: SERVICE_GROUP.optional(),
      characteristic: CHARACTERISTIC,
      to: VALUE.optional().describe('Fires on any change where left out'),
      from: VALUE.optional(),
      for: DURATION.optional(),
    },
    read(node) {
      const { target, accessory } = node.target();
      const characteristicType = node.property(accessory);
      return {
        type: 'state',
        ...target,
        characteristicType,
        from: node.value(accessory, characteristicType, 'from'),
        to: node.value(accessory, characteristicType, 'to'),
        ...held(node),
      };
    },
  },

  numeric: {
    schema: {
      accessory: ACCESSORY.optional(),
      service_group: SERVICE_GROUP.optional(),
      characteristic: CHARACTERISTIC,
      ...bounds,
      for: DURATION.optional(),
    },
    read(node) {
      const { target, accessory } = node.target();
      const characteristicType = requireNumeric(accessory, node.property(accessory), node.fields.at('characteristic'));
      return { type: 'numeric_state', ...target, characteristicType, ...bound(node), ...held(node) };
    },
  },

  virtual: {
    schema: {
      virtual: ACCESSORY.describe('Key or name of a virtual accessory'),
      to: VALUE.optional(),
      from: VALUE.optional(),
      ...bounds,
      for: DURATION.optional(),
    },
    read(node) {
      const place = readVirtual(node);
      const { fields } = node;
      const isNumeric = fields.has('above') || fields.has('below');
      if (!isNumeric) return { type: 'state', ...place, from: node.take('from'), to: node.take('to'), ...held(node) };
      for (const name of ['to', 'from']) {
        if (fields.has(name)) throw invalid(fields.at(name), 'give it, or above and below, not both');
      }
      return { type: 'numeric_state', ...place, ...bound(node), ...held(node) };
    },
  },

  ...PLAIN,
};

/** @returns the record's trigger, which its parser checks. @throws HearthError with the position of the error */
export function readTrigger(node: Node): WireNode {
  const { fields } = node;
  const type = readType(fields, TRIGGER_TYPES, 'trigger');
  const trigger = { id: node.take('id'), enabled: node.take('enabled'), ...TRIGGERS[type].read(node) };
  fields.done();
  return given(trigger);
}

export function presentTrigger(trigger: Trigger, words: HomeWords): WireNode {
  const own = presentOwn(trigger, words);
  if (!own) return presentUnsupported(trigger);
  const { id, enabled } = trigger;
  return given({ id, ...own, enabled: enabled ? undefined : false });
}

function presentOwn(trigger: Trigger, words: HomeWords): WireNode | undefined {
  switch (trigger.type) {
    case 'state':
      return presentState(trigger, words);
    case 'numeric_state': {
      const { wire, accessory } = presentTarget(trigger, words);
      const { characteristicType, above, below } = trigger;
      const characteristic = presentNumeric(accessory, characteristicType);
      const rest = { above, below, ...presentHeld(trigger) };
      return isVirtual(accessory, characteristic)
        ? { type: 'virtual', virtual: wire.accessory, ...rest }
        : { type: 'numeric', ...wire, characteristic, ...rest };
    }
    case 'webhook':
      return PLAIN.webhook.present({ ...trigger, webhookId: trigger.webhookId || undefined });
    case 'time':
    case 'sun':
      return PLAIN[trigger.type].present(trigger);
    default:
      return undefined;
  }
}

function presentState(trigger: TriggerOf<'state'>, words: HomeWords): WireNode {
  const { wire, accessory } = presentTarget(trigger, words);
  const bounds = [trigger.from, trigger.to].filter((value) => value !== undefined) as CharacteristicValue[];
  const { characteristic, values } = presentReading(accessory, trigger.characteristicType, bounds);
  const [first, second] = values;
  const from = trigger.from === undefined ? undefined : first;
  const to = trigger.from === undefined ? first : second;
  const rest = { from, to, ...presentHeld(trigger) };
  return isVirtual(accessory, characteristic)
    ? { type: 'virtual', virtual: wire.accessory, ...rest }
    : { type: 'device', ...wire, characteristic, ...rest };
}

/** The one property of a virtual accessory, which is implied. */
export function readVirtual(node: Node): { readonly accessoryId: string; readonly characteristicType: string } {
  node.place('accessoryId', 'virtual');
  node.place('characteristicType', 'virtual');
  const accessory = node.words.virtual(node.fields);
  return { accessoryId: accessory.id, characteristicType: propertyOfVirtual(accessory) };
}

/** Whether it is a virtual accessory and only its one property is used. */
export function isVirtual(
  accessory: Parameters<typeof propertyOfVirtual>[0] | undefined,
  characteristic: string,
): boolean {
  return accessory !== undefined && accessory.virtual !== null && propertyOfVirtual(accessory) === characteristic;
}

export function bound(node: Node): WireNode {
  return { above: node.take('above'), below: node.take('below') };
}

function held(node: Node): WireNode {
  return { for: node.duration('for') };
}

function presentHeld({ for: duration }: TriggerOf<'state' | 'numeric_state'>): WireNode {
  return { for: duration && presentDuration(duration) };
}
