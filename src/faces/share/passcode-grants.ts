/**
 * Browsers that have given a share's right passcode. The cookie holds a random number that means something here only: not the
 * passcode, and nothing that could be carried to another share. Behind it is the opened share, judged anew at each use, so that a
 * changed passcode or a share that was taken back ends it. Kept in memory: after a restart people type the passcode once more.
 */
import { getCookie, setCookie } from 'hono/cookie';
import type { OpenShare } from '../../app/sharing/open-share.ts';
import type { Shares } from '../../app/sharing/shares.ts';
import type { Clock } from '../../kernel/clock.ts';
import { randomToken, sha256Hex } from '../../kernel/secrets.ts';
import type { FaceContext } from '../env.ts';
import { type GuardOptions, requestOrigin } from '../guards.ts';

const COOKIE = 'hearthd_share';
const ID_BYTES = 32;
/** A guest's stay. */
const LIFETIME_S = 7 * 24 * 3600;
/** Each took a right passcode to make, and each is small: the oldest make room. */
const MOST_GRANTS = 1_000;

interface Grant {
  readonly share: OpenShare;
  /** By the monotonic clock, which nobody sets back. */
  readonly endsAt: number;
}

export interface PasscodeGrantsDeps {
  readonly shares: Pick<Shares, 'reopen'>;
  readonly guards: GuardOptions;
  readonly clock: Clock;
}

export class PasscodeGrants {
  readonly #deps: PasscodeGrantsDeps;
  readonly #originOf: (c: FaceContext) => string;
  /** By the hash of what the cookie holds: timing a look-up tells nothing of it. */
  readonly #grants = new Map<string, Grant>();

  constructor(deps: PasscodeGrantsDeps) {
    this.#deps = deps;
    this.#originOf = requestOrigin(deps.guards);
  }

  /** The answer lets the browser keep that it may open this share, and no other. */
  give(c: FaceContext, share: OpenShare): void {
    const id = randomToken(ID_BYTES);
    this.#grants.set(sha256Hex(id), { share, endsAt: this.#deps.clock.monotonic() + LIFETIME_S * 1000 });
    for (const [oldest] of this.#grants) {
      if (this.#grants.size <= MOST_GRANTS) break;
      this.#grants.delete(oldest);
    }
    const secure = this.#originOf(c).startsWith('https:');
    const path = `/s/${share.hash}`;
    setCookie(c, COOKIE, id, { path, httpOnly: true, sameSite: 'Lax', secure, maxAge: LIFETIME_S });
  }

  /** The share as this browser may have it now; `undefined` where it has not given the passcode, or that is over. */
  find(c: FaceContext, hash: string): OpenShare | undefined {
    const cookie = getCookie(c, COOKIE);
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
