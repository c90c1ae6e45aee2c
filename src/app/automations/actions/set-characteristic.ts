import type { FieldGroup } from '../parsing/field.ts';
import { ACCESSORY } from '../parsing/field-kinds.ts';
import { type ResolvedSetting, resolveAccessorySetting } from '../parsing/targets.ts';
import { settingWords } from '../words.ts';
import { ActionFailure, actionKind } from './action-kind.ts';
import { SETTING_SCHEMAS } from './fields.ts';

const SETTING: FieldGroup<ResolvedSetting> = {
  schemas: SETTING_SCHEMAS,
  readGroup: ({ accessory: { id, accessory }, fields, parsing }) =>
    resolveAccessorySetting(id, accessory, fields, parsing),
};

/** Sets one characteristic of one accessory and waits for the device. Output: the confirmed value. */
export const setCharacteristic = actionKind({
  type: 'set_characteristic',
  fields: { accessoryId: ACCESSORY, setting: SETTING },
  effect: 'repeatable',
  summarize: (action, state) => `Set ${settingWords(state, action)}`,
  async execute({ accessoryId, characteristicType, ...action }, run) {
    const value = run.render(action.value);
    const write = { accessoryId, characteristicType, value };
    const [outcome] = await run.ports.control.writeCharacteristics(run.caller, [write]);
    if (outcome?.ok) return { accessoryId, characteristicType, value: outcome.value, success: true };
    const { code, message } = outcome ?? { code: 'internal' as const, message: 'The write has no outcome' };
    const name = run.ports.state.accessoryIn(run.program.homeId, accessoryId)?.name;
    const sentence = name === undefined ? message : `${name}: ${message}`;
    throw new ActionFailure(code, sentence, { ...write, success: false }, { refusals: [{ accessoryId, code }] });
  },
});
