import { PreferenceChoice, TestNotification } from '../../rest/notifications.ts';
import { arrayOf, flag, id, integer, mapOf, object, oneOf, orNull, ref, success, text, time } from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';

const CHANNELS = ['local', 'push', 'email'];
const SCOPES = ['global', 'home', 'automation'];

const NOTIFICATION = {
  id: '0f8b6c1e-4b0a-4f6e-9a51-5f3f0d2c7b18',
  automationId: 'c6a1e0d2-9b7f-4c54-8a3e-1d2c3b4a5968',
  homeId: HOME_ID,
  title: 'Front door',
  message: 'It has been open for ten minutes.',
  channelsSent: ['local', 'push'],
  channelsFailed: [],
  rateLimited: false,
  createdAt: '2030-01-31T12:00:00.000Z',
};
const PREFERENCE = {
  id: '5d3c2b1a-0f9e-4d8c-b7a6-958473625140',
  scope: 'home',
  scopeId: HOME_ID,
  pushEnabled: true,
  emailEnabled: false,
  localEnabled: true,
};

const SCOPE_ID = 'The id of the home or of the automation; `null` or left out for `global`.';

export const notifications: Resource = {
  tag: 'Notifications',
  description:
    'What automations tell people, and by which channels: `local` (screens that are connected to the relay), `push` (an ntfy topic) and `email`. Push and e-mail are set up in the configuration.',
  schemas: {
    Notification: object({
      id: id(),
      automationId: orNull(id('`null`: the home’s own.')),
      homeId: orNull(id('The home that it is about, if any.')),
      title: orNull(text()),
      message: text(),
      channelsSent: arrayOf(oneOf(CHANNELS), 'Those that took it.'),
      channelsFailed: arrayOf(oneOf(CHANNELS), 'Those that did not.'),
      rateLimited: flag('It was held back: too many from its automation. Of those that follow one a minute is listed.'),
      createdAt: time(),
    }),
    NotificationPreference: object({
      id: id(),
      scope: oneOf(SCOPES, 'The most specific one counts: automation, home, global, then push and local.'),
      scopeId: orNull(id(SCOPE_ID)),
      pushEnabled: flag(),
      emailEnabled: flag(),
      localEnabled: flag(),
    }),
  },
  operations: [
    {
      method: 'get',
      path: '/rest/notifications',
      id: 'listNotifications',
      summary: 'What people were told in the last thirty days',
      audience: 'token',
      query: [
        { name: 'limit', description: '1–500; 50 if left out.', schema: integer() },
        { name: 'offset', description: 'How many to pass over.', schema: integer() },
        { name: 'automation', description: 'Only those of this automation.', schema: id() },
      ],
      answer: { description: 'Newest first.', schema: arrayOf(ref('Notification')), example: [NOTIFICATION] },
      errors: [400, 422],
    },
    {
      method: 'delete',
      path: '/rest/notifications',
      id: 'clearNotifications',
      summary: 'Clear the history of the homes that the caller manages',
      audience: 'admin of any home',
      answer: {
        description: 'They are gone.',
        schema: success({ deleted: integer() }),
        example: { success: true, deleted: 12 },
      },
    },
    {
      method: 'get',
      path: '/rest/notifications/channels',
      id: 'listNotificationChannels',
      summary: 'Which channels are set up',
      audience: 'token',
      answer: {
        description: 'The channels.',
        schema: arrayOf(object({ name: oneOf(CHANNELS), configured: flag() })),
        example: CHANNELS.map((name) => ({ name, configured: name !== 'email' })),
      },
    },
    {
      method: 'post',
      path: '/rest/notifications/test',
      id: 'sendTestNotification',
      summary: 'Send a message over every channel that is set up',
      description: 'Preferences do not count here. It waits for the servers, a minute at most.',
      audience: 'admin of any home',
      body: {
        schema: TestNotification,
        fields: { message: 'A usual one if left out.' },
        examples: { 'The usual one': {}, 'Another one': { message: 'Do you read me?' } },
      },
      answer: {
        description: 'What the servers said.',
        schema: object({
          success: flag('Whether every channel took it.'),
          channels: arrayOf(oneOf(CHANNELS), 'Those that took it.'),
          failures: mapOf(text(), 'From channels that did not take it to the reason, a sentence.'),
        }),
        example: { success: true, channels: ['local', 'push'], failures: {} },
      },
      errors: [429],
    },
    {
      method: 'get',
      path: '/rest/notifications/preferences',
      id: 'listNotificationPreferences',
      summary: 'The caller’s preferences',
      description: 'Without user accounts they are the home’s. Where there is none: push and local, no e-mail.',
      audience: 'token',
      answer: {
        description: 'The global one first.',
        schema: arrayOf(ref('NotificationPreference')),
        example: [PREFERENCE],
      },
    },
    {
      method: 'post',
      path: '/rest/notifications/preferences',
      id: 'setNotificationPreference',
      summary: 'Set the caller’s preference for a scope',
      description: 'Those of the home are for admins: of that home, or of any for the global one.',
      audience: 'admin',
      body: {
        schema: PreferenceChoice,
        fields: {
          scope: oneOf(SCOPES),
          scopeId: SCOPE_ID,
          pushEnabled: 'Left out: as it is for that scope now.',
          emailEnabled: 'Left out: as it is for that scope now.',
          localEnabled: 'Left out: as it is for that scope now.',
        },
        examples: {
          'No push for anything': { scope: 'global', pushEnabled: false },
          'E-mail for one home': { scope: 'home', scopeId: HOME_ID, emailEnabled: true },
        },
      },
      answer: {
        description: 'The preference as it is now.',
        schema: ref('NotificationPreference'),
        example: PREFERENCE,
      },
      errors: [404],
    },
    {
      method: 'delete',
      path: '/rest/notifications/preferences',
      id: 'deleteNotificationPreference',
      summary: 'Delete the caller’s preference for a scope',
      description: 'The next wider one counts from then on.',
      audience: 'admin',
      query: [
        { name: 'scope', description: 'Which one.', schema: oneOf(SCOPES), required: true, example: 'home' },
        { name: 'scopeId', description: SCOPE_ID, schema: id() },
      ],
      answer: {
        description: 'It is gone.',
        schema: success({ existed: flag('Whether there was one.') }),
        example: { success: true, existed: true },
      },
      errors: [404, 422],
    },
  ],
};
