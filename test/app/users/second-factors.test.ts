import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pruneUsers } from '../../../src/app/users/create-users.ts';
import { SecondFactorRequired } from '../../../src/app/users/pending-sign-ins.ts';
import { codeOf, stepAt } from '../../../src/app/users/totp.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { type TestSecondFactor, turnOnSecondFactor } from '../../support/second-factor.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';

const STEP_MS = 30_000;
const MINUTE_MS = 60_000;

let home: TestHome;
let founder: TestUser;
let ann: TestUser;

beforeEach(async () => {
  home = createTestHome({ passwordHasher: new CountingHasher() });
  founder = await createUser(home, { name: 'Founder', founder: true });
  ann = await createUser(home, { role: 'admin' });
  home.accessUpkeep.start();
});
afterEach(() => home.close());

const logIn = (code?: unknown, address?: string) =>
  home.users.logIn(anonymousCaller(address), { email: ann.user.email, password: ann.password, code });

/** `in`, or the reason of the refusal, or its code. */
async function outcomeOf(act: () => unknown): Promise<string> {
  try {
    await act();
    return 'in';
  } catch (error) {
    if (!(error instanceof HearthError)) throw error;
    return error.details.reason ?? error.code;
  }
}

const tryCode = (code?: unknown, address?: string) => outcomeOf(() => logIn(code, address));

/** A code that is wrong now and in the steps around. */
const wrongCode = (factor: TestSecondFactor): string => {
  const right = new Set([-2, -1, 0, 1, 2].map((off) => factor.code(off)));
  return ['000000', '000001', '000002', '000003', '000004', '000005'].find((code) => !right.has(code)) ?? '';
};

describe('turning the second step on', () => {
  it('takes the password and the first code, and gives ten recovery codes', async () => {
    const { secret, uri } = await home.secondFactors.begin(ann.caller, { currentPassword: ann.password });
    expect(uri).toContain(`secret=${secret}`);
    expect(home.secondFactors.status(ann.caller)).toEqual({ isOn: false, createdAt: null, recoveryCodesLeft: 0 });
    const codes = home.secondFactors.confirm(ann.caller, { code: codeOf(secret, stepAt(home.clock.now())) });
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^(?:[A-HJKMNP-Z2-9]{4}-){3}[A-HJKMNP-Z2-9]{4}$/);
    expect(home.secondFactors.status(ann.caller)).toEqual({
      isOn: true,
      createdAt: home.clock.now(),
      recoveryCodesLeft: 10,
    });
  });

  it('changes nothing before the first code, and nothing with a wrong password', async () => {
    const wrong = { currentPassword: 'not it' };
    expect(await outcomeOf(() => home.secondFactors.begin(ann.caller, wrong))).toBe('wrong_password');
    expect(await outcomeOf(() => home.secondFactors.confirm(ann.caller, { code: '123456' }))).toBe(
      'second_factor_setup_over',
    );
    await home.secondFactors.begin(ann.caller, { currentPassword: ann.password });
    expect(await tryCode()).toBe('in');
  });

  it('leaves sessions and access tokens as they are', async () => {
    const { token } = home.tokens.create(systemCaller, { name: 'Tablet' });
    await turnOnSecondFactor(home, founder);
    await expect(home.sessions.authenticate(founder.token)).resolves.toBeDefined();
    expect(home.tokens.authenticate(token)).toMatchObject({ kind: 'access_token' });
  });

  it('distinguishes clocks that differ by up to an hour from a wrong code', async () => {
    const { secret } = await home.secondFactors.begin(ann.caller, { currentPassword: ann.password });
    const now = stepAt(home.clock.now());
    const confirm = (code: string) => outcomeOf(() => home.secondFactors.confirm(ann.caller, { code }));
    expect(await confirm(codeOf(secret, now - 118))).toBe('clocks_differ');
    await home.clock.advance(STEP_MS);
    const near = new Set(Array.from({ length: 243 }, (_, n) => codeOf(secret, now - 120 + n)));
    const wrong = Array.from({ length: 300 }, (_, n) => String(n).padStart(6, '0')).find((code) => !near.has(code));
    expect(await confirm(wrong ?? '')).toBe('wrong_second_factor');
  });

  it('ends after half an hour, and can not be done twice', async () => {
    const { secret } = await home.secondFactors.begin(ann.caller, { currentPassword: ann.password });
    await home.clock.advance(30 * MINUTE_MS);
    const code = codeOf(secret, stepAt(home.clock.now()));
    expect(await outcomeOf(() => home.secondFactors.confirm(ann.caller, { code }))).toBe('second_factor_setup_over');
    await turnOnSecondFactor(home, ann);
    expect(await outcomeOf(() => home.secondFactors.begin(ann.caller, { currentPassword: ann.password }))).toBe(
      'second_factor_on',
    );
  });

  it('is for sessions of people alone', async () => {
    const { token } = home.tokens.create(systemCaller, { name: 'Program' });
    const program = { ...anonymousCaller(), principal: home.tokens.authenticate(token) };
    for (const caller of [anonymousCaller(), systemCaller, program]) {
      expect(await outcomeOf(() => home.secondFactors.status(caller))).toBe('insufficient_permissions');
      const begin = () => home.secondFactors.begin(caller, { currentPassword: founder.password });
      expect(await outcomeOf(begin)).toBe('insufficient_permissions');
      for (const act of ['confirm', 'renewRecoveryCodes', 'turnOff'] as const) {
        const call = () => home.secondFactors[act](caller, { code: '123456' });
        expect([act, await outcomeOf(call)]).toEqual([act, 'insufficient_permissions']);
      }
    }
  });
});

describe('signing in with a second step', () => {
  let factor: TestSecondFactor;

  beforeEach(async () => {
    factor = await turnOnSecondFactor(home, ann);
  });

  it('asks for the code only after the right password', async () => {
    expect(await tryCode()).toBe('second_factor_required');
    expect(await tryCode('  ')).toBe('second_factor_required');
    const wrong = { email: ann.user.email, password: 'not it' };
    expect(await outcomeOf(() => home.users.logIn(anonymousCaller(), wrong))).toBe('invalid_credentials');
    const withCode = { ...wrong, code: factor.code() };
    expect(await outcomeOf(() => home.users.logIn(anonymousCaller('192.0.2.9'), withCode))).toBe('invalid_credentials');
    await expect(logIn(factor.code(), '192.0.2.10')).resolves.toMatchObject({ user: { id: ann.user.id } });
  });

  it.each([-1, 0, 1])('takes the code %i steps from now', async (off) => {
    // The step before now is that of the confirmation.
    await home.clock.advance(STEP_MS);
    expect(await tryCode(factor.code(off))).toBe('in');
  });

  it.each([-2, 2])('refuses the code %i steps from now', async (off) => {
    await home.clock.advance(2 * STEP_MS);
    expect(await tryCode(factor.code(off))).toBe('wrong_second_factor');
  });

  it('takes no code twice, nor an earlier one after a later one', async () => {
    const code = factor.code();
    const later = factor.code(1);
    expect(await tryCode(later)).toBe('in');
    expect(await tryCode(later, '192.0.2.2')).toBe('wrong_second_factor');
    expect(await tryCode(code, '192.0.2.3')).toBe('wrong_second_factor');
  });

  it('lets one of several in that send the same code at once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, (_, n) => tryCode(factor.code(), `192.0.2.${20 + n}`)),
    );
    expect(outcomes.toSorted()).toEqual(['in', ...Array<string>(4).fill('wrong_second_factor')]);
  });

  it('does not take the code that confirmed it', async () => {
    expect(await tryCode(factor.code(-1))).toBe('wrong_second_factor');
  });

  it('takes each recovery code once, in any spelling, and none of another person', async () => {
    const [first = '', second = ''] = factor.recoveryCodes;
    expect(await tryCode(first.toLowerCase().replaceAll('-', ' '))).toBe('in');
    expect(await tryCode(first, '192.0.2.2')).toBe('wrong_second_factor');
    expect(home.secondFactors.status(ann.caller).recoveryCodesLeft).toBe(9);
    await turnOnSecondFactor(home, founder);
    const { email } = founder.user;
    const asFounder = { email, password: founder.password, code: second };
    expect(await outcomeOf(() => home.users.logIn(anonymousCaller('192.0.2.3'), asFounder))).toBe(
      'wrong_second_factor',
    );
    expect(await tryCode(second, '192.0.2.4')).toBe('in');
  });

  it('gives new recovery codes for a code, which end the earlier ones', async () => {
    const codes = home.secondFactors.renewRecoveryCodes(ann.caller, { code: factor.code() });
    expect(await tryCode(factor.recoveryCodes[0], '192.0.2.2')).toBe('wrong_second_factor');
    expect(await tryCode(codes[0], '192.0.2.3')).toBe('in');
  });

  it('stores no recovery code, and no code at all, as text', () => {
    const rows = home.database.prepare('SELECT * FROM recovery_codes').all();
    expect(rows).toHaveLength(10);
    for (const code of factor.recoveryCodes) {
      expect(JSON.stringify(rows)).not.toContain(code);
      expect(JSON.stringify(rows)).not.toContain(code.replaceAll('-', ''));
    }
  });

  it('is asked for by no operation that has another credential', async () => {
    expect(await home.users.verifyPassword(ann.caller, ann.password)).toBe(true);
    const change = { currentPassword: ann.password, newPassword: 'another horse' };
    await expect(home.users.changePassword(ann.caller, change)).resolves.toBeDefined();
    const next = { email: ann.user.email, password: 'another horse' };
    expect(await outcomeOf(() => home.users.logIn(anonymousCaller(), next))).toBe('second_factor_required');
  });

  describe('guesses', () => {
    it('wait longer each time, though the password is right each time', async () => {
      const outcomes: string[] = [];
      for (let n = 0; n < 4; n += 1) {
        outcomes.push(await tryCode(wrongCode(factor)));
        outcomes.push(await tryCode());
      }
      expect(outcomes.slice(0, 4)).toEqual([
        'wrong_second_factor',
        'second_factor_required',
        'wrong_second_factor',
        'rate_limited',
      ]);
      expect(outcomes.slice(4)).toEqual(Array<string>(4).fill('rate_limited'));
    });

    it('end after ten in an hour, from any number of addresses and where the person is signed in', async () => {
      const outcomes: string[] = [];
      for (let n = 0; n < 15; n += 1) outcomes.push(await tryCode(wrongCode(factor), `198.51.100.${n}`));
      expect(outcomes).toEqual([
        ...Array<string>(10).fill('wrong_second_factor'),
        ...Array<string>(5).fill('rate_limited'),
      ]);
      // Ann is signed in at this address.
      expect(await tryCode(factor.code(), '192.0.2.1')).toBe('rate_limited');
      expect(await tryCode(factor.code(), '127.0.0.1')).toBe('in');
      await home.clock.advance(60 * MINUTE_MS);
      expect(await tryCode(factor.code(), '192.0.2.1')).toBe('in');
    });

    it('are as many with codes of another time, which are no nearer to the right one', async () => {
      const outcomes: string[] = [];
      for (let n = 0; n < 12; n += 1) outcomes.push(await tryCode(factor.code(50 + n), `198.51.100.${n}`));
      expect(outcomes).toEqual([
        'wrong_second_factor',
        ...Array<string>(9).fill('clocks_differ'),
        ...Array<string>(2).fill('rate_limited'),
      ]);
    });

    it('of callers without the password lock no person out', async () => {
      const wrong = { email: ann.user.email, password: 'not it', code: '000000' };
      for (let n = 0; n < 15; n += 1) {
        await outcomeOf(() => home.users.logIn(anonymousCaller(`198.51.100.${n}`), wrong));
      }
      expect(await tryCode(factor.code(), '192.0.2.1')).toBe('in');
    });

    it('while turning it off count the same', async () => {
      const turnOff = () => outcomeOf(() => home.secondFactors.turnOff(ann.caller, { code: wrongCode(factor) }));
      const caller = ann.caller.address;
      expect([await turnOff(), await turnOff(), await turnOff(), caller]).toEqual([
        'wrong_second_factor',
        'wrong_second_factor',
        'rate_limited',
        caller,
      ]);
    });
  });

  describe('a clock that differs', () => {
    /** Waits as long as the phone does for its next code. */
    const next = () => home.clock.advance(STEP_MS);
    let address = 0;
    /** From the relay's own computer, each from another address: no attempt waits for another one. */
    const tryHere = (code: string) => tryCode(code, `127.0.0.${++address}`);
    const refusalOf = async (code: string): Promise<unknown> => {
      const error: unknown = await logIn(code).catch((thrown: unknown) => thrown);
      if (!(error instanceof HearthError)) throw new Error('It signed in');
      return error.details;
    };

    it.each([
      ['ahead of', 116],
      ['behind', -116],
    ])('is named after two codes in a row, by how much it is %s the relay’s', async (words, steps) => {
      expect(await refusalOf(factor.code(steps))).toEqual({ reason: 'wrong_second_factor', field: 'code' });
      await next();
      const error: unknown = await logIn(factor.code(steps)).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        message: expect.stringContaining(`the clock of the phone is about 58 minutes ${words} the relay’s`),
        details: { reason: 'clocks_differ', field: 'code', clockDifferenceSeconds: steps * 30 },
      });
      await next();
      expect(await tryCode(factor.code())).toBe('in');
    });

    it('is not named after one code, one code twice, two distances, nor with another code between', async () => {
      const wrong = 'wrong_second_factor';
      const code = factor.code(40);
      expect([await tryHere(code), await tryHere(code)]).toEqual([wrong, wrong]);
      await next();
      expect(await tryHere(factor.code(42))).toBe(wrong);
      await next();
      expect(await tryHere(factor.code(-42))).toBe(wrong);
      expect(await tryHere(wrongCode(factor))).toBe(wrong);
      await next();
      expect(await tryHere(factor.code(-42))).toBe(wrong);
      await home.clock.advance(11 * MINUTE_MS);
      expect(await tryHere(factor.code(-42))).toBe(wrong);
      await next();
      expect(await tryHere(factor.code())).toBe('in');
      await next();
      expect(await tryHere(factor.code(-42))).toBe(wrong);
      await next();
      expect([await tryHere(factor.code(-121)), await tryHere(factor.code(121))]).toEqual([wrong, wrong]);
    });

    it('is named to no caller without the password', async () => {
      const guess = (code: string) =>
        outcomeOf(() =>
          home.users.logIn(anonymousCaller('192.0.2.9'), { email: ann.user.email, password: 'not it', code }),
        );
      expect(await guess(factor.code(40))).toBe('invalid_credentials');
      await next();
      expect(await guess(factor.code(40))).toBe('invalid_credentials');
      await next();
      expect(await tryHere(factor.code(40))).toBe('wrong_second_factor');
    });

    it('lets no code in later that came too early', async () => {
      const early = [factor.code(20), factor.code(21)];
      for (const code of early) expect(await tryHere(code)).not.toBe('in');
      await home.clock.advance(20 * STEP_MS);
      for (const code of early) expect(await tryHere(code)).toBe('wrong_second_factor');
      await home.clock.advance(2 * STEP_MS);
      expect(await tryHere(factor.code())).toBe('in');
    });
  });

  describe('between the password and the code', () => {
    const ticketOf = async (): Promise<string> => {
      const error: unknown = await logIn().catch((thrown: unknown) => thrown);
      if (!(error instanceof SecondFactorRequired)) throw new Error('It asked for no code');
      return error.ticket;
    };
    const goOn = (ticket: unknown, code: string, address?: string) =>
      outcomeOf(() => home.users.logInWithCode(anonymousCaller(address), { ticket, code }));

    it('a ticket stands for the password, once and for ten minutes', async () => {
      const ticket = await ticketOf();
      expect(await goOn(ticket, wrongCode(factor))).toBe('wrong_second_factor');
      expect(await goOn(ticket, factor.code())).toBe('in');
      await home.clock.advance(STEP_MS);
      expect(await goOn(ticket, factor.code())).toBe('sign_in_over');
      const late = await ticketOf();
      await home.clock.advance(10 * MINUTE_MS);
      expect(await goOn(late, factor.code())).toBe('sign_in_over');
      expect(await goOn('made up', factor.code())).toBe('sign_in_over');
      expect(await goOn(undefined, factor.code())).toBe('sign_in_over');
    });

    it('guesses with a ticket count like all others', async () => {
      const ticket = await ticketOf();
      const outcomes: string[] = [];
      for (let n = 0; n < 3; n += 1) outcomes.push(await goOn(ticket, wrongCode(factor)));
      expect(outcomes).toEqual(['wrong_second_factor', 'wrong_second_factor', 'rate_limited']);
    });

    it('a ticket ends with the password and with the second step', async () => {
      const ticket = await ticketOf();
      await home.users.setPassword(systemCaller, ann.user.id, 'another horse');
      expect(await goOn(ticket, factor.code())).toBe('sign_in_over');
      await home.users.setPassword(systemCaller, ann.user.id, ann.password);
      const second = await ticketOf();
      home.secondFactors.reset(systemCaller, ann.user.id);
      expect(await goOn(second, factor.code())).toBe('sign_in_over');
    });
  });

  it('works on a full disk with a code, once, and is saved when there is room', async () => {
    home.database.pragma('query_only = ON');
    const [recovery] = factor.recoveryCodes;
    expect(await tryCode(recovery)).toBe('storage_unavailable');
    const code = factor.code();
    expect(await tryCode(code, '192.0.2.2')).toBe('in');
    expect(await tryCode(code, '192.0.2.3')).toBe('wrong_second_factor');
    home.database.pragma('query_only = OFF');
    await home.clock.advance(MINUTE_MS);
    const { last_step: step } = home.database.prepare('SELECT last_step FROM second_factors').get() as {
      last_step: number;
    };
    expect(codeOf(factor.secret, step)).toBe(code);
    expect(await tryCode(recovery, '192.0.2.4')).toBe('in');
  });

  it('is not ended by the nightly tasks', async () => {
    pruneUsers(home);
    expect(await tryCode()).toBe('second_factor_required');
  });
});

describe('turning the second step off', () => {
  let factor: TestSecondFactor;

  beforeEach(async () => {
    factor = await turnOnSecondFactor(home, ann);
  });

  it('takes a code, or a recovery code', async () => {
    expect(await outcomeOf(() => home.secondFactors.turnOff(ann.caller, { code: wrongCode(factor) }))).toBe(
      'wrong_second_factor',
    );
    home.secondFactors.turnOff(ann.caller, { code: factor.code() });
    expect(home.secondFactors.status(ann.caller)).toEqual({ isOn: false, createdAt: null, recoveryCodesLeft: 0 });
    expect(await tryCode()).toBe('in');
    const [recovery = ''] = (await turnOnSecondFactor(home, ann)).recoveryCodes;
    home.secondFactors.turnOff(ann.caller, { code: recovery });
    expect(await outcomeOf(() => home.secondFactors.turnOff(ann.caller, { code: recovery }))).toBe('second_factor_off');
  });

  it('is for the system and the founder where the app is lost; sessions stay', async () => {
    const reset = (caller = systemCaller, id = ann.user.id) => outcomeOf(() => home.secondFactors.reset(caller, id));
    expect(await reset(ann.caller)).toBe('insufficient_permissions');
    expect(await reset(systemCaller, 'nobody')).toBe('user_not_found');
    expect(await reset(founder.caller, founder.user.id)).toBe('conflict');
    expect(await reset(founder.caller)).toBe('in');
    expect(await tryCode()).toBe('in');
    expect(await reset()).toBe('second_factor_off');
    await expect(home.sessions.authenticate(ann.token)).resolves.toBeDefined();
  });

  it('happens with the account, which leaves nothing of it', () => {
    home.users.delete(systemCaller, ann.user.id);
    for (const table of ['second_factors', 'recovery_codes']) {
      expect(home.database.prepare(`SELECT * FROM ${table}`).all()).toEqual([]);
    }
  });
});
