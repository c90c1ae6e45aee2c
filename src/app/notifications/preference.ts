/** What somebody wants to be told by which channel, and which of several such wishes counts (API §2.4, §3). Pure. */

/** In the order in which they are told of. */
export const CHANNELS = ['local', 'push', 'email'] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** Most specific last. */
export const PREFERENCE_SCOPES = ['global', 'home', 'automation'] as const;
export type PreferenceScope = (typeof PREFERENCE_SCOPES)[number];

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

/** What a notification is about. */
export interface Subject {
  readonly homeId: string | null;
  readonly automationId: string | null;
}

/** Most specific scope wins: automation, home, global, then the defaults. @param preferences of one owner. */
export function resolveChoice(
  preferences: readonly NotificationPreference[],
  { homeId, automationId }: Subject,
): ChannelChoice {
  const ids: Readonly<Record<PreferenceScope, string | null | undefined>> = {
    global: null,
    home: homeId ?? undefined,
    automation: automationId ?? undefined,
  };
  const applying = [...PREFERENCE_SCOPES]
    .reverse()
    .map((wanted) => preferences.find(({ scope, scopeId }) => scope === wanted && scopeId === ids[wanted]));
  return applying.find((preference) => preference !== undefined)?.channels ?? DEFAULT_CHOICE;
}
