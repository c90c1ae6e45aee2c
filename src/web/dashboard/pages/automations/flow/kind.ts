/**
 * One kind of trigger, condition or action: the fields of its form, the initial values of a new one, its icon and its
 * sentence. The relay's kinds (`app/automations/triggers/` … there) define the fields.
 */
import type { LucideIcon } from 'lucide-react';
import type { FlowNode, JsonObject } from './flow-record.ts';
import type { Sentence, SentenceContext } from './sentence-context.ts';

/** The control of a field. */
export type FieldControl =
  /** An accessory (or a service group) and one of its properties. */
  | { readonly is: 'property'; readonly use: 'read' | 'number' | 'write' }
  /** A value of the property in the same node. */
  | { readonly is: 'value'; readonly templates: boolean }
  /** A number in the property's unit. */
  | { readonly is: 'level' }
  | { readonly is: 'accessory' | 'virtualAccessory' | 'scene' | 'flow' | 'automation' | 'people' | 'who' }
  | { readonly is: 'time' | 'weekdays' | 'moment' | 'dateParts' | 'pattern' }
  | { readonly is: 'duration'; readonly templates?: true }
  /** A time before or after an event. */
  | { readonly is: 'offset' }
  | { readonly is: 'text' | 'template' | 'longTemplate' | 'expression' | 'flag' | 'variableName' }
  | {
      readonly is: 'number';
      readonly min?: number;
      readonly max?: number;
      readonly step?: number;
      readonly unit?: UnitKey;
    }
  | { readonly is: 'numberTemplate'; readonly min?: number; readonly max?: number }
  | { readonly is: 'choice'; readonly choices: readonly string[] }
  | { readonly is: 'methods' }
  /** The buttons of a notification. */
  | { readonly is: 'buttons' }
  | { readonly is: 'json'; readonly shape: 'any' | 'object' | 'list' }
  /** Pairs of names and values. */
  | { readonly is: 'entries'; readonly values: 'text' | 'json' }
  | { readonly is: 'operation' | 'operand' }
  | { readonly is: 'triggerRef' | 'sceneActionRef' | 'actionRefs' | 'webhook' | 'place' };

export type UnitKey = 'metres' | 'seconds' | 'milliseconds' | 'degrees';

export interface FieldRow {
  readonly name: string;
  readonly control: FieldControl;
  readonly isRequired?: true;
  /** Shown under "More", because it is rarely needed. */
  readonly isAdvanced?: true;
  /** Shown only if this is true. */
  readonly when?: (node: FlowNode) => boolean;
}

export interface Kind {
  readonly type: string;
  readonly icon: LucideIcon;
  readonly fields: readonly FieldRow[];
  /** The initial fields of a new node, beside its type. */
  readonly initial?: JsonObject;
  /** Available only inside a wait. */
  readonly isOnlyForWaits?: true;
  /** Describes a node in one line. */
  readonly sentence: (node: FlowNode, context: SentenceContext, describe: Describers) => string;
}

/** Describe the conditions and triggers that a node contains or refers to. */
export interface Describers {
  readonly condition: Sentence;
  readonly trigger: Sentence;
}

export function field(name: string, control: FieldControl, more: Omit<FieldRow, 'name' | 'control'> = {}): FieldRow {
  return { name, control, ...more };
}
export function need(
  name: string,
  control: FieldControl,
  more: Omit<FieldRow, 'name' | 'control' | 'isRequired'> = {},
): FieldRow {
  return { name, control, isRequired: true, ...more };
}

export const PROPERTY = (use: 'read' | 'number' | 'write') => need('characteristicType', { is: 'property', use });
export const FOR = field('for', { is: 'duration' });
export const VALUE = { is: 'value', templates: false } as const;
export const TEMPLATE_VALUE = { is: 'value', templates: true } as const;
export const LEVEL = { is: 'level' } as const;
export const EXPRESSION = need('expression', { is: 'expression' });
export const WEEKDAYS = field('weekdays', { is: 'weekdays' });
export const JSON_OBJECT = { is: 'json', shape: 'object' } as const;
export const JSON_ANY = { is: 'json', shape: 'any' } as const;
export const SUN = { is: 'choice', choices: ['sunrise', 'sunset'] } as const;
export const VARIABLE = field('responseVariable', { is: 'variableName' }, { isAdvanced: true });
export const TIMEOUT = [
  field('timeout', { is: 'duration', templates: true }),
  field('continueOnTimeout', { is: 'flag' }, { when: ({ timeout }) => timeout !== undefined }),
];
