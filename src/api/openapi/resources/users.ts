import { NewPassword, NewUser, UserChanges } from '../../rest/users.ts';
import { arrayOf, id, object, ref, success, text, time } from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';
import { USER } from './me.ts';

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
      answer: { description: 'The accounts, oldest first.', schema: arrayOf(ref('User')), example: [USER] },
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
        fields: {
          email: 'The address to sign in with. If left out, they sign in with `name`.',
          name: 'What stands before the @ of the address if left out.',
          password: '8 to 1,024 characters.',
          role: '`owner`, `admin`, `control` or `view`. Without it they are a member of no home, or may control those of `homeIds`.',
          homeIds: 'The homes in which they have that role; every one that the caller owns if left out.',
        },
        examples: {
          Somebody: { email: 'ada@example.org', password: '…', role: 'control', homeIds: [HOME_ID] },
          'Without an address': { name: 'Grandma', password: '…', role: 'view', homeIds: [HOME_ID] },
        },
      },
      answer: { description: 'The account.', schema: ref('User'), example: USER },
      errors: [404, 429],
    },
    {
      method: 'patch',
      path: '/rest/users/:id',
      id: 'updateUser',
      summary: 'Rename somebody',
      audience: 'founder',
      body: { schema: UserChanges, examples: { Rename: { name: 'Ada L.' } } },
      answer: { description: 'The account.', schema: ref('User'), example: USER },
    },
    {
      method: 'post',
      path: '/rest/users/:id/password',
      id: 'setUserPassword',
      summary: 'Set somebody’s password',
      description: 'Ends all their sessions.',
      audience: 'founder',
      body: {
        schema: NewPassword,
        fields: { password: '8 to 1,024 characters.' },
        examples: { New: { password: '…' } },
      },
      answer: {
        description: 'Done.',
        schema: success({ userId: id() }),
        example: { success: true, userId: USER.id },
      },
      errors: [429],
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
        schema: success({ userId: id() }),
        example: { success: true, userId: USER.id },
      },
      errors: [422],
    },
  ],
};

export const setupCode: Resource = {
  tag: 'Setup code',
  description: 'How the relay gets its owner: the first person types a code that only whoever runs it can read.',
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
        schema: object({
          code: text('`XXXX-XXXX`'),
          url: text('The page that takes it.'),
          addresses: arrayOf(text(), 'That page under every address that other devices reach, the likeliest first.'),
          expiresAt: time(),
        }),
        example: {
          code: 'K7QM-2XRT',
          url: 'http://192.168.1.5:5656/',
          addresses: ['http://192.168.1.5:5656/'],
          expiresAt: '2030-01-31T12:10:00.000Z',
        },
      },
      errors: [422],
    },
  ],
};
