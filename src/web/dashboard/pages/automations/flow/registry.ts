/**
 * Every kind of trigger, condition and action: the fields of its form, and the initial values of a new one. The relay's
 * parsers (`app/automations/flows/parse-*.ts` there) define the fields. A kind that is missing here is shown as JSON
 * and kept.
 */
import type { FlowNode, JsonObject } from './flow-record.ts';
import { EMPTY_BLOCK } from './flow-record.ts';
import type { Role } from './structure.ts';

/** The control of a field. */
export type Control =
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
  | { readonly is: 'json'; readonly shape: 'any' | 'object' | 'list' }
  /** Pairs of names and values. */
  | { readonly is: 'entries'; readonly values: 'text' | 'json' }
  | { readonly is: 'operation' | 'operand' }
  | { readonly is: 'triggerRef' | 'sceneActionRef' | 'actionRefs' | 'webhook' | 'place' };

export type UnitKey = 'metres' | 'seconds' | 'milliseconds' | 'degrees';

export interface Field {
  readonly name: string;
  readonly control: Control;
  readonly isRequired?: true;
  /** Shown under "More", because it is rarely needed. */
  readonly isAdvanced?: true;
  /** Shown only if this is true. */
  readonly when?: (node: FlowNode) => boolean;
}

export interface Kind {
  readonly role: Role;
  readonly type: string;
  readonly fields: readonly Field[];
  /** The initial fields of a new node, beside its type. */
  readonly initial: JsonObject;
  /** Available only inside a wait. */
  readonly isOnlyForWaits?: true;
}

function field(name: string, control: Control, more: Omit<Field, 'name' | 'control'> = {}): Field {
  return { name, control, ...more };
}
function need(name: string, control: Control, more: Omit<Field, 'name' | 'control' | 'isRequired'> = {}): Field {
  return { name, control, isRequired: true, ...more };
}

const PROPERTY = (use: 'read' | 'number' | 'write') => need('characteristicType', { is: 'property', use });
const FOR = field('for', { is: 'duration' });
const VALUE = { is: 'value', templates: false } as const;
const TEMPLATE_VALUE = { is: 'value', templates: true } as const;
const LEVEL = { is: 'level' } as const;
const EXPRESSION = need('expression', { is: 'expression' });
const WEEKDAYS = field('weekdays', { is: 'weekdays' });
const JSON_OBJECT = { is: 'json', shape: 'object' } as const;
const JSON_ANY = { is: 'json', shape: 'any' } as const;
const SUN = { is: 'choice', choices: ['sunrise', 'sunset'] } as const;
const VARIABLE = field('responseVariable', { is: 'variableName' }, { isAdvanced: true });
const TIMEOUT = [
  field('timeout', { is: 'duration', templates: true }),
  field('continueOnTimeout', { is: 'flag' }, { when: ({ timeout }) => timeout !== undefined }),
];

const row =
  (role: Role) =>
  (
    type: string,
    fields: readonly Field[],
    initial: JsonObject = {},
    more: Pick<Kind, 'isOnlyForWaits'> = {},
  ): Kind => ({
    ...{ role, type, fields, initial },
    ...more,
  });
const trigger = row('trigger');
const condition = row('condition');
const action = row('action');

const TRIGGERS: readonly Kind[] = [
  trigger('state', [PROPERTY('read'), field('to', VALUE), field('from', VALUE, { isAdvanced: true }), FOR]),
  trigger('numeric_state', [PROPERTY('number'), field('above', LEVEL), field('below', LEVEL), FOR]),
  trigger('time', [need('at', { is: 'time' }), WEEKDAYS], { at: '07:00' }),
  trigger('sun', [need('event', SUN), field('offset', { is: 'offset' })], { event: 'sunset' }),
  trigger('time_pattern', [need('minutes', { is: 'pattern' })], { minutes: '/15' }),
  trigger(
    'presence',
    [
      need('event', { is: 'choice', choices: ['lastDeparture', 'firstArrival', 'notAtHome', 'atHome'] }),
      field('personIds', { is: 'people' }, { when: ({ event }) => event === 'atHome' || event === 'notAtHome' }),
    ],
    { event: 'lastDeparture' },
  ),
  trigger(
    'location',
    [
      need('latitude', { is: 'place' }),
      need('radius', { is: 'number', min: 1, max: 20_000_000, unit: 'metres' }),
      field('notifyOnEntry', { is: 'flag' }),
      field('notifyOnExit', { is: 'flag' }),
      field('personIds', { is: 'people' }),
    ],
    { radius: 150, notifyOnEntry: true, notifyOnExit: false },
  ),
  trigger(
    'device_availability',
    [
      need('accessoryId', { is: 'accessory' }),
      need('to', { is: 'choice', choices: ['unavailable', 'available'] }),
      FOR,
    ],
    { to: 'unavailable' },
  ),
  trigger('webhook', [
    field('webhookId', { is: 'webhook' }),
    field('allowedMethods', { is: 'methods' }, { isAdvanced: true }),
  ]),
  trigger('event', [need('eventType', { is: 'text' }), field('eventData', JSON_OBJECT, { isAdvanced: true })]),
  trigger('template', [EXPRESSION, FOR]),
  trigger(
    'system',
    [need('event', { is: 'choice', choices: ['relay_connected', 'relay_disconnected', 'automation_reloaded'] })],
    { event: 'relay_connected' },
  ),
  trigger('calendar', [need('components', { is: 'dateParts' })], { components: { day: 1, hour: 9, minute: 0 } }),
  trigger('timer', [
    need('fireDate', { is: 'moment' }),
    field('recurrence', { is: 'dateParts' }, { isAdvanced: true }),
    field('timeZone', { is: 'text' }, { isAdvanced: true }),
  ]),
  trigger(
    'duration',
    [need('seconds', { is: 'number', min: 0, max: 2_592_000, unit: 'seconds' })],
    { seconds: 60 },
    {
      isOnlyForWaits: true,
    },
  ),
];

const CONDITIONS: readonly Kind[] = [
  condition('state', [
    PROPERTY('read'),
    field('operator', { is: 'choice', choices: ['eq', 'neq', 'above', 'below', 'at_least', 'at_most'] }),
    need('value', VALUE),
  ]),
  condition('numeric_state', [PROPERTY('number'), field('above', LEVEL), field('below', LEVEL)]),
  condition('time', [field('after', { is: 'time' }), field('before', { is: 'time' }), WEEKDAYS], {
    after: '22:00',
    before: '06:00',
  }),
  condition(
    'sun',
    [
      field('after', SUN),
      field('afterOffset', { is: 'offset' }, { when: ({ after }) => after !== undefined }),
      field('before', SUN),
      field('beforeOffset', { is: 'offset' }, { when: ({ before }) => before !== undefined }),
    ],
    { after: 'sunset' },
  ),
  condition(
    'presence',
    [need('who', { is: 'who' }), need('event', { is: 'choice', choices: ['atHome', 'notAtHome'] })],
    { event: 'atHome', who: 'anyone' },
  ),
  condition('trigger', [need('triggerId', { is: 'triggerRef' })]),
  condition('template', [EXPRESSION]),
];

const ACTIONS: readonly Kind[] = [
  action('set_characteristic', [PROPERTY('write'), need('value', TEMPLATE_VALUE)]),
  action('set_service_group', [PROPERTY('write'), need('value', TEMPLATE_VALUE)]),
  action('execute_scene', [need('sceneId', { is: 'scene' })]),
  action('delay', [need('duration', { is: 'duration', templates: true })], { duration: { minutes: 1 } }),
  action('notify', [
    need('message', { is: 'longTemplate' }),
    field('title', { is: 'template' }),
    field('icon', { is: 'text' }, { isAdvanced: true }),
    field('iconColor', { is: 'text' }, { isAdvanced: true }),
    field('data', JSON_ANY, { isAdvanced: true }),
  ]),
  action('if_then_else', [], { condition: EMPTY_BLOCK }),
  action('choose', [], { choices: [{ conditions: EMPTY_BLOCK, actions: [] }], default: [] }),
  action(
    'repeat',
    [
      need('mode', { is: 'choice', choices: ['count', 'while', 'until', 'for_each'] }),
      need('count', { is: 'numberTemplate', min: 0, max: 1000 }, { when: ({ mode }) => mode === 'count' }),
      need('forEachItems', { is: 'json', shape: 'list' }, { when: ({ mode }) => mode === 'for_each' }),
    ],
    { mode: 'count', count: 2, sequence: [] },
  ),
  action('parallel', [], { branches: [[], []] }),
  action('wait_for_trigger', TIMEOUT, { triggers: [], timeout: { minutes: 5 }, continueOnTimeout: true }),
  action('wait_for_template', [EXPRESSION, ...TIMEOUT], { timeout: { minutes: 5 }, continueOnTimeout: true }),
  action('restore_state', [need('nodeId', { is: 'sceneActionRef' })]),
  action('virtual', [
    need('accessoryId', { is: 'virtualAccessory' }),
    need('operation', { is: 'operation' }),
    field('value', { is: 'operand' }, { when: ({ operation }) => operation === 'set' }),
    field('duration', { is: 'duration', templates: true }, { when: ({ operation }) => operation === 'start' }),
    field(
      'step',
      { is: 'numberTemplate', min: 0 },
      {
        when: ({ operation }) => operation === 'increment' || operation === 'decrement',
      },
    ),
  ]),
  action(
    'toggle_automation',
    [
      need('automationId', { is: 'automation' }),
      need('action', { is: 'choice', choices: ['trigger', 'enable', 'disable', 'toggle'] }),
    ],
    { action: 'trigger' },
  ),
  action('call_script', [
    need('scriptId', { is: 'flow' }),
    field('variables', { is: 'entries', values: 'json' }, { isAdvanced: true }),
    VARIABLE,
  ]),
  action(
    'fire_webhook',
    [
      need('url', { is: 'template' }),
      field('method', { is: 'choice', choices: ['GET', 'POST', 'PUT', 'DELETE'] }),
      field('headers', { is: 'entries', values: 'text' }, { isAdvanced: true }),
      field('body', JSON_ANY),
    ],
    { method: 'POST' },
  ),
  action('fire_event', [need('eventType', { is: 'text' }), field('eventData', JSON_ANY)]),
  action('variables', [need('variables', { is: 'entries', values: 'json' })], { variables: {} }),
  action(
    'merge',
    [
      need('inputIds', { is: 'actionRefs' }),
      field('mode', { is: 'choice', choices: ['append', 'combine', 'wait_all'] }),
      field('combineKey', { is: 'text' }, { when: ({ mode }) => mode === 'combine' }),
    ],
    { mode: 'append', inputIds: [] },
  ),
  action('stop', [field('reason', { is: 'template' }), field('error', { is: 'flag' }), VARIABLE]),
];

const KINDS: Readonly<Record<Role, readonly Kind[]>> = { trigger: TRIGGERS, condition: CONDITIONS, action: ACTIONS };

export function kindsOf(role: Role): readonly Kind[] {
  return KINDS[role];
}

export function findKind(role: Role, type: string): Kind | undefined {
  return KINDS[role].find((kind) => kind.type === type);
}

/** The fields in a node's form. */
export function fieldsOf(kind: Kind, node: FlowNode): readonly Field[] {
  return kind.fields.filter(({ when }) => when === undefined || when(node));
}

/** An entry of the add dialog: a kind, or a kind with preset fields. */
export interface Offer {
  /** The key of its texts. */
  readonly key: string;
  readonly kind: Kind;
  readonly initial: JsonObject;
}

/** Kinds with presets under a more common name. */
const PRESETS: Readonly<
  Record<
    Role,
    readonly { readonly key: string; readonly type: string; readonly initial: JsonObject; readonly after: string }[]
  >
> = {
  trigger: [
    {
      key: 'button',
      type: 'state',
      initial: { characteristicType: 'programmable_switch_event' },
      after: 'numeric_state',
    },
    { key: 'automation_failed', type: 'event', initial: { eventType: 'automation.error' }, after: 'webhook' },
  ],
  condition: [],
  action: [],
};

/** Users set a group like an accessory: their choice decides between the two kinds. */
export const GROUP_SETTING = 'set_service_group';
export const ACCESSORY_SETTING = 'set_characteristic';

/** In the order of the add dialog. @param isInWait whether the new trigger only ends a wait */
export function offersFor(role: Role, isInWait = false): readonly Offer[] {
  return KINDS[role]
    .filter(({ type, isOnlyForWaits }) => type !== GROUP_SETTING && (isInWait || !isOnlyForWaits))
    .flatMap((kind): Offer[] => [
      { key: kind.type, kind, initial: kind.initial },
      ...PRESETS[role].flatMap(({ key, type, initial, after }): Offer[] => {
        const meant = findKind(role, type);
        return after === kind.type && meant ? [{ key, kind: meant, initial: { ...meant.initial, ...initial } }] : [];
      }),
    ]);
}

/** A new node. @param id triggers and actions have one, conditions none */
export function newNode({ kind, initial }: Offer, id: string | undefined): FlowNode {
  return { ...(id !== undefined && { id }), type: kind.type, ...initial };
}
