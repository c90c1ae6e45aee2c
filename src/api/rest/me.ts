/** The caller's account: profile, password, and settings that clients store. */
import { Hono } from 'hono';
import type { UserSettings } from '../../app/users/user-settings.ts';
import type { Users } from '../../app/users/users.ts';
import { SettingsChanges } from '../../contract/settings.ts';
import { PasswordChange, ProfileChanges } from '../../contract/users.ts';
import type { ApiEnv } from '../env.ts';
import { presentSignedIn, presentUser } from '../present/user.ts';
import { readInput } from '../read-body.ts';
import { answerJson } from '../respond.ts';

export function meRoutes({ users }: { readonly users: Users }): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(presentUser(users.me(c.get('caller')))))
    .patch('/', async (c) => {
      const changes = await readInput(c, ProfileChanges);
      return answerJson(presentUser(await users.update(c.get('caller'), changes)));
    })
    .post('/password', async (c) => {
      const change = { ...(await readInput(c, PasswordChange)), device: c.req.header('user-agent') };
      return answerJson(presentSignedIn(await users.changePassword(c.get('caller'), change)));
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
