import { z } from 'zod';
import { NewPassword, NewUser, SetupCode, User, UserChanges, UserDone } from '../../../contract/users.ts';
import type { Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';

export const users: Resource = {
  tag: 'Users',
  description: 'The accounts of the relay. Members of homes are invited instead; see there.',
  operations: [
    {
      method: 'get',
      path: '/rest/users',
      id: 'listUsers',
      summary: 'The people with an account',
      audience: 'founder',
      answer: { description: 'The accounts, oldest first.', schema: z.array(User) },
    },
    {
      method: 'post',
      path: '/rest/users',
      id: 'createUser',
      summary: 'Make an account',
      description: 'The first one claims the relay.',
      audience: 'founder',
      body: {
        schema: NewUser,
        examples: {
          Person: { email: 'ada@example.org', password: '…', role: 'control', homeIds: [HOME_ID] },
          'Without an address': { name: 'Grandma', password: '…', role: 'view', homeIds: [HOME_ID] },
        },
      },
      answer: { description: 'The account.', schema: User },
      errors: [404, 429],
    },
    {
      method: 'patch',
      path: '/rest/users/:id',
      id: 'updateUser',
      summary: 'Rename a person',
      audience: 'founder',
      body: { schema: UserChanges, examples: { Rename: { name: 'Ada L.' } } },
      answer: { description: 'The account.', schema: User },
    },
    {
      method: 'post',
      path: '/rest/users/:id/password',
      id: 'setUserPassword',
      summary: 'Set a user’s password',
      description: 'Ends all their sessions.',
      audience: 'founder',
      body: {
        schema: NewPassword,
        examples: { New: { password: '…' } },
      },
      answer: {
        description: 'Done.',
        schema: UserDone,
      },
      errors: [429],
    },
    {
      method: 'delete',
      path: '/rest/users/:id/second-factor',
      id: 'resetSecondFactor',
      summary: 'Turn a user’s second step off',
      description: 'For a person who has lost the authenticator app. Sessions stay.',
      audience: 'founder',
      answer: { description: 'Done.', schema: UserDone },
      errors: [422],
    },
    {
      method: 'delete',
      path: '/rest/users/:id',
      id: 'deleteUser',
      summary: 'Delete an account',
      description: 'Its sessions, access tokens and apps end at once.',
      audience: 'founder',
      answer: {
        description: 'Done.',
        schema: UserDone,
      },
      errors: [422],
    },
  ],
};

export const setupCode: Resource = {
  tag: 'Setup code',
  description: 'How the relay gets its owner: the first person types a code that only the operator can read.',
  operations: [
    {
      method: 'post',
      path: '/rest/setup-code',
      id: 'renewSetupCode',
      summary: 'Make a new setup code',
      description: 'The one before is void. Ten minutes, five tries.',
      audience: 'system',
      answer: {
        description: 'The code.',
        schema: SetupCode,
      },
      errors: [422],
    },
  ],
};
