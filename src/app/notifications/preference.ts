/** Which channels an owner wants for which notifications, and which preference applies (API §2.4, §3). Pure. */

import { type ChannelName, PREFERENCE_SCOPES, type PreferenceScope } from '../../contract/notifications.ts';

export type ChannelChoice = Readonly<Record<ChannelName, boolean>>;

/** API §3. */
export const DEFAULT_CHOICE: ChannelChoice = { local: true, push: true, email: false };

export interface NotificationPreference {
  /** UUID, lower case. */
  readonly id: string;
  readonly scope: PreferenceScope;
  /** The home's or the automation's id; `null` for the global one. */
  readonly scopeId: string | null;
  readonly channels: ChannelChoice;
}

/** The subject of a notification. */
export interface NotificationSubject {
  readonly homeId: string | null;
  readonly automationId: string | null;
}

/** The most specific scope applies: automation, home, global, then the defaults. @param preferences of one owner. */
export function resolveChoice(
  preferences: readonly NotificationPreference[],
  subject: NotificationSubject,
): ChannelChoice {
  return findChoice(preferences, subject) ?? DEFAULT_CHOICE;
}

/** The same, without the defaults. */
export function findChoice(
  preferences: readonly NotificationPreference[],
  { homeId, automationId }: NotificationSubject,
): ChannelChoice | undefined {
  const ids: Readonly<Record<PreferenceScope, string | null | undefined>> = {
    global: null,
    home: homeId ?? undefined,
    automation: automationId ?? undefined,
  };
  const applying = [...PREFERENCE_SCOPES]
    .reverse()
    .map((wanted) => preferences.find(({ scope, scopeId }) => scope === wanted && scopeId === ids[wanted]));
  return applying.find((preference) => preference !== undefined)?.channels;
}
