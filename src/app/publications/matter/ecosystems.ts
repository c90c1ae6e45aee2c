/** Names for the controllers of a Matter bridge. */
import type { MatterFabric } from '../../../home/matter-port.ts';

/** By the vendor ids of their root certificates, as the CSA lists them. */
const ECOSYSTEMS: Readonly<Record<number, string>> = {
  4321: 'SmartThings',
  4362: 'SmartThings',
  4447: 'Aqara',
  4476: 'IKEA',
  4631: 'Alexa',
  4937: 'Apple Home',
  4939: 'Home Assistant',
  4996: 'Apple Keychain',
  24582: 'Google Home',
};

/** @returns `null` for one that gave no name and is not known */
export function ecosystemOf({ vendorId, label }: Pick<MatterFabric, 'vendorId' | 'label'>): string | null {
  const known = ECOSYSTEMS[vendorId];
  const own = label.trim();
  if (known === undefined) return own || null;
  return own === '' || own === known ? known : `${known} (${own})`;
}
