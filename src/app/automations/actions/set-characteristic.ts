import type { FieldGroup } from '../parsing/field.ts';
import { ACCESSORY } from '../parsing/field-kinds.ts';
import { type ResolvedSetting, resolveAccessorySetting } from '../parsing/targets.ts';
import { settingWords } from '../words.ts';
import { ActionFailure, actionKind } from './action-kind.ts';
import { SETTING_SCHEMAS } from './fields.ts';
import { foundBefore, restorableOutput } from './restorable.ts';

const SETTING: FieldGroup<ResolvedSetting> = {
  schemas: SETTING_SCHEMAS,
  readGroup: ({ accessory: { id, accessory }, fields, parsing }) =>
    resolveAccessorySetting(id, accessory, fields, parsing),
};

/**
 * Sets one characteristic of one accessory and waits for the device. Output: the confirmed value. If a `restore_state`
 * of the automation refers to this step, also the previous value.
 */
export const setCharacteristic = actionKind({
  type: 'set_characteristic',
  fields: { accessoryId: ACCESSORY, setting: SETTING },
  effect: 'repeatable',
  summarize: (action, state) => `Set ${settingWords(state, action)}`,
  async execute({ id, accessoryId, characteristicType, ...action }, run) {
    const value = run.render(action.value);
    const found = foundBefore(run, id, () => [{ accessoryId, type: characteristicType, serviceIid: null, value }]);
    const write = { accessoryId, characteristicType, value };
    const [outcome] = await run.ports.control.writeCharacteristics(run.caller, [write]);
    const restorable = restorableOutput(found, outcome ? [outcome] : [], run.ports.state);
    if (outcome?.ok) {
      return { accessoryId, characteristicType, value: outcome.value, success: true, ...restorable };
    }
    const { code, message } = outcome ?? { code: 'internal' as const, message: 'The write has no outcome' };
    const name = run.ports.state.accessoryIn(run.program.homeId, accessoryId)?.name;
    const sentence = name === undefined ? message : `${name}: ${message}`;
    throw new ActionFailure(
      code,
      sentence,
      { ...write, success: false, ...restorable },
      { refusals: [{ accessoryId, code }] },
    );
  },
});
