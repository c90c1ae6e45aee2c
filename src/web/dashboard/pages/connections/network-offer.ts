/** What is offered of the accessories that were found on the network. */
import { type Discovered, pairAddress } from '../pair/discovered.ts';

const MAX_NAMES = 3;

export interface NetworkOffer {
  readonly names: readonly string[];
  /** How many are not named. */
  readonly more: number;
  /** Where a single one is added, else where one is chosen. */
  readonly href: string;
}

/** @returns `undefined` if there is nothing to add */
export function offerOf(found: readonly Pick<Discovered, 'deviceId' | 'name'>[]): NetworkOffer | undefined {
  const [first] = found;
  if (!first) return undefined;
  // Naming all but one would take as much room as that one.
  const shown = found.length > MAX_NAMES + 1 ? MAX_NAMES : found.length;
  return {
    names: found.slice(0, shown).map(({ name }) => name),
    more: found.length - shown,
    href: pairAddress(found.length === 1 ? first.deviceId : undefined),
  };
}
