/**
 * Gives people access: an account to sign in with, and a link that opens one room to its holder. Through the public API
 * alone.
 */

import type { ApiClient } from '../../src/cli/api-client.ts';
import { randomToken } from '../../src/kernel/secrets.ts';

const EMAIL = 'demo@example.org';
const PASSWORD_BYTES = 9;

export interface SignedIn {
  readonly email: string;
  readonly password: string;
  /** Of the room's share: `/s/<hash>`. */
  readonly sharePath: string;
}

/** A second run on the same data directory gives the account a new password and finds the link there. */
export async function signIn(api: ApiClient, roomId: string): Promise<SignedIn> {
  const password = randomToken(PASSWORD_BYTES);
  const users = await api.get<{ id: string; email: string }[]>('/rest/users');
  const user = users.find(({ email }) => email === EMAIL);
  if (user) await api.send('POST', `/rest/users/${user.id}/password`, { password });
  else await api.send('POST', '/rest/users', { email: EMAIL, name: 'Demo', password });

  const room = { entityType: 'room', entityId: roomId };
  const [share = await api.send<Share>('POST', '/rest/shares', { ...room, accessType: 'public', role: 'control' })] =
    await api.get<Share[]>('/rest/shares', room);
  return { email: EMAIL, password, sharePath: `/s/${share.shareHash}` };
}

interface Share {
  readonly shareHash: string;
}
