import type { Catalogues } from 'texts:types';
import type { Slot } from './structure.ts';

/** The label of a step's part: "Then", "Case 2: if". */
export function slotLabel({ label, number = 0 }: Slot, { slots }: Catalogues['automation-flow']): string {
  const text = slots[label];
  return typeof text === 'function' ? text({ number }) : text;
}
