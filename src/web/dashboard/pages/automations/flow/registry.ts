/** All kinds of triggers, conditions and actions. A kind that is missing here is shown as JSON and kept. */
import { CircleHelp, type LucideIcon, Moon, Pointer, TriangleAlert } from 'lucide-react';
import { ACTIONS } from './action-kinds.ts';
import { CONDITIONS } from './condition-kinds.ts';
import type { FlowNode, JsonObject } from './flow-record.ts';
import type { FieldRow, Kind } from './kind.ts';
import type { NodeRole } from './structure.ts';
import { TRIGGERS } from './trigger-kinds.ts';

const KINDS: Readonly<Record<NodeRole, readonly Kind[]>> = {
  trigger: TRIGGERS,
  condition: CONDITIONS,
  action: ACTIONS,
};

export function kindsOf(role: NodeRole): readonly Kind[] {
  return KINDS[role];
}

export function findKind(role: NodeRole, type: string): Kind | undefined {
  return KINDS[role].find((kind) => kind.type === type);
}

/** @param key a type, or the key of an offer */
export function iconOf(role: NodeRole, key: string): LucideIcon {
  return (PRESETS[role].find((one) => one.key === key) ?? findKind(role, key))?.icon ?? CircleHelp;
}

/** The fields in a node's form. */
export function fieldsOf(kind: Kind, node: FlowNode): readonly FieldRow[] {
  return kind.fields.filter(({ when }) => when === undefined || when(node));
}

/** An entry of the add dialog: a kind, or a kind with preset fields. */
export interface Offer {
  /** The key of its texts. */
  readonly key: string;
  readonly role: NodeRole;
  readonly kind: Kind;
  readonly icon: LucideIcon;
  readonly initial: JsonObject;
}

interface Preset {
  readonly key: string;
  readonly type: string;
  readonly icon: LucideIcon;
  readonly initial: JsonObject;
  readonly after: string;
}

/** What light sensors measure. */
export const LIGHT_LEVEL = 'current_ambient_light_level';

/** Kinds with presets under a more common name. */
const PRESETS: Readonly<Record<NodeRole, readonly Preset[]>> = {
  trigger: [
    {
      key: 'button',
      type: 'state',
      icon: Pointer,
      initial: { characteristicType: 'programmable_switch_event' },
      after: 'numeric_state',
    },
    {
      key: 'automation_failed',
      type: 'event',
      icon: TriangleAlert,
      initial: { eventType: 'automation.error' },
      after: 'webhook',
    },
  ],
  condition: [
    {
      key: 'dark',
      type: 'numeric_state',
      icon: Moon,
      initial: { characteristicType: LIGHT_LEVEL },
      after: 'sun',
    },
  ],
  action: [],
};

/** Users set a group like an accessory: their choice decides between the two kinds. */
export const GROUP_SETTING = 'set_service_group';
export const ACCESSORY_SETTING = 'set_characteristic';

/** In the order of the add dialog. @param isInWait whether the new trigger only ends a wait */
export function offersFor(role: NodeRole, isInWait = false): readonly Offer[] {
  return KINDS[role]
    .filter(({ type, isOnlyForWaits }) => type !== GROUP_SETTING && (isInWait || !isOnlyForWaits))
    .flatMap((kind): Offer[] => [
      { key: kind.type, role, kind, icon: kind.icon, initial: kind.initial ?? {} },
      ...PRESETS[role].flatMap(({ key, type, icon, initial, after }): Offer[] => {
        const meant = findKind(role, type);
        return after === kind.type && meant
          ? [{ key, role, kind: meant, icon, initial: { ...meant.initial, ...initial } }]
          : [];
      }),
    ]);
}

/** A new node. @param id triggers and actions have one, conditions none */
export function newNode({ kind, initial }: Offer, id: string | undefined): FlowNode {
  return { ...(id !== undefined && { id }), type: kind.type, ...initial };
}
