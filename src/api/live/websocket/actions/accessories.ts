/** Accessories, their characteristics, and service groups, which are set like them. */
import { z } from 'zod';
import type { CharacteristicOutcome } from '../../../../app/control/outcome.ts';
import { characteristicName } from '../../../../home/vocabulary/hap-names.ts';
import { presentValue } from '../../../../home/vocabulary/values.ts';
import { HearthError } from '../../../../kernel/errors.ts';
import { presentAccessory } from '../../../present/accessory.ts';
import { presentServiceGroup } from '../../../present/service-group.ts';
import { writeState } from '../../../state/write-state.ts';
import { WEB_SOCKET_CODES } from '../error-codes.ts';
import { action, type SocketAction } from './action.ts';
import { InHome } from './layout.ts';

const OfAccessory = z.object({ accessoryId: z.string() });
const OfCharacteristic = z.object({ accessoryId: z.string(), characteristicType: z.string() });
const Write = z.object({ accessoryId: z.string(), characteristicType: z.string(), value: z.unknown() });

/** The maximum of one REST request. */
const MAX_WRITES = 10_000;

export const ACCESSORY_ACTIONS = {
  'accessories.list': action(
    z.object({ homeId: z.string().nullish(), roomId: z.string().nullish() }),
    ({ homeId, roomId }, { caller, deps }) => ({
      accessories: deps.control
        .listAccessories(caller, { homeId: homeId ?? undefined, roomId: roomId ?? undefined })
        .map((accessory) => presentAccessory(accessory, deps)),
    }),
  ),
  'accessory.get': action(OfAccessory, ({ accessoryId }, { caller, deps }) => ({
    accessory: presentAccessory(deps.control.getAccessory(caller, accessoryId), deps),
  })),
  // Events and polls keep every value fresh: stored values are as new as a read would return.
  'accessory.refresh': action(OfAccessory, ({ accessoryId }, { caller, deps }) => {
    const accessory = deps.control.getAccessory(caller, accessoryId);
    return { success: true, accessoryId: accessory.id, accessory: presentAccessory(accessory, deps) };
  }),
  'characteristic.get': action(OfCharacteristic, (address, { caller, deps: { control } }) => {
    const characteristic = control.getCharacteristic(caller, address);
    return {
      accessoryId: address.accessoryId.toLowerCase(),
      characteristicType: characteristicName(characteristic.type),
      value: presentValue(characteristic),
    };
  }),
  'characteristic.set': action(Write, async (write, { caller, deps: { control } }) => {
    await control.setCharacteristic(caller, write);
    const characteristic = control.getCharacteristic(caller, write);
    return {
      success: true,
      accessoryId: write.accessoryId.toLowerCase(),
      characteristicType: characteristicName(characteristic.type),
      value: presentValue(characteristic),
    };
  }),
  'characteristics.set': action(
    z.object({ writes: z.array(Write) }),
    async ({ writes }, { caller, deps: { control } }) => {
      if (writes.length > MAX_WRITES) {
        throw new HearthError('invalid_request', `A request may have ${MAX_WRITES} writes at most. Send several.`);
      }
      return presentOutcomes(await control.writeCharacteristics(caller, writes));
    },
  ),
  'serviceGroups.list': action(InHome, ({ homeId }, { caller, deps: { serviceGroups, state } }) => ({
    homeId: homeId ?? null,
    serviceGroups: serviceGroups.list(caller, homeId ?? undefined).map((group) => presentServiceGroup(group, state)),
  })),
  'serviceGroup.set': action(
    z.object({ groupId: z.string(), characteristicType: z.string(), value: z.unknown() }),
    async ({ groupId, ...write }, { caller, deps: { serviceGroups } }) => {
      const { outcomes: _, ...result } = await serviceGroups.set(caller, groupId, write);
      return { ...result, ...write, successCount: result.affectedCount };
    },
  ),
  'state.set': action(
    z.object({ state: z.unknown(), homeId: z.string().nullish() }),
    ({ state, homeId }, { caller, deps }) => writeState(deps, caller, homeId ? { homeId, state } : state),
  ),
} satisfies Readonly<Record<string, SocketAction>>;

function presentOutcomes(outcomes: readonly CharacteristicOutcome[]): object {
  const done = outcomes.filter((outcome) => outcome.ok);
  const failed = outcomes.flatMap(({ accessoryId, characteristicType, ...outcome }, index) =>
    outcome.ok
      ? []
      : [{ index, accessoryId, characteristicType, code: WEB_SOCKET_CODES[outcome.code], message: outcome.message }],
  );
  return {
    success: failed.length === 0,
    ok: done.length,
    total: outcomes.length,
    changes: done.map(({ accessoryId, characteristicType, value }) => ({ accessoryId, characteristicType, value })),
    ...(failed.length > 0 && { errors: failed }),
  };
}
