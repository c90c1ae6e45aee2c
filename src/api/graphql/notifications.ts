/** Notifications (API §2.4, §3): sent ones, and each user's preferences. */
import {
  Notification,
  NotificationButton,
  NotificationChannel,
  NotificationPage,
  NotificationPreference,
  PreferencePlace,
  PressButton,
  PressedButton,
  ReadNotifications,
} from '../../contract/notifications.ts';
import { presentNotification, presentPreference } from '../present/notification.ts';
import { Actor } from './activity.ts';
import { given } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';

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
  notificationHistory: t.field({
    type: [NotificationLogInfo],
    nullable: LIST,
    description: 'The notifications of the homes that the caller may see, newest first.',
    args: argumentsOf(t.arg, NotificationPage),
    resolve: (_, page, { caller, deps }) => deps.notifications.history(caller, given(page)).map(presentNotification),
  }),
}));

builder.mutationFields((t) => ({
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
