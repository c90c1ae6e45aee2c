/**
 * Rate limits of shares. A caller with a link can repeat it without end, and the devices' radios and relays wear out.
 * So reads count by address, and acts also by share. No person reaches these limits.
 */
import type { Clock } from '../../kernel/clock.ts';
import { type Allowance, Allowances } from '../access/allowances.ts';

const READS_PER_ADDRESS: Allowance = { burst: 120, perSecond: 10 };
const ACTS_PER_ADDRESS: Allowance = { burst: 40, perSecond: 2 };
/** Enough for a family with several phones. */
const ACTS_PER_SHARE: Allowance = { burst: 80, perSecond: 4 };

export class ShareRateLimits {
  readonly #allowances: Allowances;

  constructor({ clock }: { readonly clock: Clock }) {
    this.#allowances = new Allowances(clock, 'Too many requests on this link. Wait a moment and try again.');
  }

  /** @throws `rate_limited` */
  countRead(address: string): void {
    this.#allowances.take(`read ${address}`, READS_PER_ADDRESS);
  }

  /** @throws `rate_limited` */
  countAct(address: string, shareHash: string): void {
    this.#allowances.take(`act ${address}`, ACTS_PER_ADDRESS);
    this.#allowances.take(`share ${shareHash}`, ACTS_PER_SHARE);
  }
}
