/** Virtual accessories: created, changed and operated. They are also read and written like any accessory. */
import { notFound } from '../../app/access/authorize.ts';
import type { Caller } from '../../app/access/caller.ts';
import type { NewVirtual, VirtualChanges } from '../../app/virtual-accessories/virtual-accessories.ts';
import type { Accessory, CharacteristicValue } from '../../home/model.ts';
import type { TimerState } from '../../home/virtual-driver.ts';
import { presentValue } from '../../home/vocabulary/values.ts';
import { HearthError } from '../../kernel/errors.ts';
import { presentTime } from '../present/time.ts';
import { PlatformAccessory } from './accessory-types.ts';
import { viewAccessory } from './accessory-views.ts';
import { given, HOME_CHECK, type Maybe, requireHome } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import type { GraphqlContext, GraphqlDeps } from './context.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';
import { decodeJson, decodeValue } from './scalars.ts';
import { type StoredEntity, StoredEntityFields } from './stored-entity.ts';

interface VirtualView extends StoredEntity {
  readonly accessory: Accessory;
}

function viewVirtual(accessory: Accessory): VirtualView {
  const { id, homeId, roomId, name, virtual } = accessory;
  if (!virtual) throw notFound('accessory_not_found');
  const { virtualType, ...config } = virtual;
  const data = { id, name, homeId, roomId, type: virtualType, ...config };
  return { id, homeId, entityType: 'virtual_accessory', data, updatedAt: null, accessory };
}

/** The value of its one characteristic. */
function heldValue({ services }: Accessory): CharacteristicValue {
  const characteristic = services[0]?.characteristics[0];
  return characteristic ? presentValue(characteristic) : null;
}

const TimerStatus = builder.objectRef<TimerState>('TimerState').implement({
  description: 'A timer now.',
  fields: (t) => ({
    status: t.exposeString('status', { nullable: false, description: '`idle`, `active` or `paused`.' }),
    durationMs: t.exposeFloat('durationMs', { nullable: false, description: 'How long it runs, in milliseconds.' }),
    remainingMs: t.exposeFloat('remainingMs', {
      description: 'What is left of it, in milliseconds; null while it is idle.',
    }),
    startedAt: t.string({
      description: 'When it was started, ISO 8601.',
      resolve: ({ startedAt }) => presentTime(startedAt),
    }),
    endsAt: t.string({
      description: 'When it will be through, ISO 8601; null unless it runs.',
      resolve: ({ endsAt }) => presentTime(endsAt),
    }),
    finishedAt: t.string({
      description: 'When it was through last, ISO 8601.',
      resolve: ({ finishedAt }) => presentTime(finishedAt),
    }),
  }),
});

const VirtualAccessory = builder.objectRef<VirtualView>('VirtualAccessory').implement({
  description: 'A virtual accessory: how it was set up, and what it holds.',
  interfaces: [StoredEntityFields],
  fields: (t) => ({
    name: t.string({
      nullable: false,
      description: 'Unique in its room, ignoring case.',
      resolve: ({ accessory }) => accessory.name,
    }),
    homeId: t.exposeString('homeId', { nullable: false, description: 'The home that it is in.' }),
    roomId: t.string({
      nullable: false,
      description: 'The room that it is in.',
      resolve: ({ accessory }) => accessory.roomId,
    }),
    virtualType: t.string({
      nullable: false,
      description:
        '`input_boolean`, `input_select`, `counter`, `timer`, `input_number`, `input_text` or `input_datetime`.',
      resolve: ({ accessory }) => accessory.virtual?.virtualType ?? '',
    }),
    icon: t.string({
      description: 'How it is drawn, as its maker chose.',
      resolve: ({ accessory }) => accessory.virtual?.icon ?? null,
    }),
    controllable: t.boolean({
      nullable: false,
      description: 'false: people only read it; automations may still write.',
      resolve: ({ accessory }) => accessory.virtual?.controllable ?? false,
    }),
    config: t.field({
      type: 'JSON',
      nullable: false,
      description: 'What its kind has beyond that: options, limits, a duration (`durationMs`, milliseconds) …',
      resolve: ({ accessory }) => accessory.virtual,
    }),
    value: t.field({
      type: 'JSON',
      description: 'What it holds now.',
      resolve: ({ accessory }) => heldValue(accessory),
    }),
    timer: t.field({
      type: TimerStatus,
      description: 'A timer’s state; null for every other kind.',
      resolve: ({ accessory }, _, { deps }) => deps.virtuals.describe(accessory)?.timer ?? null,
    }),
    accessory: t.field({
      type: PlatformAccessory,
      nullable: false,
      description: 'The same as an accessory among others.',
      resolve: ({ accessory }, _, { deps }) => viewAccessory(accessory, deps.state),
    }),
  }),
});

interface Operated extends ActionResult {
  readonly accessoryId: string;
  readonly value: CharacteristicValue;
  readonly timer: TimerState | null;
}

const OperateResult = builder.objectRef<Operated>('OperateVirtualAccessoryResult').implement({
  description: 'What became of an operation on a virtual accessory.',
  interfaces: [MutationResult],
  fields: (t) => ({
    accessoryId: t.exposeString('accessoryId', { description: 'The accessory.' }),
    value: t.expose('value', { type: 'JSON', description: 'What it holds now.' }),
    timer: t.expose('timer', { type: TimerStatus, description: 'A timer’s state now; null for every other kind.' }),
  }),
});

type Virtuals = GraphqlDeps['virtuals'];

const SETUP = {
  name: 'Unique in its room, ignoring case.',
  data: 'What its kind takes, as an object or a text that holds it in JSON: `options`; `min`, `max`, `step`, `initial`, `unit`; `duration` in seconds, `"5m"` or `durationMs`; `hasDate`, `hasTime`; `minLength`, `maxLength`, `pattern`.',
} as const;

/** An object of settings; empty if left out. @throws `invalid_value` */
function decodeSettings(input: unknown): Record<string, unknown> {
  const settings = decodeJson(input, 'data') ?? {};
  if (typeof settings === 'object' && !Array.isArray(settings)) return settings as Record<string, unknown>;
  throw new HearthError('invalid_value', 'Invalid value for data: give an object.', { field: 'data' });
}

/** The virtual accessory that arguments name. @throws `accessory_not_found` */
function getVirtual({ caller, deps }: GraphqlContext, id: string, homeId: Maybe<string>): Accessory {
  return requireHome(deps.virtuals.get(caller, id), homeId, 'accessory_not_found');
}

/** Whether a virtual accessory has this id; unlike `get` it does not throw. */
function has(virtuals: Virtuals, caller: Caller, homeId: string, id: string): boolean {
  return virtuals.list(caller, homeId).some((accessory) => accessory.id === id.toLowerCase());
}

builder.queryFields((t) => ({
  virtualAccessories: t.field({
    type: [VirtualAccessory],
    nullable: LIST,
    description: 'The virtual accessories of a home, by name.',
    args: { homeId: t.arg.string({ required: true }) },
    resolve: (_, { homeId }, { caller, deps }) => deps.virtuals.list(caller, homeId).map(viewVirtual),
  }),
  virtualAccessory: t.field({
    type: VirtualAccessory,
    description: 'One virtual accessory. NOT_FOUND if the caller can’t see it, or it is a device.',
    args: { accessoryId: t.arg.string({ required: true }), homeId: t.arg.string({ description: HOME_CHECK }) },
    resolve: (_, { accessoryId, homeId }, context) => viewVirtual(getVirtual(context, accessoryId, homeId)),
  }),
}));

builder.mutationFields((t) => ({
  createVirtualAccessory: t.field({
    type: VirtualAccessory,
    description: 'Makes a virtual accessory. For admins of the home.',
    args: {
      homeId: t.arg.string({ required: true }),
      name: t.arg.string({ required: true, description: SETUP.name }),
      type: t.arg.string({
        required: true,
        description:
          '`input_boolean`, `input_select`, `counter`, `timer`, `input_number`, `input_text`, `input_datetime`; or `switch`, `mode`, `number`, `text`, `date`.',
      }),
      roomId: t.arg.string({ description: 'A room of this home; its default one if left out.' }),
      icon: t.arg.string(),
      controllable: t.arg.boolean({ description: 'true if left out.' }),
      data: t.arg({ type: 'JSON', description: SETUP.data }),
    },
    resolve: (_, { data, ...input }, { caller, deps }) =>
      viewVirtual(deps.virtuals.create(caller, { ...decodeSettings(data), ...given(input) } as NewVirtual)),
  }),
  updateVirtualAccessory: t.field({
    type: VirtualAccessory,
    description: 'Changes what is given; its kind stays. For admins of its home.',
    args: {
      accessoryId: t.arg.string({ required: true }),
      homeId: t.arg.string({ description: HOME_CHECK }),
      name: t.arg.string({ description: SETUP.name }),
      roomId: t.arg.string({ description: 'A room of its home; null for the default one.' }),
      icon: t.arg.string({ description: 'null for none.' }),
      controllable: t.arg.boolean(),
      data: t.arg({ type: 'JSON', description: SETUP.data }),
    },
    resolve: (_, { accessoryId, homeId, data, name, controllable, ...place }, context) => {
      const { id } = getVirtual(context, accessoryId, homeId);
      const changed: VirtualChanges = { ...decodeSettings(data), ...place, ...given({ name, controllable }) };
      return viewVirtual(context.deps.virtuals.update(context.caller, id, changed));
    },
  }),
  saveVirtualAccessory: t.field({
    type: VirtualAccessory,
    description: 'Makes a virtual accessory, or changes the one that is named. For admins of the home.',
    args: {
      homeId: t.arg.string({ required: true }),
      accessoryId: t.arg.string({
        description: 'The one to change; a new one is made if left out, or if there is none of this id.',
      }),
      data: t.arg({
        type: 'JSON',
        required: true,
        description:
          'All of it, as an object or a text that holds it in JSON: `name`, `type`, and what the kind takes.',
      }),
    },
    resolve: (_, { homeId, accessoryId, data }, { caller, deps }) => {
      const { id: _id, homeId: _homeId, ...settings } = decodeSettings(data);
      if (accessoryId && has(deps.virtuals, caller, homeId, accessoryId)) {
        return viewVirtual(deps.virtuals.update(caller, accessoryId, settings));
      }
      return viewVirtual(deps.virtuals.create(caller, { ...settings, homeId } as NewVirtual));
    },
  }),
}));

builder.mutationFields((t) => ({
  operateVirtualAccessory: t.field({
    type: OperateResult,
    description: 'Carries out an operation that a plain write can’t express. For callers who may control it.',
    args: {
      accessoryId: t.arg.string({ required: true }),
      homeId: t.arg.string({ description: HOME_CHECK }),
      operation: t.arg.string({
        required: true,
        description:
          '`turn_on`, `turn_off`, `toggle`, `set`, `increment`, `decrement`, `reset`, `start`, `pause`, `resume`, `cancel`, `finish`; which of them depends on its kind.',
      }),
      value: t.arg({
        type: 'JSON',
        description:
          'For `set` the value; for `increment` and `decrement` by how much; for `start` how long: seconds, `"90s"` or `"1:30:00"`.',
      }),
    },
    resolve: (_, { accessoryId, homeId, operation, value }, context) => {
      const nothing = { accessoryId, value: null, timer: null };
      return reportOutcome<Omit<Operated, keyof ActionResult>, Omit<Operated, keyof ActionResult>>(() => {
        const { id } = getVirtual(context, accessoryId, homeId);
        const input = value === null || value === undefined ? undefined : decodeValue(value);
        return { accessoryId: id, ...context.deps.virtuals.operate(context.caller, id, operation, input) };
      }, nothing);
    },
  }),
  deleteVirtualAccessory: t.boolean({
    nullable: true,
    description:
      'Deletes a virtual accessory with its value; refused while a scene or a group uses it. For admins of its home.',
    args: { accessoryId: t.arg.string({ required: true }), homeId: t.arg.string({ description: HOME_CHECK }) },
    resolve: (_, { accessoryId, homeId }, context) => {
      context.deps.virtuals.delete(context.caller, getVirtual(context, accessoryId, homeId).id);
      return true;
    },
  }),
}));
