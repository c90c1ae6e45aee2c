/**
 * Browsers that have entered a share's right passcode. The cookie holds a random number that is valid here only: not
 * the passcode, and nothing that works for another share. Each use checks the opened share again, so that a changed
 * passcode or a revoked share ends the grant. Stored in memory: after a restart people type the passcode once more.
 */
import type { OpenShare } from '../../app/sharing/open-share.ts';
import type { Shares } from '../../app/sharing/shares.ts';
import type { Clock } from '../../kernel/clock.ts';
import { randomToken, sha256Hex } from '../../kernel/secrets.ts';
import { Cookies } from '../cookies.ts';
import type { ApiContext } from '../env.ts';
import type { GuardOptions } from '../guards.ts';

const COOKIE = 'hearthd_share';
const ID_BYTES = 32;
/** The length of a guest's stay. */
const LIFETIME_S = 7 * 24 * 3600;
/** Each needed a right passcode, and each is small: the oldest are evicted. */
const MAX_GRANTS = 1_000;

interface Grant {
  readonly share: OpenShare;
  /** By the monotonic clock, which cannot be set back. */
  readonly endsAt: number;
}

export interface PasscodeGrantsDeps {
  readonly shares: Pick<Shares, 'reopen'>;
  readonly guards: GuardOptions;
  readonly clock: Clock;
}

export class PasscodeGrants {
  readonly #deps: PasscodeGrantsDeps;
  readonly #cookies: Cookies;
  /** By the hash of the cookie's value: the timing of a look-up reveals nothing of it. */
  readonly #grants = new Map<string, Grant>();

  constructor(deps: PasscodeGrantsDeps) {
    this.#deps = deps;
    this.#cookies = new Cookies(deps.guards);
  }

  /** Sets the cookie with which the browser may open this share, and no other. */
  give(c: ApiContext, share: OpenShare): void {
    const id = randomToken(ID_BYTES);
    this.#grants.set(sha256Hex(id), { share, endsAt: this.#deps.clock.monotonic() + LIFETIME_S * 1000 });
    for (const [oldest] of this.#grants) {
      if (this.#grants.size <= MAX_GRANTS) break;
      this.#grants.delete(oldest);
    }
    this.#cookies.set(c, COOKIE, id, { key: share.hash, maxAge: LIFETIME_S });
  }

  /**
   * The share with this browser's present permissions; `undefined` if it has not entered the passcode, or the grant has
   * ended.
   */
  find(c: ApiContext, hash: string): OpenShare | undefined {
    const cookie = this.#cookies.get(c, COOKIE, hash);
    if (cookie === undefined) return undefined;
    const key = sha256Hex(cookie);
    const grant = this.#grants.get(key);
    if (!grant || grant.share.hash !== hash) return undefined;
    const isOver = grant.endsAt <= this.#deps.clock.monotonic();
    const share = isOver ? undefined : this.#deps.shares.reopen(grant.share);
    if (isOver) this.#grants.delete(key);
    return share;
  }
}
