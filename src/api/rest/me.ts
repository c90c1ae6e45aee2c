/** The caller's account: profile, password, and settings that clients store. */
import { Hono } from 'hono';
import type { Passkeys } from '../../app/users/passkeys.ts';
import type { Proofs } from '../../app/users/proofs.ts';
import type { SecondFactors } from '../../app/users/second-factors.ts';
import type { UserSettings } from '../../app/users/user-settings.ts';
import type { Users } from '../../app/users/users.ts';
import { SettingsChanges } from '../../contract/settings.ts';
import {
  NewPasskey,
  PasskeyChanges,
  PasskeyStart,
  PasswordChange,
  ProfileChanges,
  SecondFactorCode,
  SecondFactorStart,
  SignInProof,
} from '../../contract/users.ts';
import type { ApiEnv } from '../env.ts';
import { type GuardOptions, requestOrigin } from '../guards.ts';
import { presentPasskey, presentSecondFactor, presentSignedIn, presentUser } from '../present/user.ts';
import { readInput } from '../read-body.ts';
import { answerJson } from '../respond.ts';

interface MeDeps {
  readonly users: Users;
  readonly secondFactors: SecondFactors;
  readonly passkeys: Passkeys;
  readonly proofs: Proofs;
  readonly guards: GuardOptions;
}

export function meRoutes({ users, secondFactors, passkeys, proofs, guards }: MeDeps): Hono<ApiEnv> {
  const originOf = requestOrigin(guards);
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(presentUser(users.me(c.get('caller')))))
    .patch('/', async (c) => {
      const changes = await readInput(c, ProfileChanges);
      return answerJson(presentUser(await users.update(c.get('caller'), changes)));
    })
    .post('/password', async (c) => {
      const change = { ...(await readInput(c, PasswordChange)), device: c.req.header('user-agent') };
      return answerJson(presentSignedIn(await users.changePassword(c.get('caller'), change)));
    })
    .get('/second-factor', (c) => answerJson(presentSecondFactor(secondFactors.status(c.get('caller')))))
    .post('/second-factor', async (c) => {
      const start = await readInput(c, SecondFactorStart);
      return answerJson(await secondFactors.begin(c.get('caller'), start));
    })
    .post('/second-factor/confirm', async (c) => {
      const recoveryCodes = secondFactors.confirm(c.get('caller'), await readInput(c, SecondFactorCode));
      return answerJson({ success: true, recoveryCodes });
    })
    .post('/second-factor/recovery-codes', async (c) => {
      const recoveryCodes = secondFactors.renewRecoveryCodes(c.get('caller'), await readInput(c, SecondFactorCode));
      return answerJson({ success: true, recoveryCodes });
    })
    .post('/second-factor/off', async (c) => {
      secondFactors.turnOff(c.get('caller'), await readInput(c, SecondFactorCode));
      return answerJson(presentSecondFactor(secondFactors.status(c.get('caller'))));
    })
    .get('/passkeys', (c) => answerJson(passkeys.list(c.get('caller')).map(presentPasskey)))
    .post('/passkeys/begin', async (c) => {
      const start = await readInput(c, PasskeyStart);
      return answerJson({ options: await passkeys.begin(c.get('caller'), start, { origin: originOf(c) }) });
    })
    .post('/passkeys', async (c) => {
      const input = await readInput(c, NewPasskey);
      return answerJson(presentPasskey(await passkeys.create(c.get('caller'), input, { origin: originOf(c) })));
    })
    .patch('/passkeys/:id', async (c) => {
      const changes = await readInput(c, PasskeyChanges);
      return answerJson(presentPasskey(passkeys.rename(c.get('caller'), c.req.param('id'), changes)));
    })
    .delete('/passkeys/:id', (c) => {
      const { id } = passkeys.remove(c.get('caller'), c.req.param('id'));
      return answerJson({ success: true, passkeyId: id });
    })
    .post('/proof/begin', async (c) =>
      answerJson({ options: await proofs.begin(c.get('caller'), { origin: originOf(c) }) }),
    )
    .post('/proof', async (c) => {
      await proofs.give(c.get('caller'), await readInput(c, SignInProof), { origin: originOf(c) });
      return answerJson({ success: true });
    });
}

export function settingsRoutes({ userSettings }: { readonly userSettings: UserSettings }): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(userSettings.get(c.get('caller'))))
    .patch('/', async (c) => {
      const changes = await readInput(c, SettingsChanges);
      return answerJson(userSettings.update(c.get('caller'), changes));
    });
}
