import type { TextsLike } from '../../../texts/texts.ts';
import type { Slot } from './structure.ts';
import type { flowTexts } from './texts/texts.ts';

/** The label of a step's part: "Then", "Case 2: if". */
export function slotLabel({ label, number = 0 }: Slot, { slots }: TextsLike<(typeof flowTexts)['en']>): string {
  const text = slots[label];
  return typeof text === 'function' ? text(number) : text;
}
