import runTexts from 'texts:automation-runs';
import { useHome } from '../../../home/use-home.ts';
import { useWords, whenText } from '../../../pickers/property-words.ts';
import { useTexts } from '../../../texts/texts.ts';

/** A short description of a run's trigger, from the data that expressions see as `trigger`. */
export function useTriggerWords(): (data: unknown) => string {
  const inventory = useHome();
  const words = useWords();
  const { triggers } = useTexts(runTexts);
  return (data) => {
    const { type, accessory_id, service_group_id, characteristic_type, to_value } = (data ?? {}) as Record<
      string,
      unknown
    >;
    const target = typeof accessory_id === 'string' ? accessory_id : service_group_id;
    if (typeof target === 'string' && typeof characteristic_type === 'string') {
      const ref = { accessoryId: target, characteristicType: characteristic_type };
      return whenText(inventory, ref, { to: to_value }, words);
    }
    const names = triggers as Readonly<Record<string, string>>;
    return typeof type === 'string' ? (names[type] ?? type) : '';
  };
}
