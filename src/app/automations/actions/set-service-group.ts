import { characteristicWords, groupWords, valueWords } from '../words.ts';
import { ActionFailure, type ActionKind, refusalsIn } from './action-kind.ts';

/**
 * Sets one characteristic on every member of a service group, in one request. Fails if a member did not accept the
 * value, and names those members.
 */
export const setServiceGroup: ActionKind<'set_service_group'> = {
  type: 'set_service_group',
  effect: 'repeatable',
  summarize: ({ groupId, characteristicType, value }, state) =>
    `Set ${characteristicWords(characteristicType)} of ${groupWords(state, groupId)} to ${valueWords(characteristicType, value)}`,
  async execute({ groupId, characteristicType, ...action }, run) {
    const value = run.render(action.value);
    const result = await run.ports.serviceGroups.set(run.caller, groupId, { characteristicType, value });
    const { success, affectedCount, failed, errors, outcomes } = result;
    const output = { groupId, characteristicType, value, success, affectedCount, failed, errors };
    if (success) return output;
    const reason = errors.length > 0 ? errors.join('; ') : 'no member has it';
    throw new ActionFailure('accessory_error', `${groupWords(run.ports.state, groupId)}: ${reason}`, output, {
      reason: 'not_all_done',
      refusals: refusalsIn(outcomes),
    });
  },
};
