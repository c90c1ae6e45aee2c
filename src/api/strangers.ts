/**
 * Limits requests without valid credentials per address. Signing in, share links, app registration and the like are
 * open to strangers, and each request costs more than it does to send. Over the allowance a stranger gets 429 before
 * the relay reads anything of the request, and the connection closes. Requests with valid credentials are not counted.
 */
import { type Allowance, Allowances } from '../app/access/allowances.ts';
import { addressKey } from '../app/access/attempts.ts';
import type { Clock } from '../kernel/clock.ts';
import { HearthError } from '../kernel/errors.ts';
import { type ApiMiddleware, type Check, type GuardedRequest, headerOf, middlewareOf } from './env.ts';

/** Enough for a family whose devices all come through one proxy, and for programs that retry with an old token. */
export const STRANGERS_PER_ADDRESS: Allowance = { burst: 400, perSecond: 40 };

export class Strangers {
  readonly #allowances: Allowances;

  constructor({ clock }: { readonly clock: Clock }) {
    this.#allowances = new Allowances(clock, 'Too many requests without signing in. Wait a moment and try again.');
  }

  /** For routes that check credentials themselves. */
  note(): ApiMiddleware {
    return (c, next) => {
      c.set('strangers', this);
      return next();
    };
  }

  /** Counts requests without credentials. Requests with wrong ones are counted where those are checked. */
  limit(): ApiMiddleware {
    return middlewareOf(this.check);
  }

  /** As `limit`. @throws `rate_limited` */
  readonly check: Check = (c) => {
    c.set('strangers', this);
    if (headerOf(c, 'authorization') === undefined) this.count(c);
  };

  /** For routes that check no Authorization header, behind `limit`: a header exempts no request. */
  limitAll(): ApiMiddleware {
    return (c, next) => {
      if (headerOf(c, 'authorization') !== undefined) this.count(c);
      return next();
    };
  }

  /** @throws `rate_limited` */
  count(c: GuardedRequest): void {
    const address = c.get('address');
    // The request came through the Unix socket, or from inside the process.
    if (address === undefined) return;
    try {
      this.#allowances.take(addressKey(address), STRANGERS_PER_ADDRESS);
    } catch (error) {
      // The relay does not read the bytes after this request either.
      if (c.env?.outgoing) c.env.outgoing.shouldKeepAlive = false;
      throw error;
    }
  }
}

/** For wrong credentials. @throws `rate_limited`, or the original error */
export function refuseStranger(c: GuardedRequest, error: unknown): never {
  if (error instanceof HearthError && error.code === 'invalid_token') c.get('strangers')?.count(c);
  throw error;
}
