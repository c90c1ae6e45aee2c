/** Builds the operations for notifications and the delivery behind them. Contains no rules of its own. */
import type { NotificationChannel } from '../../home/notification-channel.ts';
import type { NtfyService } from '../../home/ntfy-service.ts';
import type { WebPush } from '../../home/web-push.ts';
import type { Database } from '../../storage/database.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { ButtonTokens } from './button-tokens.ts';
import { NotificationDelivery } from './delivery.ts';
import { NotificationStore } from './notification-store.ts';
import { Notifications } from './notifications.ts';
import { NtfyTopicStore, NtfyTopics } from './ntfy-topics.ts';
import { PreferenceStore } from './preference-store.ts';
import { NotificationPreferences } from './preferences.ts';
import { PushDeviceStore } from './push-device-store.ts';
import { PushDevices } from './push-devices.ts';
import { NotificationSender } from './sender.ts';

interface Deps extends AppDeps<'state' | 'access' | 'bus' | 'clock' | 'logger'> {
  readonly database: Database;
  readonly memberRoles: ConstructorParameters<typeof NotificationSender>[0]['memberRoles'];
  readonly keys: ConstructorParameters<typeof PushDevices>[0]['keys'] & ConstructorParameters<typeof ButtonTokens>[0];
  readonly activity: ConstructorParameters<typeof Notifications>[0]['activity'];
  readonly announcementTexts: ConstructorParameters<typeof Notifications>[0]['announcementTexts'];
  readonly languageOf: (userId: string) => string | undefined;
  readonly publicUrl: ConstructorParameters<typeof NotificationSender>[0]['publicUrl'];
  readonly notificationChannels: () => readonly NotificationChannel[];
  readonly ntfy: NtfyService;
  readonly webPush: WebPush;
}

export function createNotifications(deps: Deps) {
  const { database, clock } = deps;
  const notificationPreferences = new NotificationPreferences({ ...deps, store: new PreferenceStore(database) });
  const delivery = new NotificationDelivery({ channels: deps.notificationChannels, clock });
  const pushDevices = new PushDevices({ ...deps, store: new PushDeviceStore(database), delivery });
  const ntfyTopics = new NtfyTopics({ ...deps, store: new NtfyTopicStore(database), delivery });
  const store = new NotificationStore(database);
  const buttonTokens = new ButtonTokens(deps.keys);
  const ways = { store, delivery, pushDevices, ntfyTopics, buttonTokens };
  const sender = new NotificationSender({ ...deps, ...ways, preferences: notificationPreferences });
  const notifications = new Notifications({ ...deps, ...ways, sender });
  return { notifications, notificationPreferences, pushDevices, ntfyTopics };
}
