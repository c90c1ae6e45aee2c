/** The caller's account: profile, password, and settings that clients store. */
import { Hono } from 'hono';
import { z } from 'zod';
import type { UserSettings } from '../../app/users/user-settings.ts';
import type { Users } from '../../app/users/users.ts';
import type { ApiEnv } from '../env.ts';
import { presentTime } from '../present/time.ts';
import { presentUser } from '../present/user.ts';
import { readBody } from '../read-body.ts';
import { answerJson } from '../respond.ts';

export const ProfileChanges = z.strictObject({
  name: z.string().optional(),
  email: z.string().optional(),
  /** Required to change the address. */
  currentPassword: z.string().optional(),
});
export const PasswordChange = z.strictObject({ currentPassword: z.string(), newPassword: z.string() });
/** Clients define its content, except `developerMode`. */
export const SettingsChanges = z.record(z.string(), z.unknown());

export function meRoutes({ users }: { readonly users: Users }): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(presentUser(users.me(c.get('caller')))))
    .patch('/', async (c) => {
      const changes = await readBody(c, ProfileChanges);
      return answerJson(presentUser(await users.update(c.get('caller'), changes)));
    })
    .post('/password', async (c) => {
      const change = { ...(await readBody(c, PasswordChange)), device: c.req.header('user-agent') };
      const { token, expiresAt, user } = await users.changePassword(c.get('caller'), change);
      return answerJson({ success: true, token, expiresAt: presentTime(expiresAt), user: presentUser(user) });
    });
}

export function settingsRoutes({ userSettings }: { readonly userSettings: UserSettings }): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(userSettings.get(c.get('caller'))))
    .patch('/', async (c) => {
      const changes = await readBody(c, SettingsChanges);
      return answerJson(userSettings.update(c.get('caller'), changes));
    });
}
