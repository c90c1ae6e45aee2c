import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callerOf, systemCaller } from '../support/test-home.ts';
import { createUser } from '../support/test-users.ts';
import { type RunningDaemon, startDaemon } from './running-daemon.ts';

let daemon: RunningDaemon;

beforeEach(async () => {
  daemon = await startDaemon();
});
afterEach(() => daemon.stop());

describe('hearthd app', () => {
  const authorizeApp = async (name: string) => {
    const { home } = daemon;
    const { caller, user } = await createUser(home, { name, role: 'control' });
    const { client } = home.oauthClients.register(
      {},
      {
        redirect_uris: ['https://app.example/callback'],
        client_name: 'Wall panel',
      },
    );
    home.authorizedApps.allow(caller, { clientId: client.id, scope: 'write', homePermissions: null, resource: 'api' });
    return { clientId: client.id, user };
  };

  it('lists the apps that people authorized, and removes their access', async () => {
    expect((await daemon.hearthd('app', 'list')).err).toContain('No apps are authorized.');
    const { user } = await authorizeApp('Bob');
    const { out } = await daemon.hearthd('app', 'list');
    expect(out).toContain('Wall panel');
    expect(out).toContain(user.email);
    expect(out).toContain('app.example');
    expect(JSON.parse((await daemon.hearthd('app', 'list', '--json')).out)).toMatchObject([
      { clientName: 'Wall panel', scope: 'mcp:read mcp:write' },
    ]);
    expect((await daemon.hearthd('app', 'revoke', 'wall panel')).out).toBe('Wall panel (app.example) is revoked.\n');
    expect((await daemon.hearthd('app', 'revoke', 'Wall panel')).code).not.toBe(0);
  });

  it('shows what ends with an app before removing its access, and removes it', async () => {
    const { home } = daemon;
    const { clientId, user } = await authorizeApp('Bob');
    home.members.setRole(systemCaller, { homeId: home.home.id, memberId: user.id, role: 'admin' });
    const app = callerOf({ kind: 'oauth_client', clientId, userId: user.id, scope: 'admin', homePermissions: null });
    await home.shares.create(app, {
      entityType: 'home',
      entityId: home.home.id,
      accessType: 'public',
      role: 'view',
      name: 'For the panel',
    });
    const refused = await daemon.hearthd('app', 'revoke', 'Wall panel');
    expect([refused.code, refused.err]).toEqual([5, expect.stringContaining('the share "For the panel"')]);
    expect(home.authorizedApps.list(systemCaller)).toHaveLength(1);
    const done = await daemon.hearthd('app', 'revoke', 'Wall panel', '--yes');
    expect([done.code, done.err]).toEqual([0, expect.stringContaining('the share "For the panel"')]);
    expect(home.shares.ofHome(systemCaller, home.home.id)).toEqual([]);
  });

  it('lists what a token made when it is revoked, and ends it where that is asked for', async () => {
    const { home } = daemon;
    const { token, info } = home.tokens.create(systemCaller, { name: 'Script' });
    const caller = callerOf(home.tokens.authenticate(token));
    const entity = { entityType: 'home', entityId: home.home.id, accessType: 'public', role: 'view', name: 'Guests' };
    await home.shares.create(caller, entity);
    const { code, err } = await daemon.hearthd('token', 'revoke', 'Script');
    expect(code).toBe(0);
    expect(err).toContain('It created these, and they still work:\n  the share "Guests"');
    expect(err).toContain('--end-what-it-made');
    expect(home.shares.ofHome(systemCaller, home.home.id)).toHaveLength(1);
    expect((await daemon.hearthd('token', 'revoke', info.id, '--end-what-it-made')).code).toBe(0);
    expect(home.shares.ofHome(systemCaller, home.home.id)).toEqual([]);
  });

  it('asks which of two of one name is meant', async () => {
    const first = await authorizeApp('Bob');
    await authorizeApp('Eve');
    const { code, err } = await daemon.hearthd('app', 'revoke', 'Wall panel');
    expect(code).not.toBe(0);
    expect(err).toContain('more than one app');
    expect((await daemon.hearthd('app', 'revoke', first.clientId)).code).toBe(0);
  });
});
