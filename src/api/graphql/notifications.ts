/** Notifications (API §2.4, §3): sent notifications, and each user's channels. */
import {
  NewPushDevice,
  NewTestNotification,
  Notification,
  NotificationButton,
  NotificationChannel,
  NotificationPage,
  NotificationPreference,
  NtfyTopic,
  PreferencePlace,
  PressButton,
  PressedButton,
  PushDevice,
  PushTest,
  ReadNotifications,
} from '../../contract/notifications.ts';
import {
  presentNotification,
  presentNtfyTopic,
  presentPreference,
  presentPushDevice,
} from '../present/notification.ts';
import { Actor } from './activity.ts';
import { given } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';

/** The Cloud edition's push tokens. No relay holds any. */
interface PushToken {
  readonly id: string;
  readonly platform: string;
  readonly deviceName: string | null;
  readonly deviceFingerprint: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

const PushTokenInfo = builder.objectRef<PushToken>('PushTokenInfo').implement({
  description: 'A device that push messages are sent to. A Cloud feature: a relay has none, and pushes through ntfy.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: false, description: 'A UUID.' }),
    platform: t.exposeString('platform', { nullable: false, description: '`web`, `macos` or `ios`.' }),
    deviceName: t.exposeString('deviceName', { description: 'What its owner calls it.' }),
    deviceFingerprint: t.exposeString('deviceFingerprint', {
      nullable: false,
      description: 'Identifies the device.',
    }),
    createdAt: t.exposeString('createdAt', { nullable: false, description: 'ISO 8601.' }),
    lastUsedAt: t.exposeString('lastUsedAt', { description: 'ISO 8601.' }),
  }),
});

const NotificationPreferenceInfo = builder.objectRef<NotificationPreference>('NotificationPreferenceInfo').implement({
  description: 'The channels by which a person is notified.',
  fields: (t) => fieldsOf(t, NotificationPreference),
});

const ButtonInfo = builder.objectRef<NotificationButton>('NotificationButton').implement({
  description: 'A button to answer a notification with.',
  fields: (t) => fieldsOf(t, NotificationButton),
});

const PressedButtonInfo = builder.objectRef<PressedButton>('PressedNotificationButton').implement({
  description: 'The button of a notification that was pressed.',
  fields: (t) => ({
    ...fieldsOf(t, PressedButton),
    by: t.expose('by', { type: Actor, nullable: false, description: 'Who pressed it.' }),
  }),
});

const NotificationLogInfo = builder.objectRef<Notification>('NotificationLogInfo').implement({
  description: 'A notification that was sent, or suppressed because there were too many. Kept for thirty days.',
  fields: (t) => ({
    ...fieldsOf(t, Notification),
    buttons: t.expose('buttons', {
      type: [ButtonInfo],
      nullable: false,
      description: 'What the caller can answer it with; empty for callers that may not control the home.',
    }),
    pressed: t.expose('pressed', {
      type: PressedButtonInfo,
      description: 'Which button was pressed; null while none was.',
    }),
    channelsSent: t.string({
      nullable: false,
      description: 'The channels that accepted it, with commas between them: `local`, `push`, `email`.',
      resolve: ({ channelsSent }) => channelsSent.join(','),
    }),
    channelsFailed: t.string({
      description: 'The channels that did not, with commas between them; null: none.',
      resolve: ({ channelsFailed }) => channelsFailed.join(',') || null,
    }),
  }),
});

const NotificationChannelInfo = builder.objectRef<NotificationChannel>('NotificationChannelInfo').implement({
  description: 'A way of notifying people.',
  fields: (t) => fieldsOf(t, NotificationChannel),
});

const RegisterPushTokenResult = builder.objectRef<ActionResult>('RegisterPushTokenResult').implement({
  description: 'Always fails: push tokens are a Cloud feature.',
  interfaces: [MutationResult],
});

interface PressOutcome extends ActionResult {
  readonly notification: Notification | null;
}

const PressNotificationButtonResult = builder.objectRef<PressOutcome>('PressNotificationButtonResult').implement({
  description: 'A notification after a press.',
  interfaces: [MutationResult],
  fields: (t) => ({
    notification: t.expose('notification', { type: NotificationLogInfo, description: 'Null where it failed.' }),
  }),
});

interface MarkOutcome extends ActionResult {
  readonly unread: number | null;
}

const MarkNotificationsReadResult = builder.objectRef<MarkOutcome>('MarkNotificationsReadResult').implement({
  description: 'What is left unread.',
  interfaces: [MutationResult],
  fields: (t) => ({
    unread: t.exposeInt('unread', { description: 'How many are left, 100 at most. Null where it failed.' }),
  }),
});

const PushDeviceInfo = builder.objectRef<PushDevice>('PushDeviceInfo').implement({
  description: 'A browser on which a person receives notifications, also while no page is open (Web Push).',
  fields: (t) => fieldsOf(t, PushDevice),
});

const NtfyTopicInfo = builder.objectRef<NtfyTopic>('NtfyTopicInfo').implement({
  description: 'The ntfy topic of a person. It is as secret as a password.',
  fields: (t) => fieldsOf(t, NtfyTopic),
});

interface NtfyTopicOutcome extends ActionResult {
  readonly topic: NtfyTopic | null;
}

const CreateNtfyTopicResult = builder.objectRef<NtfyTopicOutcome>('CreateNtfyTopicResult').implement({
  description: 'A topic that gets the notifications of its person from now on.',
  interfaces: [MutationResult],
  fields: (t) => ({
    topic: t.expose('topic', { type: NtfyTopicInfo, description: 'Null where it failed.' }),
  }),
});

interface PushDeviceOutcome extends ActionResult {
  readonly device: PushDevice | null;
}

const AddPushDeviceResult = builder.objectRef<PushDeviceOutcome>('AddPushDeviceResult').implement({
  description: 'A device that receives notifications from now on.',
  interfaces: [MutationResult],
  fields: (t) => ({
    device: t.expose('device', { type: PushDeviceInfo, description: 'Null where it failed.' }),
  }),
});

const RemovePushDeviceResult = builder.objectRef<ActionResult>('RemovePushDeviceResult').implement({
  description: 'Whether the device is gone.',
  interfaces: [MutationResult],
});

const PushTestInfo = builder.objectRef<PushTest>('PushTestInfo').implement({
  description: 'The answer of a push service.',
  fields: (t) => fieldsOf(t, PushTest),
});

interface PreferenceOutcome extends ActionResult {
  readonly preference: NotificationPreference | null;
}

const SetNotificationPreferenceResult = builder
  .objectRef<PreferenceOutcome>('SetNotificationPreferenceResult')
  .implement({
    description: 'A preference as it is now.',
    interfaces: [MutationResult],
    fields: (t) => ({
      preference: t.expose('preference', { type: NotificationPreferenceInfo, description: 'Null where it failed.' }),
    }),
  });

builder.queryFields((t) => ({
  pushTokens: t.field({
    type: [PushTokenInfo],
    nullable: LIST,
    description: 'Always empty: push tokens are a Cloud feature.',
    resolve: () => [],
  }),
  notificationChannels: t.field({
    type: [NotificationChannelInfo],
    nullable: LIST,
    description: 'The notification channels.',
    resolve: (_, __, { caller, deps }) => deps.notifications.channels(caller),
  }),
  notificationPreferences: t.field({
    type: [NotificationPreferenceInfo],
    nullable: LIST,
    description: 'The caller’s preferences, global first. Without user accounts they are the home’s.',
    resolve: (_, __, { caller, deps }) => deps.notificationPreferences.list(caller).map(presentPreference),
  }),
  unreadNotifications: t.int({
    nullable: true,
    description: 'How many notifications the caller has not read, 100 at most. Null for a caller that is no person.',
    resolve: (_, __, { caller, deps }) => deps.notifications.countUnread(caller),
  }),
  ntfyTopic: t.field({
    type: NtfyTopicInfo,
    nullable: true,
    description: 'The signed-in user’s own ntfy topic, if there is one.',
    resolve: (_, __, { caller, deps }) => {
      const topic = deps.ntfyTopics.find(caller);
      return topic ? presentNtfyTopic(topic) : null;
    },
  }),
  pushKey: t.string({
    nullable: true,
    description: 'The key that browsers subscribe with: `applicationServerKey`. For a signed-in user.',
    resolve: (_, __, { caller, deps }) => deps.pushDevices.publicKey(caller),
  }),
  pushDevices: t.field({
    type: [PushDeviceInfo],
    nullable: LIST,
    description: 'The signed-in user’s browsers that receive notifications, oldest first.',
    resolve: (_, __, { caller, deps }) => deps.pushDevices.list(caller).map(presentPushDevice),
  }),
  notificationHistory: t.field({
    type: [NotificationLogInfo],
    nullable: LIST,
    description: 'The notifications of the homes that the caller may see, newest first.',
    args: argumentsOf(t.arg, NotificationPage),
    resolve: (_, page, { caller, deps }) => deps.notifications.history(caller, given(page)).map(presentNotification),
  }),
}));

builder.mutationFields((t) => ({
  registerPushToken: t.field({
    type: RegisterPushTokenResult,
    description: 'Always fails: push tokens are a Cloud feature.',
    args: {
      token: t.arg.string({ required: true }),
      platform: t.arg.string({ required: true }),
      deviceFingerprint: t.arg.string({ required: true }),
      deviceName: t.arg.string(),
    },
    resolve: (_, __, { caller, deps }) => reportOutcome(() => deps.notifications.registerPushToken(caller), {}),
  }),
  unregisterPushToken: t.boolean({
    nullable: true,
    description: 'Whether a token was removed. False always: there is none.',
    args: { deviceFingerprint: t.arg.string({ required: true }) },
    resolve: () => false,
  }),
  markNotificationsRead: t.field({
    type: MarkNotificationsReadResult,
    description: 'Marks notifications as read by the caller; other people of the home still have them as unread.',
    args: argumentsOf(t.arg, ReadNotifications),
    resolve: (_, input, { caller, deps }) =>
      reportOutcome<Pick<MarkOutcome, 'unread'>, Pick<MarkOutcome, 'unread'>>(
        () => ({ unread: deps.notifications.markRead(caller, input) }),
        { unread: null },
      ),
  }),
  pressNotificationButton: t.field({
    type: PressNotificationButtonResult,
    description:
      'Presses a button of a notification, once and within a day, for a caller that got it and may control its home. Automations answer with their trigger `notification_action`.',
    args: argumentsOf(t.arg, PressButton),
    resolve: (_, input, { caller, deps }) =>
      reportOutcome<Pick<PressOutcome, 'notification'>, Pick<PressOutcome, 'notification'>>(
        () => ({ notification: presentNotification(deps.notifications.pressButton(caller, input)) }),
        { notification: null },
      ),
  }),
  createNtfyTopic: t.field({
    type: CreateNtfyTopicResult,
    description: 'Makes an ntfy topic with a random name for the signed-in user. The one before gets nothing more.',
    resolve: (_, __, { caller, deps }) =>
      reportOutcome<Pick<NtfyTopicOutcome, 'topic'>, Pick<NtfyTopicOutcome, 'topic'>>(
        () => ({ topic: presentNtfyTopic(deps.ntfyTopics.create(caller)) }),
        { topic: null },
      ),
  }),
  removeNtfyTopic: t.boolean({
    nullable: true,
    description: 'Sends nothing more to the signed-in user’s ntfy topic. False if there was none.',
    resolve: (_, __, { caller, deps }) => deps.ntfyTopics.remove(caller),
  }),
  testNtfyTopic: t.field({
    type: PushTestInfo,
    nullable: true,
    description: 'Sends a message to the signed-in user’s ntfy topic, and waits for the server.',
    args: argumentsOf(t.arg, NewTestNotification),
    resolve: async (_, { message }, { caller, deps }) => {
      const failure = await deps.notifications.sendTestToTopic(caller, message ?? null);
      return { success: failure === null, failure };
    },
  }),
  addPushDevice: t.field({
    type: AddPushDeviceResult,
    description:
      'Sends notifications to a browser of the signed-in user, also while no page is open. The device goes with the account, and when the session that added it is ended.',
    args: argumentsOf(t.arg, NewPushDevice),
    resolve: (_, device, { caller, deps }) =>
      reportOutcome<Pick<PushDeviceOutcome, 'device'>, Pick<PushDeviceOutcome, 'device'>>(
        () => ({ device: presentPushDevice(deps.pushDevices.add(caller, device)) }),
        { device: null },
      ),
  }),
  removePushDevice: t.field({
    type: RemovePushDeviceResult,
    description: 'Sends no more notifications to a browser of the signed-in user.',
    args: { id: t.arg.string({ required: true }) },
    resolve: (_, { id }, { caller, deps }) =>
      reportOutcome(() => {
        deps.pushDevices.remove(caller, id);
        return {};
      }, {}),
  }),
  testPushDevice: t.field({
    type: PushTestInfo,
    nullable: true,
    description: 'Sends a message to a browser of the signed-in user, and waits for the push service.',
    args: { id: t.arg.string({ required: true }), ...argumentsOf(t.arg, NewTestNotification) },
    resolve: async (_, { id, message }, { caller, deps }) => {
      const failure = await deps.notifications.sendTestToDevice(caller, id, message ?? null);
      return { success: failure === null, failure };
    },
  }),
  setNotificationPreference: t.field({
    type: SetNotificationPreferenceResult,
    description: 'Sets the caller’s preference for a scope. The home’s, where there are no users: for its admins.',
    args: {
      ...argumentsOf(t.arg, PreferencePlace),
      pushEnabled: t.arg.boolean({ required: true }),
      emailEnabled: t.arg.boolean({ required: true }),
      localEnabled: t.arg.boolean({ required: true }),
    },
    resolve: (_, { scope, scopeId, pushEnabled, emailEnabled, localEnabled }, { caller, deps }) =>
      reportOutcome<Pick<PreferenceOutcome, 'preference'>, Pick<PreferenceOutcome, 'preference'>>(
        () => {
          const channels = { push: pushEnabled, email: emailEnabled, local: localEnabled };
          return {
            preference: presentPreference(deps.notificationPreferences.set(caller, { scope, scopeId }, channels)),
          };
        },
        { preference: null },
      ),
  }),
  deleteNotificationPreference: t.boolean({
    nullable: true,
    description: 'Deletes a preference, so that the next wider one counts. False if there was none.',
    args: {
      ...argumentsOf(t.arg, PreferencePlace),
    },
    resolve: (_, { scope, scopeId }, { caller, deps }) =>
      deps.notificationPreferences.delete(caller, { scope, scopeId }),
  }),
  sendTestNotification: t.boolean({
    nullable: true,
    description:
      'Sends a message over every channel that is set up, regardless of preferences. True if all of them took it. For admins of any home.',
    args: {
      message: t.arg.string({ description: 'A usual one if left out.' }),
      deviceFingerprint: t.arg.string({ description: 'Has no effect: there are no registered devices.' }),
    },
    resolve: async (_, { message }, { caller, deps }) => {
      const { failures } = await deps.notifications.sendTest(caller, message ?? null);
      return Object.keys(failures).length === 0;
    },
  }),
  clearNotificationHistory: t.boolean({
    nullable: true,
    description: 'Deletes the history of the homes that the caller manages. For admins of any home.',
    resolve: (_, __, { caller, deps }) => {
      deps.notifications.clearHistory(caller);
      return true;
    },
  }),
}));
