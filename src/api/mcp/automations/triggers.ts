/** Triggers of flows in the tools' format (wire-facts §11.2). One row per kind, for both directions. */
import type { z } from 'zod';
import { given } from '../../../app/automations/parsing/fields.ts';
import type { Trigger } from '../../../app/automations/triggers/index.ts';
import { notificationAction } from '../../../app/automations/triggers/notification-action.ts';
import { numericState } from '../../../app/automations/triggers/numeric-state.ts';
import { TRIGGER_FIELDS } from '../../../app/automations/triggers/parse-triggers.ts';
import { state } from '../../../app/automations/triggers/state.ts';
import { sun } from '../../../app/automations/triggers/sun.ts';
import { time } from '../../../app/automations/triggers/time.ts';
import { webhook } from '../../../app/automations/triggers/webhook.ts';
import type { HomeWords } from './home-words.ts';
import { KindFields, plainRow } from './kind-fields.ts';
import { type Node, presentUnsupported, readType, type WireNode } from './node.ts';
import { valueRows } from './value-rows.ts';

export const TRIGGER_TYPES = ['device', 'numeric', 'virtual', 'time', 'sun', 'webhook', 'notification_action'] as const;
type WireType = (typeof TRIGGER_TYPES)[number];

interface Row {
  /** For clients that write one; `read` does the actual checks. */
  readonly schema: z.ZodRawShape;
  /** The record's own fields. */
  read(node: Node): WireNode;
}

const PLAIN = {
  time: plainRow(time),
  sun: plainRow(sun),
  webhook: plainRow(webhook),
  notification_action: plainRow(notificationAction),
};
const VALUES = valueRows(state, numericState);
const COMMON = new KindFields(TRIGGER_FIELDS);

export const TRIGGERS: Readonly<Record<WireType, Row>> = { ...VALUES.rows, ...PLAIN };

/** @returns the record's trigger, which its parser checks. @throws HearthError with the position of the error */
export function readTrigger(node: Node): WireNode {
  const { fields } = node;
  const type = readType(fields, TRIGGER_TYPES, 'trigger');
  const trigger = { id: node.take('id'), ...COMMON.read(node), ...TRIGGERS[type].read(node) };
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
      return VALUES.presentState(trigger, words);
    case 'numeric_state':
      return VALUES.presentNumeric(trigger, words);
    case 'webhook':
      return PLAIN.webhook.present({ ...trigger, webhookId: trigger.webhookId || undefined });
    case 'time':
    case 'sun':
    case 'notification_action':
      return PLAIN[trigger.type].present(trigger);
    default:
      return undefined;
  }
}
