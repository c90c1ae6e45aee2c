import { Settings, SettingsChanges } from '../../../contract/settings.ts';
import { PasswordChange, ProfileChanges, SignedIn, User } from '../../../contract/users.ts';
import type { Resource } from '../operation.ts';

export const me: Resource = {
  tag: 'Account',
  description: 'The caller’s account. People sign in by GraphQL’s `login` or on the page `/login`.',
  operations: [
    {
      method: 'get',
      path: '/rest/me',
      id: 'getMe',
      summary: 'Who is asking',
      audience: 'user',
      answer: { description: 'The account.', schema: User },
    },
    {
      method: 'patch',
      path: '/rest/me',
      id: 'updateMe',
      summary: 'Change one’s name or address',
      description: 'Only the founder changes the address, because invitations go by address.',
      audience: 'session',
      body: {
        schema: ProfileChanges,
        examples: { Rename: { name: 'Ada L.' }, Move: { email: 'ada@example.com', currentPassword: '…' } },
      },
      answer: { description: 'The account.', schema: User },
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
        examples: { 'Another one': { currentPassword: '…', newPassword: '…' } },
      },
      answer: {
        description: 'A new session.',
        schema: SignedIn,
      },
      errors: [429],
    },
    {
      method: 'get',
      path: '/rest/settings',
      id: 'getSettings',
      summary: 'What clients keep for the caller',
      audience: 'user',
      answer: { description: 'The settings.', schema: Settings },
    },
    {
      method: 'patch',
      path: '/rest/settings',
      id: 'updateSettings',
      summary: 'Change some settings',
      audience: 'session',
      body: { schema: SettingsChanges, examples: { 'Developer Mode': { developerMode: true } } },
      answer: { description: 'All settings.', schema: Settings },
    },
  ],
};
