/** Notifications (API §2.4, §3): what was sent, over which channels, and each user's preferences. */
import { z } from 'zod';
import { MAX_BUTTON_LENGTH } from '../home/vocabulary/limits.ts';
import { ActivityActor } from './activity.ts';
import { checked, EXAMPLE_ID, flag, id, integer, limit, name, offset, success, text, time, word } from './fields.ts';
import { type Input, invalidValue, type Output } from './parse.ts';

/** In the order of output. */
export const CHANNELS = ['local', 'push', 'email'] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** Most specific last. */
export const PREFERENCE_SCOPES = ['global', 'home', 'automation'] as const;
export type PreferenceScope = (typeof PREFERENCE_SCOPES)[number];

const Channel = word(CHANNELS);

/** How long a button can be pressed: a day, as long as push services keep a message. */
export const BUTTON_LIFE_MS = 24 * 60 * 60 * 1_000;

/** Followed by the token of a button: a POST presses it. */
export const BUTTON_PATH = '/notification-action';

/** What people can answer a notification with. */
export const NotificationButton = z
  .strictObject({
    id: checked(text('What triggers know it by: letters, digits, _ and -.', 'close'), (given) =>
      new RegExp(`^[\\w-]{1,${MAX_BUTTON_LENGTH}}$`).test(given)
        ? null
        : `it must have 1 to ${MAX_BUTTON_LENGTH} letters, digits, _ or -`,
    ),
    title: name('Button title', {
      max: MAX_BUTTON_LENGTH,
      description: `What people read on it, at most ${MAX_BUTTON_LENGTH} characters.`,
      example: 'Close garage',
    }),
  })
  .meta({ id: 'NotificationButton' });
export type NotificationButton = Output<typeof NotificationButton>;

export const PressedButton = z
  .object({
    buttonId: text('The button.', 'close'),
    title: text('What is on it.', 'Close garage'),
    at: time('When it was pressed.'),
    by: ActivityActor.describe('Who pressed it.'),
  })
  .meta({ id: 'PressedNotificationButton' });
export type PressedButton = Output<typeof PressedButton>;

export const Notification = z
  .object({
    id: id(),
    automationId: id('The automation that sent it; null: the home.').nullable(),
    homeId: id('The home that it is about, if any.').nullable(),
    title: text('One line.', 'Front door').nullable(),
    message: text('The text.', 'It has been open for ten minutes.'),
    channelsSent: z.array(Channel).meta({ description: 'Those that accepted it.', examples: [['local', 'push']] }),
    channelsFailed: z.array(Channel).meta({ description: 'Those that did not.', examples: [[]] }),
    link: text(
      'Where it leads: a path of the dashboard (its device, else its automation), or an http or https address.',
      '/accessories/3e1f2a9c-7d54-4b86-9c0e-51a2b3c4d5e6',
    ).nullable(),
    isRead: flag('Whether the caller has read it; null for a caller that is no person.', false).nullable(),
    rateLimited: flag('Whether it was suppressed: too many from its automation. One a minute of those is listed.'),
    buttons: z
      .array(NotificationButton)
      .describe('What the caller can answer it with; empty for callers that may not control the home.'),
    pressed: PressedButton.nullable().describe('Which button was pressed; null while none was.'),
    buttonsExpireAt: time('Until when a button can be pressed; null without buttons.').nullable(),
    createdAt: time('When it was sent.'),
  })
  .meta({ id: 'Notification' });
export type Notification = Output<typeof Notification>;

export const NotificationChannel = z.object({
  name: Channel,
  configured: flag(
    'Whether the configuration sets it up, or the caller a device or topic of their own; `local` needs none.',
    true,
  ),
});
export type NotificationChannel = Output<typeof NotificationChannel>;

const MAX_HISTORY = 500;
const PAGE = { limit: limit(MAX_HISTORY).default(50), offset: offset() };
const AUTOMATION = text('Only those of this automation.').optional();
export const NotificationPage = z.strictObject({ ...PAGE, automationId: AUTOMATION });
export type NotificationPage = Input<typeof NotificationPage>;
/** The same in the query of a URL. */
export const NotificationsQuery = z.strictObject({ ...PAGE, automation: AUTOMATION });

export const NewTestNotification = z.strictObject({
  message: text('The default text if left out.').nullish(),
});
export const TestNotification = z.object({
  success: flag('Whether every channel accepted it.', true),
  channels: z.array(Channel).meta({ description: 'Those that accepted it.', examples: [['local', 'push']] }),
  failures: z.record(z.string(), z.string()).describe('From channels that did not to the reason, a sentence.'),
});
export type TestNotification = Output<typeof TestNotification>;

const ONE_OF = `give one of ${PREFERENCE_SCOPES.join(', ')}`;
const SCOPE = checked(
  z.string({ error: invalidValue(ONE_OF) }).meta({
    enum: PREFERENCE_SCOPES,
    description: 'The most specific one applies: automation, home, global, then the defaults (push and local).',
  }),
  (scope) => ((PREFERENCE_SCOPES as readonly string[]).includes(scope) ? null : ONE_OF),
) as unknown as z.ZodType<PreferenceScope, string>;
const SCOPE_ID = 'The id of the home or of the automation; null for `global`.';
const ENABLED = {
  pushEnabled: flag('To the devices of the person, and through ntfy.', true),
  emailEnabled: flag('By e-mail, if that is configured.'),
  localEnabled: flag('On the screens that are connected to the relay.', true),
};

/** Absent channels stay as they are for that scope. */
export const PreferenceChoice = z.strictObject({
  scope: SCOPE,
  scopeId: text(SCOPE_ID).nullish(),
  pushEnabled: ENABLED.pushEnabled.optional(),
  emailEnabled: ENABLED.emailEnabled.optional(),
  localEnabled: ENABLED.localEnabled.optional(),
});
export type PreferenceChoice = Input<typeof PreferenceChoice>;
export const PreferencePlace = PreferenceChoice.pick({ scope: true, scopeId: true });
export type PreferencePlace = Input<typeof PreferencePlace>;

export const NotificationPreference = z
  .object({ id: id(), scope: SCOPE, scopeId: id(SCOPE_ID, EXAMPLE_ID).nullable(), ...ENABLED })
  .meta({ id: 'NotificationPreference' });
export type NotificationPreference = Output<typeof NotificationPreference>;

export const UNREAD_LIMIT = 100;
export const UnreadNotifications = z.object({
  count: integer(
    `How many the caller has not read, ${UNREAD_LIMIT} at most; null for a caller that is no person.`,
    3,
  ).nullable(),
});

const MAX_READ_AT_ONCE = 500;
export const ReadNotifications = z.strictObject({
  ids: z
    .array(id(), { error: invalidValue('it takes a list of ids') })
    .max(MAX_READ_AT_ONCE, { error: invalidValue(`it takes at most ${MAX_READ_AT_ONCE}`) })
    .nullish()
    .meta({ description: 'These; all if left out.' }),
});
export type ReadNotifications = Input<typeof ReadNotifications>;
export const MarkedNotifications = success({ unread: integer('How many are left, 100 at most.', 0) });

/** A browser on which a person receives notifications (Web Push). */
export const PushDevice = z
  .object({
    id: id(),
    name: text('What its person calls it.', 'Chrome on Android'),
    createdAt: time('When it was set up.'),
    lastSentAt: time('When a notification was last sent to it.').nullable(),
    failure: text('Why the last one could not be sent, a sentence; null if it was sent.').nullable(),
    isCurrent: flag('Whether it is the one that asks.', true),
  })
  .meta({ id: 'PushDevice' });
export type PushDevice = Output<typeof PushDevice>;

export const MAX_PUSH_DEVICES = 20;
/** What `PushSubscription.toJSON()` has in browsers, with a name. */
export const NewPushDevice = z.strictObject({
  name: name('Device name', { example: 'Chrome on Android' }),
  endpoint: text('The address at the push service, https.', 'https://push.example.com/send/f7Hq'),
  p256dh: text('The public key of the browser, base64url.', 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcx'),
  auth: text('The secret of the subscription, base64url.', 'BTBZMqHH6r4Tts7J_aSIgg'),
});
export type NewPushDevice = Input<typeof NewPushDevice>;
export const PushKey = z.object({
  publicKey: text('What browsers subscribe with: `applicationServerKey`, base64url.', 'BP4z9KsN6nGRTbVYI_c7VJSPQTBt'),
});
export const PushTest = z.object({
  success: flag('Whether the push service accepted it.', true),
  failure: text('Why it did not, a sentence.').nullable(),
});
export type PushTest = Output<typeof PushTest>;
export const RemovedPushDevice = success({});

/** The ntfy topic of a person: a person who knows the address can read and publish there. */
export const NtfyTopic = z
  .object({
    url: text('The address of the topic, a secret.', 'https://ntfy.sh/hearthd-f7HqBTBZMqHH6r4Tts7J'),
    appUrl: text('The same for the ntfy app: opens it and subscribes.', 'ntfy://ntfy.sh/hearthd-f7HqBTBZMqHH6r4Tts7J'),
    hasButtons: flag(
      'Whether notifications have their buttons there: the app calls the relay, which needs its `public_url` for that.',
      true,
    ),
    createdAt: time('When it was made.'),
  })
  .meta({ id: 'NtfyTopic' });
export type NtfyTopic = Output<typeof NtfyTopic>;
export const PressButton = z.strictObject({
  notificationId: id('The notification.'),
  buttonId: text('One of its buttons.', 'close'),
});
export type PressButton = Input<typeof PressButton>;
export const PressAnswer = success({ notification: Notification });
/** Of a press by a single-use address, whose sender gets to see nothing else. */
export const PressReceipt = success({});

export const OwnNtfyTopic = z.object({ topic: NtfyTopic.nullable().describe('Null: there is none.') });
export const RemovedNtfyTopic = success({ existed: flag('Whether there was one.', true) });

export const ClearedNotifications = success({ deleted: integer('How many there were.', 12) });
export const DeletedPreference = success({ existed: flag('Whether it existed.', true) });
