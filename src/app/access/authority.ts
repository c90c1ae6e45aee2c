/**
 * Which kinds of callers may create or change lasting things, and what happens to a thing when the app or the access
 * token that made it ends. The one declaration of both, for every operation of every API.
 *
 * The rule: a caller that acts for a user makes nothing stronger than itself. Roles decide where a caller may act
 * (`authorize.ts`); this file decides what a caller of its kind may leave behind.
 */
import { insufficientPermissions } from './authorize.ts';
import type { Caller, Principal } from './caller.ts';

type Kind = Principal['kind'];

/**
 * What happens to a thing when its maker ends.
 * - `ends`: it ends with the app that made it. If an access token made it, it ends when the token expires; when the
 *   token is revoked, it is listed and ended on request.
 * - `stays`: it belongs to the home or to the user and grants no access.
 */
type Afterwards = 'ends' | 'stays';

interface Authority {
  readonly makers: readonly Kind[];
  readonly afterwards: Afterwards;
}

const SYSTEM: readonly Kind[] = ['system'];
const SESSION: readonly Kind[] = ['user'];
const SESSION_OR_SYSTEM: readonly Kind[] = ['user', 'system'];
const NO_APPS: readonly Kind[] = [...SESSION_OR_SYSTEM, 'access_token'];
const WITH_APPS: readonly Kind[] = [...NO_APPS, 'oauth_client'];

const stays = (makers: readonly Kind[]) => ({ makers, afterwards: 'stays' }) as const;
const ends = (makers: readonly Kind[]) => ({ makers, afterwards: 'ends' }) as const;

export const AUTHORITY = {
  // Access for people. Only its maker sees an invitation's code.
  setup_code: stays(SYSTEM),
  account: stays(SESSION_OR_SYSTEM),
  session: stays(SESSION_OR_SYSTEM),
  own_account: stays(SESSION),
  /** A browser that receives notifications of the homes of its person. */
  push_device: stays(SESSION),
  membership: stays(SESSION_OR_SYSTEM),
  own_membership: stays(SESSION),
  // Access for programs.
  app_consent: stays(SESSION),
  access_token: ends(NO_APPS),
  webhook: ends(NO_APPS),
  share: ends(WITH_APPS),
  mqtt_broker: ends(WITH_APPS),
  /**
   * With a webhook trigger or an HTTP request: a caller that knows the URL runs it, and the receiver of the request
   * learns about the home.
   */
  outward_flow: ends(WITH_APPS),
  /** Gives a paired device its own key, which the relay may be unable to revoke. */
  controller: stays(SESSION_OR_SYSTEM),
  /** Lets controllers in that no role limits. Only who may create one sees its codes. */
  publication: stays(SESSION_OR_SYSTEM),
  // The relay itself.
  backup: stays(SESSION_OR_SYSTEM),
  relay_setting: stays(SESSION_OR_SYSTEM),
  // Things of a home or a user that grant no access.
  home: stays(WITH_APPS),
  layout: stays(WITH_APPS),
  collection: stays(WITH_APPS),
  scene: stays(WITH_APPS),
  automation: stays(WITH_APPS),
  flow: stays(WITH_APPS),
  virtual_accessory: stays(WITH_APPS),
  person: stays(WITH_APPS),
  pairing: stays(WITH_APPS),
  manual_device: stays(WITH_APPS),
  history_setting: stays(WITH_APPS),
  notification_setting: stays(WITH_APPS),
} as const satisfies Readonly<Record<string, Authority>>;

export type LastingThing = keyof typeof AUTHORITY;

/** Things that end with the app or the access token that made them. */
export type TiedThing = {
  [T in LastingThing]: (typeof AUTHORITY)[T]['afterwards'] extends 'ends' ? T : never;
}[LastingThing];

export function mayMake({ principal }: Caller, thing: LastingThing): boolean {
  const { makers }: Authority = AUTHORITY[thing];
  return makers.includes(principal.kind);
}

/**
 * For operations that create or change a thing, after the check of the caller's role. @throws
 * `insufficient_permissions`
 */
export function requireMaker(caller: Caller, thing: LastingThing): void {
  if (!mayMake(caller, thing)) throw insufficientPermissions();
}
