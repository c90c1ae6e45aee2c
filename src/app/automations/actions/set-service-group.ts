import { id } from '../../../contract/fields.ts';
import type { FieldGroup } from '../parsing/field.ts';
import { type ResolvedSetting, resolveGroup, resolveGroupSetting } from '../parsing/targets.ts';
import { characteristicWords, groupWords, valueWords } from '../words.ts';
import { ActionFailure, actionKind, refusalsIn } from './action-kind.ts';
import { SAME_HOME, SETTING_SCHEMAS } from './fields.ts';

const SETTING: FieldGroup<ResolvedSetting & { readonly groupId: string }> = {
  schemas: { groupId: id('The service group.'), ...SETTING_SCHEMAS },
  readGroup({ fields, parsing }) {
    const group = resolveGroup(fields, 'groupId', parsing);
    return { groupId: group.id, ...resolveGroupSetting(group.id, group.accessory, fields, parsing) };
  },
};

/**
 * Sets one characteristic on every member of a service group, in one request. Fails if a member did not accept the
 * value, and names those members.
 */
export const setServiceGroup = actionKind({
  type: 'set_service_group',
  fields: { home: SAME_HOME, setting: SETTING },
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
});
