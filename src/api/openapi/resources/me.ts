import type { JsonSchema } from '../../../contract/json-schema.ts';
import { PasswordChange, ProfileChanges, SettingsChanges } from '../../rest/me.ts';
import { flag, id, object, orNull, ref, success, text, time } from '../json-schema.ts';
import type { Resource } from '../operation.ts';

export const USER = {
  id: '0d5b9a66-2c44-4b3e-9d0c-5a1f7f2b8c21',
  email: 'ada@example.org',
  name: 'Ada',
  isFounder: true,
  createdAt: '2030-01-01T09:00:00.000Z',
  lastLoginAt: '2030-01-31T12:00:00.000Z',
};

const SETTINGS: JsonSchema = {
  type: 'object',
  additionalProperties: true,
  properties: { developerMode: flag('Whether sessions may manage access tokens and webhooks.') },
};

export const me: Resource = {
  tag: 'Account',
  description: 'The account of whoever asks. People sign in by GraphQL’s `login` or on the page `/login`.',
  schemas: {
    User: object({
      id: id(),
      email: text('What they sign in with: their address, or their name where they have none.'),
      name: text(),
      isFounder: flag('Whether they claimed the relay.'),
      createdAt: time(),
      lastLoginAt: orNull(time()),
    }),
  },
  operations: [
    {
      method: 'get',
      path: '/rest/me',
      id: 'getMe',
      summary: 'Who is asking',
      audience: 'user',
      answer: { description: 'The account.', schema: ref('User'), example: USER },
    },
    {
      method: 'patch',
      path: '/rest/me',
      id: 'updateMe',
      summary: 'Change one’s name or address',
      description: 'The address only for whoever claimed the relay: invitations go by address.',
      audience: 'session',
      body: {
        schema: ProfileChanges,
        fields: { email: 'The address to sign in with.', currentPassword: 'Needed for another address.' },
        examples: { Rename: { name: 'Ada L.' }, Move: { email: 'ada@example.com', currentPassword: '…' } },
      },
      answer: { description: 'The account.', schema: ref('User'), example: USER },
      errors: [429],
    },
    {
      method: 'post',
      path: '/rest/me/password',
      id: 'changePassword',
      summary: 'Change one’s password',
      description: 'Ends every session of the account, the one that asks too; the answer holds a new one.',
      audience: 'session',
      body: {
        schema: PasswordChange,
        fields: { newPassword: '8 to 1,024 characters.' },
        examples: { 'Another one': { currentPassword: '…', newPassword: '…' } },
      },
      answer: {
        description: 'A new session.',
        schema: success({ token: text('For `Authorization: Bearer`.'), expiresAt: time(), user: ref('User') }),
        example: { success: true, token: 'eyJ…', expiresAt: '2030-02-07T12:00:00.000Z', user: USER },
      },
      errors: [429],
    },
    {
      method: 'get',
      path: '/rest/settings',
      id: 'getSettings',
      summary: 'What clients keep for whoever asks',
      audience: 'user',
      answer: { description: 'The settings.', schema: SETTINGS, example: { developerMode: true } },
    },
    {
      method: 'patch',
      path: '/rest/settings',
      id: 'updateSettings',
      summary: 'Change some settings',
      description: 'Replaces the keys that are given; `null` takes one away. All together 64 KiB at most.',
      audience: 'session',
      body: { schema: SettingsChanges, examples: { 'Developer Mode': { developerMode: true } } },
      answer: { description: 'All settings.', schema: SETTINGS, example: { developerMode: true } },
    },
  ],
};
