/** Notifications (API §2.4, §3): what was sent, over which channels, and each user's preferences. */
import { z } from 'zod';
import { checked, EXAMPLE_ID, flag, id, integer, limit, offset, success, text, time, word } from './fields.ts';
import { type Input, invalidValue, type Output } from './parse.ts';

/** In the order of output. */
export const CHANNELS = ['local', 'push', 'email'] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** Most specific last. */
export const PREFERENCE_SCOPES = ['global', 'home', 'automation'] as const;
export type PreferenceScope = (typeof PREFERENCE_SCOPES)[number];

const Channel = word(CHANNELS);

export const Notification = z
  .object({
    id: id(),
    automationId: id('The automation that sent it; null: the home.').nullable(),
    homeId: id('The home that it is about, if any.').nullable(),
    title: text('One line.', 'Front door').nullable(),
    message: text('The text.', 'It has been open for ten minutes.'),
    channelsSent: z.array(Channel).meta({ description: 'Those that accepted it.', examples: [['local', 'push']] }),
    channelsFailed: z.array(Channel).meta({ description: 'Those that did not.', examples: [[]] }),
    rateLimited: flag('Whether it was suppressed: too many from its automation. One a minute of those is listed.'),
    createdAt: time('When it was sent.'),
  })
  .meta({ id: 'Notification' });
export type Notification = Output<typeof Notification>;

export const NotificationChannel = z.object({
  name: Channel,
  configured: flag('Whether the configuration sets it up; `local` needs none.', true),
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
  pushEnabled: flag('Through ntfy, if that is configured.', true),
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

export const ClearedNotifications = success({ deleted: integer('How many there were.', 12) });
export const DeletedPreference = success({ existed: flag('Whether it existed.', true) });
