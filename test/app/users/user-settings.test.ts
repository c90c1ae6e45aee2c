import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callerOf, createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';

const code = (wanted: string) => expect.objectContaining({ code: wanted });

let test: TestHome;
let ann: TestUser;

beforeEach(async () => {
  test = createTestHome({ passwordHasher: new CountingHasher() });
  ann = await createUser(test, { founder: true });
});

afterEach(() => test.close());

describe('the settings of a person', () => {
  it('keep what clients put there: keys given are replaced, null removes one', () => {
    expect(test.userSettings.get(ann.caller)).toEqual({ developerMode: false });
    test.userSettings.update(ann.caller, { theme: 'dark', layout: { rooms: [1] }, __proto__: 1 });
    const settings = test.userSettings.update(
      ann.caller,
      JSON.parse('{"layout": [2], "theme": null, "__proto__": "x"}'),
    );
    expect(JSON.stringify(settings)).toBe('{"developerMode":false,"layout":[2],"__proto__":"x"}');
    expect(Object.getPrototypeOf(settings)).toBe(Object.prototype);
    expect(test.userSettings.get(ann.caller)).toEqual(settings);
  });

  it('are one person’s alone', async () => {
    const ben = await createUser(test, { name: 'Ben', role: 'owner' });
    test.userSettings.update(ben.caller, { theme: 'dark' });
    expect(test.userSettings.get(ann.caller)).toEqual({ developerMode: false });
    for (const caller of [systemCaller, tokenCaller(), anonymousCaller()]) {
      expect(() => test.userSettings.get(caller)).toThrow(code('insufficient_permissions'));
    }
  });

  it('nest 32 deep at most: what is deeper is refused, however deep, and nothing of it is kept', () => {
    const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
    expect(test.userSettings.update(ann.caller, nested(32))).toEqual({ developerMode: false, ...nested(32) });
    for (const depth of [33, 10_000]) {
      expect(() => test.userSettings.update(ann.caller, { other: 1, ...nested(depth) })).toThrow(code('invalid_value'));
    }
    expect(test.userSettings.get(ann.caller)).not.toHaveProperty('other');
  });

  it('are an object of 64 KiB at most, with Developer Mode on or off', () => {
    for (const data of [null, undefined, [], 'x', 7, { developerMode: 'yes' }, { big: 'x'.repeat(65_536) }]) {
      expect(() => test.userSettings.update(ann.caller, data)).toThrow(code('invalid_value'));
    }
    test.userSettings.update(ann.caller, { one: 'x'.repeat(40_000) });
    expect(() => test.userSettings.update(ann.caller, { two: 'x'.repeat(40_000) })).toThrow(code('invalid_value'));
    expect(test.userSettings.get(ann.caller)).not.toHaveProperty('two');
  });

  it('that a damaged disk has made unreadable are none', () => {
    for (const rotten of ['{"developerMode":tr', '[true]', 'null']) {
      test.database.prepare('UPDATE users SET settings = ?').run(rotten);
      expect(test.userSettings.get(ann.caller)).toEqual({ developerMode: false });
    }
  });
});

describe('Developer Mode', () => {
  it('is what a session needs to list, make and revoke access tokens', () => {
    const { info } = test.tokens.create(systemCaller, { name: 'House' });
    const acts = () => [
      () => test.tokens.list(ann.caller),
      () => test.tokens.create(ann.caller, { name: 'Mine' }),
      () =>
        test.tokens.revoke(ann.caller, test.tokens.list(systemCaller).find(({ makerId }) => makerId)?.id ?? info.id),
    ];
    for (const act of acts()) expect(act).toThrow(code('developer_mode_required'));
    test.userSettings.update(ann.caller, { developerMode: true });
    for (const act of acts()) act();
    test.userSettings.update(ann.caller, { developerMode: false });
    for (const act of acts()) expect(act).toThrow(code('developer_mode_required'));
  });

  it('is not asked of the command line and of tokens that there are', () => {
    test.userSettings.update(ann.caller, { developerMode: true });
    const { token } = test.tokens.create(ann.caller, { name: 'Mine' });
    test.userSettings.update(ann.caller, { developerMode: null });
    const caller = callerOf(test.tokens.authenticate(token));
    expect(test.tokens.list(caller)).toHaveLength(1);
    expect(test.tokens.create(caller, { name: 'Another' }).info.makerId).toBe(ann.user.id);
    expect(test.tokens.list(systemCaller)).toHaveLength(2);
  });

  it('is switched on by its person alone, not by what acts for them', () => {
    test.userSettings.update(ann.caller, { developerMode: true });
    const { token } = test.tokens.create(ann.caller, { name: 'Mine' });
    test.userSettings.update(ann.caller, { developerMode: false });
    const app = {
      kind: 'oauth_client',
      clientId: 'c',
      userId: ann.user.id,
      scope: 'admin',
      homePermissions: null,
    } as const;
    for (const principal of [test.tokens.authenticate(token), app]) {
      expect(() => test.userSettings.update(callerOf(principal), { developerMode: true })).toThrow(
        code('insufficient_permissions'),
      );
      expect(test.userSettings.get(callerOf(principal))).toMatchObject({ developerMode: false });
    }
  });

  it('lets no app make a token, which would outlive what its person allowed', () => {
    const app = callerOf({
      kind: 'oauth_client',
      clientId: 'c',
      userId: ann.user.id,
      scope: 'admin',
      homePermissions: null,
    });
    expect(() => test.tokens.create(app, { name: 'Escape' })).toThrow(code('insufficient_permissions'));
    expect(test.tokens.list(app)).toEqual([]);
  });
});
