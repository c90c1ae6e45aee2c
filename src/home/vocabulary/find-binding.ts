import { foldWord } from '../../hap-spec/words.ts';
import type { Accessory } from '../model.ts';
import { type Binding, bindingsOf } from './bindings.ts';

/**
 * The property of an accessory for a spelling, in any case and with any separators; `undefined` for names of
 * characteristics.
 */
export function findBinding({ services }: Accessory, spelling: string): Binding | undefined {
  return bindingsOf(services).byWord.get(foldWord(spelling));
}
