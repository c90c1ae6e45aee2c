import type { ApiContext } from './env.ts';
import { type GuardOptions, requestOrigin } from './guards.ts';

/**
 * @returns a function that returns the origin at which other programs reach webhooks: the public URL, else the origin
 * of this request. Empty for the Unix socket, which has no origin.
 */
export function webhookOrigin(guards: GuardOptions): (c: ApiContext) => string {
  const originOf = requestOrigin(guards);
  return (c) => {
    const { publicUrl } = guards;
    if (publicUrl !== null) return new URL(publicUrl).origin;
    return c.env?.viaSocket ? '' : originOf(c);
  };
}
