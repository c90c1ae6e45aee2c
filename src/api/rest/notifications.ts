/** Sent notifications, each user's channels, and the status of those. */
import { Hono } from 'hono';
import type { Notifications } from '../../app/notifications/notifications.ts';
import type { NtfyTopics } from '../../app/notifications/ntfy-topics.ts';
import type { NotificationPreferences } from '../../app/notifications/preferences.ts';
import type { PushDevices } from '../../app/notifications/push-devices.ts';
import {
  NewPushDevice,
  NewTestNotification,
  PreferenceChoice,
  ReadNotifications,
} from '../../contract/notifications.ts';
import type { ApiEnv } from '../env.ts';
import {
  presentNotification,
  presentNtfyTopic,
  presentPreference,
  presentPushDevice,
} from '../present/notification.ts';
import { readInput } from '../read-body.ts';
import { queryId, queryText, queryWhole } from '../read-query.ts';
import { answerJson } from '../respond.ts';

export interface NotificationRoutesDeps {
  readonly notifications: Notifications;
  readonly notificationPreferences: NotificationPreferences;
  readonly pushDevices: PushDevices;
  readonly ntfyTopics: NtfyTopics;
}

export function notificationRoutes({
  notifications,
  notificationPreferences: preferences,
  pushDevices,
  ntfyTopics,
}: NotificationRoutesDeps): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => {
      const page = {
        limit: queryWhole(c, 'limit'),
        offset: queryWhole(c, 'offset'),
        automationId: queryId(c, 'automation'),
      };
      return answerJson(notifications.history(c.get('caller'), page).map(presentNotification));
    })
    .delete('/', (c) => answerJson({ success: true, deleted: notifications.clearHistory(c.get('caller')) }))
    .get('/unread', (c) => answerJson({ count: notifications.countUnread(c.get('caller')) }))
    .post('/read', async (c) => {
      const input = await readInput(c, ReadNotifications);
      return answerJson({ success: true, unread: notifications.markRead(c.get('caller'), input) });
    })
    .post('/:id/buttons/:buttonId', (c) => {
      const press = { notificationId: c.req.param('id'), buttonId: c.req.param('buttonId') };
      const notification = presentNotification(notifications.pressButton(c.get('caller'), press));
      return answerJson({ success: true, notification });
    })
    .get('/channels', (c) => answerJson(notifications.channels(c.get('caller'))))
    .post('/test', async (c) => {
      const { message } = await readInput(c, NewTestNotification);
      const { channels, failures } = await notifications.sendTest(c.get('caller'), message ?? null);
      return answerJson({ success: Object.keys(failures).length === 0, channels, failures });
    })
    .get('/push-key', (c) => answerJson({ publicKey: pushDevices.publicKey(c.get('caller')) }))
    .get('/push-devices', (c) => answerJson(pushDevices.list(c.get('caller')).map(presentPushDevice)))
    .post('/push-devices', async (c) => {
      const input = await readInput(c, NewPushDevice);
      return answerJson(presentPushDevice(pushDevices.add(c.get('caller'), input)));
    })
    .delete('/push-devices/:id', (c) => {
      pushDevices.remove(c.get('caller'), c.req.param('id'));
      return answerJson({ success: true });
    })
    .post('/push-devices/:id/test', async (c) => {
      const { message } = await readInput(c, NewTestNotification);
      const failure = await notifications.sendTestToDevice(c.get('caller'), c.req.param('id'), message ?? null);
      return answerJson({ success: failure === null, failure });
    })
    .get('/ntfy', (c) => {
      const topic = ntfyTopics.find(c.get('caller'));
      return answerJson({ topic: topic ? presentNtfyTopic(topic) : null });
    })
    .post('/ntfy', (c) => answerJson(presentNtfyTopic(ntfyTopics.create(c.get('caller')))))
    .delete('/ntfy', (c) => answerJson({ success: true, existed: ntfyTopics.remove(c.get('caller')) }))
    .post('/ntfy/test', async (c) => {
      const { message } = await readInput(c, NewTestNotification);
      const failure = await notifications.sendTestToTopic(c.get('caller'), message ?? null);
      return answerJson({ success: failure === null, failure });
    })
    .get('/preferences', (c) => answerJson(preferences.list(c.get('caller')).map(presentPreference)))
    .post('/preferences', async (c) => {
      const { scope, scopeId, pushEnabled, emailEnabled, localEnabled } = await readInput(c, PreferenceChoice);
      const channels = { push: pushEnabled, email: emailEnabled, local: localEnabled };
      return answerJson(presentPreference(preferences.set(c.get('caller'), { scope, scopeId }, channels)));
    })
    .delete('/preferences', (c) => {
      const which = { scope: queryText(c, 'scope') ?? '', scopeId: queryText(c, 'scopeId') };
      return answerJson({ success: true, existed: preferences.delete(c.get('caller'), which) });
    });
}
