import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createUser } from '../support/test-users.ts';
import { type RunningDaemon, startDaemon } from './running-daemon.ts';

let daemon: RunningDaemon;

beforeEach(async () => {
  daemon = await startDaemon();
});
afterEach(() => daemon.stop());

describe('hearthd app', () => {
  const letIn = async (name: string) => {
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

  it('lists what people let in, and shuts it out', async () => {
    expect((await daemon.hearthd('app', 'list')).err).toContain('Nobody has let an app in.');
    const { user } = await letIn('Bob');
    const { out } = await daemon.hearthd('app', 'list');
    expect(out).toContain('Wall panel');
    expect(out).toContain(user.email);
    expect(out).toContain('app.example');
    expect(JSON.parse((await daemon.hearthd('app', 'list', '--json')).out)).toMatchObject([
      { clientName: 'Wall panel', scope: 'mcp:read mcp:write' },
    ]);
    expect((await daemon.hearthd('app', 'revoke', 'wall panel')).out).toBe('Wall panel (app.example) is shut out.\n');
    expect((await daemon.hearthd('app', 'revoke', 'Wall panel')).code).not.toBe(0);
  });

  it('asks which of two of one name is meant', async () => {
    const first = await letIn('Bob');
    await letIn('Eve');
    const { code, err } = await daemon.hearthd('app', 'revoke', 'Wall panel');
    expect(code).not.toBe(0);
    expect(err).toContain('more than one app');
    expect((await daemon.hearthd('app', 'revoke', first.clientId)).code).toBe(0);
  });
});
