/** Finds accounts by address, name or id. */

import type { User } from '../contract/users.ts';
import type { ApiClient } from './api-client.ts';
import { requireOne } from './require-one.ts';
import type { ResourceRow } from './resource-commands.ts';

interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
}

/**
 * Finds one account: addresses and ids take precedence over names, which several people may share.
 * @param list the command that lists the accounts.
 * @throws `CliError` not found · ambiguous
 */
export function findAccount<T extends Account>(accounts: readonly T[], text: string, list: string): T {
  const wanted = text.trim().toLowerCase();
  const exact = accounts.find(({ id, email }) => id === wanted || email.toLowerCase() === wanted);
  if (exact) return exact;
  const namesakes = accounts.filter(({ name }) => name?.toLowerCase() === wanted);
  return requireOne(namesakes, text, {
    noun: 'user',
    none: `No user "${text}".`,
    shownBy: `${list} lists the users.`,
    names: accounts.flatMap(({ email, name }) => [email, name]),
    code: 'user_not_found',
    lineOf: ({ email }) => email,
  });
}

export const USER: ResourceRow<User> = {
  argument: ['<user>', 'address, name or id'],
  find: async (api, text) => findAccount(await api.get<User[]>('/rest/users'), text, 'hearthd user list'),
  path: ({ id }) => `/rest/users/${id}`,
};

/** The addresses of the users by their ids. */
export async function userAddresses(api: ApiClient): Promise<ReadonlyMap<string, string>> {
  const users = await api.get<User[]>('/rest/users');
  return new Map(users.map(({ id, email }) => [id, email]));
}
