import { describe, expect, it } from 'vitest';
import { Access, type RoleSource } from '../../../src/app/access/authorize.ts';
import type { Caller } from '../../../src/app/access/caller.ts';
import { managedHome } from '../../../src/app/access/managed-home.ts';
import { callerOf, systemCaller } from '../../support/test-home.ts';

const [LODGE, CABIN, BARN] = ['lodge', 'cabin', 'barn'] as const;
const HOMES = [LODGE, CABIN, BARN].map((id) => ({ id }));

/** Ann manages two of the homes, Ben one; both see all. */
const MANAGED: Readonly<Record<string, readonly string[]>> = { ann: [LODGE, CABIN], ben: [BARN], cleo: [] };
const roles: RoleSource = {
  roleOf: (userId, homeId) => (MANAGED[userId]?.includes(homeId) ? 'admin' : 'view'),
  homesOf: () => HOMES.map(({ id }) => id),
};

const user = (userId: string): Caller => callerOf({ kind: 'user', userId, sessionId: 's' });

function homeFor(caller: Caller, homeId: unknown): string {
  const state = { homes: () => HOMES, home: (id: string) => HOMES.find((home) => home.id === id) };
  return managedHome({ state: state as never, access: new Access(roles) }, caller, homeId);
}

const failure = (code: string) => expect.objectContaining({ code });

describe('the home in which an admin adds something', () => {
  it('is the one that is named, if the caller manages it', () => {
    expect(homeFor(user('ann'), ` ${CABIN} `)).toBe(CABIN);
    expect(homeFor(systemCaller, BARN)).toBe(BARN);
    expect(() => homeFor(user('ann'), BARN)).toThrow(failure('insufficient_permissions'));
    expect(() => homeFor(user('ann'), 'shed')).toThrow(failure('home_not_found'));
  });

  it('need not be named where the caller manages only one', () => {
    expect([homeFor(user('ben'), undefined), homeFor(user('ben'), null)]).toEqual([BARN, BARN]);
    expect(() => homeFor(user('ann'), undefined)).toThrow(failure('invalid_request'));
    expect(() => homeFor(user('cleo'), undefined)).toThrow(failure('insufficient_permissions'));
  });

  it('is named by a text', () => {
    for (const wrong of [5, [BARN], {}]) expect(() => homeFor(user('ben'), wrong)).toThrow(failure('invalid_value'));
  });
});
