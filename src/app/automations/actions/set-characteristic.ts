import { settingWords } from '../words.ts';
import { ActionFailure, type ActionKind } from './action-kind.ts';

/** Sets one characteristic of one accessory and waits for the device. Output: the confirmed value. */
export const setCharacteristic: ActionKind<'set_characteristic'> = {
  type: 'set_characteristic',
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
};
