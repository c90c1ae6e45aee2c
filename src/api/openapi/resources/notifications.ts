import { z } from 'zod';
import {
  ClearedNotifications,
  DeletedPreference,
  NewTestNotification,
  Notification,
  NotificationChannel,
  NotificationPreference,
  NotificationsQuery,
  PreferenceChoice,
  PreferencePlace,
  TestNotification,
} from '../../../contract/notifications.ts';
import type { Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';

export const notifications: Resource = {
  tag: 'Notifications',
  description:
    'Notifications from automations, and their channels: `local` (screens that are connected to the relay), `push` (an ntfy topic) and `email`. Push and e-mail are set up in the configuration.',
  operations: [
    {
      method: 'get',
      path: '/rest/notifications',
      id: 'listNotifications',
      summary: 'The notifications of the last thirty days',
      audience: 'token',
      query: NotificationsQuery,
      answer: { description: 'Newest first.', schema: z.array(Notification) },
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
        schema: ClearedNotifications,
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
        schema: z.array(NotificationChannel),
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
        schema: NewTestNotification,
        examples: { 'The usual one': {}, 'Another one': { message: 'Do you read me?' } },
      },
      answer: {
        description: 'The answers of the servers.',
        schema: TestNotification,
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
        schema: z.array(NotificationPreference),
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
        examples: {
          'No push for anything': { scope: 'global', pushEnabled: false },
          'E-mail for one home': { scope: 'home', scopeId: HOME_ID, emailEnabled: true },
        },
      },
      answer: {
        description: 'The preference as it is now.',
        schema: NotificationPreference,
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
      query: PreferencePlace,
      answer: {
        description: 'It is gone.',
        schema: DeletedPreference,
      },
      errors: [404, 422],
    },
  ],
};
