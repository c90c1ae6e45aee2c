import type { FaceContext } from './env.ts';
import { type GuardOptions, requestOrigin } from './guards.ts';

/**
 * @returns a function that says where other programs reach webhooks: where the relay is published, else where this request reached it.
 *          Empty for the Unix socket, on which nobody learns that.
 */
export function webhookOrigin(guards: GuardOptions): (c: FaceContext) => string {
  const originOf = requestOrigin(guards);
  return (c) => {
    const { publicUrl } = guards;
    if (publicUrl !== null) return new URL(publicUrl).origin;
    return c.env?.viaSocket ? '' : originOf(c);
  };
}
