/** Accessories as operations: reading, writing, naming, placing, identifying. */
import { insufficientPermissions } from '../../app/access/authorize.ts';
import type { AccessoryFilter, CharacteristicAddress } from '../../app/control/control.ts';
import { AccessoryUse } from '../../contract/accessories.ts';
import type { Accessory } from '../../home/model.ts';
import { characteristicName } from '../../home/vocabulary/hap-names.ts';
import { resolveCharacteristic } from '../../home/vocabulary/settings.ts';
import { presentValue } from '../../home/vocabulary/values.ts';
import { PlatformAccessory } from './accessory-types.ts';
import { viewAccessory } from './accessory-views.ts';
import { given, HOME_CHECK, ICON, type Maybe, parseServiceId, requireHome } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { fieldsOf } from './contract-fields.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';
import { decodeValue } from './scalars.ts';
import { firstFailure, WriteOutcome, type WriteResult } from './write-outcomes.ts';

const CharacteristicValue = builder
  .objectRef<{ accessoryId: string; characteristicType: string; value: unknown }>('CharacteristicValue')
  .implement({
    description: 'The value of one characteristic.',
    fields: (t) => ({
      accessoryId: t.exposeString('accessoryId', { nullable: false, description: 'The accessory that has it.' }),
      characteristicType: t.exposeString('characteristicType', {
        nullable: false,
        description: 'Its name in snake_case.',
      }),
      value: t.expose('value', {
        type: 'JSON',
        description: 'As the device reported it last; null where nothing is known.',
      }),
    }),
  });

interface SetResult extends ActionResult {
  readonly accessoryId: string;
  readonly characteristicType: string;
  readonly value: unknown;
}

const SetCharacteristicResult = builder.objectRef<SetResult>('SetCharacteristicResult').implement({
  description: 'What became of a write.',
  interfaces: [MutationResult],
  fields: (t) => ({
    accessoryId: t.exposeString('accessoryId', { description: 'The accessory that was written to.' }),
    characteristicType: t.exposeString('characteristicType', {
      description: 'What was written, by its name in snake_case.',
    }),
    value: t.expose('value', { type: 'JSON', description: 'The value that the device confirmed; null if it did not.' }),
  }),
});

const AccessoryUseType = builder.objectRef<AccessoryUse>('AccessoryUse').implement({
  description: 'An automation, a scene or a service group that uses an accessory.',
  fields: (t) => fieldsOf(t, AccessoryUse),
});

const CharacteristicWrite = builder.inputType('CharacteristicWrite', {
  description: 'One of several writes.',
  fields: (t) => ({
    accessoryId: t.string({ required: true }),
    characteristicType: t.string({ required: true, description: 'In any spelling.' }),
    value: t.field({ type: 'JSON', required: true, description: 'The value, or a text that holds it in JSON.' }),
    serviceId: t.string({ description: 'Which of several services that have it; the primary one if left out.' }),
  }),
});

interface WritesResult extends ActionResult {
  readonly affectedCount: number;
  readonly failed: number;
  readonly outcomes: readonly WriteResult[];
}

const SetCharacteristicsResult = builder.objectRef<WritesResult>('SetCharacteristicsResult').implement({
  description: 'What became of several writes. `success` only if all of them succeeded.',
  interfaces: [MutationResult],
  fields: (t) => ({
    affectedCount: t.exposeInt('affectedCount', { nullable: false, description: 'How many succeeded.' }),
    failed: t.exposeInt('failed', { nullable: false, description: 'How many did not.' }),
    outcomes: t.expose('outcomes', {
      type: [WriteOutcome],
      nullable: false,
      description: 'What became of each, in the order given.',
    }),
  }),
});

const IdentifyResult = builder.objectRef<ActionResult>('IdentifyResult').implement({
  description: 'Whether an accessory was asked to identify itself.',
  interfaces: [MutationResult],
});

/** The accessory that arguments name. @throws `accessory_not_found` */
function getAccessory({ caller, deps }: GraphqlContext, id: string, homeId: Maybe<string>): Accessory {
  return requireHome(deps.control.getAccessory(caller, id), homeId, 'accessory_not_found');
}

function addressOf(args: {
  accessoryId: string;
  characteristicType: string;
  serviceId?: Maybe<string>;
}): CharacteristicAddress {
  const { accessoryId, characteristicType, serviceId } = args;
  const serviceIid = serviceId === null || serviceId === undefined ? undefined : parseServiceId(serviceId, accessoryId);
  return { accessoryId, characteristicType, serviceIid };
}

/** @throws `insufficient_permissions` every write failed with it */
function summarize(outcomes: readonly WriteResult[]): WritesResult {
  const failures = outcomes.filter((outcome) => !outcome.ok);
  const refused = failures.filter(({ code }) => code === 'insufficient_permissions');
  if (refused.length > 0 && refused.length === outcomes.length) throw insufficientPermissions();
  const failed = failures.length;
  const sentences = failures.map(({ message }) => message);
  const outcome = { success: failed === 0, ...firstFailure(outcomes, sentences) };
  return { ...outcome, affectedCount: outcomes.length - failed, failed, outcomes };
}

builder.queryFields((t) => ({
  accessories: t.field({
    type: [PlatformAccessory],
    nullable: LIST,
    description: 'The accessories that the caller may see, virtual ones too, home by home and by name.',
    args: {
      homeId: t.arg.string({ description: 'Only those of this home; NOT_FOUND if the caller can’t see it.' }),
      roomId: t.arg.string({ description: 'Only those in this room; NOT_FOUND if the caller can’t see it.' }),
      type: t.arg.string({ description: 'Only those of a device type (`light`) or with a service (`lightbulb`).' }),
      name: t.arg.string({ description: 'Only those with this in their name, ignoring case.' }),
    },
    resolve: (_, args, { caller, deps }) =>
      deps.control
        .listAccessories(caller, given(args) as AccessoryFilter)
        .map((accessory) => viewAccessory(accessory, deps.state)),
  }),
  accessory: t.field({
    type: PlatformAccessory,
    description: 'One accessory. NOT_FOUND if the caller can’t see it.',
    args: { accessoryId: t.arg.string({ required: true }), homeId: t.arg.string({ description: HOME_CHECK }) },
    resolve: (_, { accessoryId, homeId }, context) =>
      viewAccessory(getAccessory(context, accessoryId, homeId), context.deps.state),
  }),
  accessoryUses: t.field({
    type: [AccessoryUseType],
    nullable: LIST,
    description:
      'The automations, scenes and service groups that use an accessory or a service group, by kind and name.',
    args: { accessoryId: t.arg.string({ required: true }) },
    resolve: (_, { accessoryId }, { caller, deps }) => deps.accessories.usesOf(caller, accessoryId),
  }),
  characteristicGet: t.field({
    type: CharacteristicValue,
    description: 'The value of one characteristic as last reported: reading never waits for a device.',
    args: {
      accessoryId: t.arg.string({ required: true }),
      characteristicType: t.arg.string({
        required: true,
        description: 'In any spelling: `brightness`, `public.hap.characteristic.brightness`, `on`, a UUID.',
      }),
      homeId: t.arg.string({ description: HOME_CHECK }),
      serviceId: t.arg.string({ description: 'Which of several services that have it; the primary one if left out.' }),
    },
    resolve: (_, args, context) => {
      const { id } = getAccessory(context, args.accessoryId, args.homeId);
      const characteristic = context.deps.control.getCharacteristic(context.caller, addressOf(args));
      return {
        accessoryId: id,
        characteristicType: characteristicName(characteristic.type),
        value: presentValue(characteristic),
      };
    },
  }),
}));

builder.mutationFields((t) => ({
  setCharacteristic: t.field({
    type: SetCharacteristicResult,
    description: 'Writes one characteristic and waits for the device. For callers who may control the accessory.',
    args: {
      accessoryId: t.arg.string({ required: true }),
      characteristicType: t.arg.string({ required: true, description: 'In any spelling.' }),
      value: t.arg({
        type: 'JSON',
        required: true,
        description:
          'The value, or a text that holds it: `true`, `"true"`, `40`, `"40"`, `"heat"`. Out of range is refused with INVALID_VALUE, never clamped.',
      }),
      homeId: t.arg.string({ description: HOME_CHECK }),
      serviceId: t.arg.string({ description: 'Which of several services that have it; the primary one if left out.' }),
    },
    resolve: async (_, args, context) => {
      const { accessoryId, characteristicType } = args;
      const nothing = { accessoryId, characteristicType, value: null };
      return reportOutcome(async () => {
        const accessory = getAccessory(context, accessoryId, args.homeId);
        const address = addressOf(args);
        const write = { ...address, value: decodeValue(args.value) };
        const { value } = await context.deps.control.setCharacteristic(context.caller, write);
        // For the accessory that was written to, which may have been removed since.
        const { characteristic } = resolveCharacteristic(accessory, characteristicType, address.serviceIid);
        return { accessoryId: accessory.id, characteristicType: characteristicName(characteristic.type), value };
      }, nothing);
    },
  }),
  setCharacteristics: t.field({
    type: SetCharacteristicsResult,
    description:
      'Writes any number of characteristics at once: one request to each device, all devices at the same time. FORBIDDEN where the caller may control none of them.',
    args: { writes: t.arg({ type: [CharacteristicWrite], required: true }) },
    resolve: (_, { writes }, { caller, deps }) =>
      reportOutcome(
        async () => {
          const wanted = writes.map((write) => ({ ...addressOf(write), value: decodeValue(write.value) }));
          return summarize(await deps.control.writeCharacteristics(caller, wanted));
        },
        { affectedCount: 0, failed: writes.length, outcomes: [] },
      ),
  }),
}));

builder.mutationFields((t) => ({
  renameAccessory: t.field({
    type: PlatformAccessory,
    description: 'Gives an accessory a name. For admins of its home.',
    args: {
      accessoryId: t.arg.string({ required: true }),
      name: t.arg.string({ description: 'null restores the name that the device gives itself.' }),
      homeId: t.arg.string({ description: HOME_CHECK }),
    },
    resolve: (_, { accessoryId, name, homeId }, context) => {
      const { id } = getAccessory(context, accessoryId, homeId);
      const renamed = context.deps.accessories.update(context.caller, id, { name: name ?? null });
      return viewAccessory(renamed, context.deps.state);
    },
  }),
  moveAccessory: t.field({
    type: PlatformAccessory,
    description: 'Puts an accessory into another room of its home. For admins of its home.',
    args: {
      accessoryId: t.arg.string({ required: true }),
      roomId: t.arg.string({ required: true, description: 'NOT_FOUND unless it is a room of the same home.' }),
      homeId: t.arg.string({ description: HOME_CHECK }),
    },
    resolve: (_, { accessoryId, roomId, homeId }, context) => {
      const { id } = getAccessory(context, accessoryId, homeId);
      const moved = context.deps.accessories.update(context.caller, id, { roomId });
      return viewAccessory(moved, context.deps.state);
    },
  }),
  setAccessoryIcon: t.field({
    type: PlatformAccessory,
    description:
      'Sets the icon of an accessory’s tile. For admins of its home. INVALID_VALUE if there is no such icon. Of a service group: updateServiceGroup.',
    args: {
      accessoryId: t.arg.string({ required: true }),
      icon: t.arg.string({ description: ICON }),
      homeId: t.arg.string({ description: HOME_CHECK }),
    },
    resolve: (_, { accessoryId, icon, homeId }, context) => {
      const { id } = getAccessory(context, accessoryId, homeId);
      const changed = context.deps.accessories.update(context.caller, id, { icon: icon ?? null });
      return viewAccessory(changed, context.deps.state);
    },
  }),
  identifyAccessory: t.field({
    type: IdentifyResult,
    description: 'Makes an accessory show itself, usually by a blinking light. For callers who may control it.',
    args: { accessoryId: t.arg.string({ required: true }), homeId: t.arg.string({ description: HOME_CHECK }) },
    resolve: (_, { accessoryId, homeId }, context) =>
      reportOutcome(async () => {
        const { id } = getAccessory(context, accessoryId, homeId);
        await context.deps.control.identify(context.caller, id);
        return {};
      }, {}),
  }),
}));
