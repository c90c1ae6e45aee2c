/** People with accounts in a test home: each made as the command line makes them and signed in as a client would. */
import type { Caller, Role } from '../../src/app/access/caller.ts';
import type { Hasher } from '../../src/app/users/passwords.ts';
import type { User } from '../../src/app/users/user.ts';
import { callerOf, systemCaller, type TestHome } from './test-home.ts';

export interface TestUserOptions {
  /** `Ann` where left out; the address is made of it. */
  readonly name?: string;
  /** Of the home below; none where left out, so that the person belongs to no home. */
  readonly role?: Role;
  /** The first home where left out. */
  readonly homeId?: string;
  /** Claims the relay, and owns every home. No other user has done so, then. */
  readonly founder?: boolean;
}

export interface TestUser {
  readonly user: User;
  /** Signed in. */
  readonly caller: Caller;
  /** The session's JWT for the API. */
  readonly token: string;
  /** The same session's JWT for the pages' cookie. */
  readonly pageToken: string;
  readonly password: string;
}

/** Computes nothing and counts everything, where a test is about who asks for hashes and not about hashes. */
export class CountingHasher implements Hasher {
  hashed = 0;
  /** What was verified against what, in order. */
  readonly verified: { readonly hash: string; readonly password: string }[] = [];

  async hash(password: string): Promise<string> {
    this.hashed += 1;
    return `test:${password}`;
  }

  async verify(hash: string, password: string): Promise<boolean> {
    this.verified.push({ hash, password });
    return hash === `test:${password}`;
  }
}

/** An unknown person, at an address of their own. */
export function anonymousCaller(address = '192.0.2.1'): Caller {
  return { ...callerOf({ kind: 'anonymous' }), address };
}

/**
 * Makes an account and signs in. Unless it is the founder's, the relay is claimed first by a founder of no further
 * interest: there is always one in real life.
 */
export async function createUser(home: TestHome, options: TestUserOptions = {}): Promise<TestUser> {
  const { name = 'Ann', role, homeId = home.home.id, founder = false } = options;
  if (!founder && !home.users.isClaimed()) await createUser(home, { name: 'Founder', founder: true });
  const email = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '.')}@example.org`;
  const password = `password of ${name}`;
  const account = { email, name, password };
  if (founder) {
    const { code } = home.setupCodes.renew(systemCaller);
    await home.users.claim(anonymousCaller(), { ...account, setupCode: code });
  } else {
    await home.users.create(systemCaller, role === undefined ? account : { ...account, role, homeIds: [homeId] });
  }
  const { token, sessionId, user } = await home.users.logIn(anonymousCaller(), { email, password });
  const pageToken = await home.sessions.pageToken(sessionId);
  return { user, caller: callerOf(await home.sessions.authenticate(token)), token, pageToken, password };
}
