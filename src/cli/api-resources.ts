import type { AccessoryState } from '../contract/state.ts';

/** The fields of an accessory in the state tree that are no properties. */
const ABOUT: Readonly<Record<Exclude<keyof AccessoryState, `_${string}`>, true>> = {
  type: true,
  name: true,
  group: true,
  accessories: true,
};

/** Whether a key of an accessory's entry in the state tree is a property, to show and set. */
export function isProperty(key: string): boolean {
  return !key.startsWith('_') && !Object.hasOwn(ABOUT, key);
}
