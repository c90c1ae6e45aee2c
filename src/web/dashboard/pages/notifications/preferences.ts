/**
 * Delivery channels of notifications: an automation's setting overrides its home's, and a home's overrides the global
 * one (API §3).
 */

export interface Ways {
  readonly localEnabled: boolean;
  readonly pushEnabled: boolean;
  readonly emailEnabled: boolean;
}

export interface Preference extends Ways {
  /** `global`, `home` or `automation`. */
  readonly scope: string;
  /** `null` for `global`. */
  readonly scopeId: string | null;
}

/** API §3: the default without a setting. */
export const DEFAULT_WAYS: Ways = { localEnabled: true, pushEnabled: true, emailEnabled: false };

export const WAYS = [
  { field: 'localEnabled', channel: 'local' },
  { field: 'pushEnabled', channel: 'push' },
  { field: 'emailEnabled', channel: 'email' },
] as const satisfies readonly { readonly field: keyof Ways; readonly channel: string }[];

/** The global setting, or the default. */
export function globalWays(preferences: readonly Preference[]): Ways {
  return preferences.find(({ scope }) => scope === 'global') ?? DEFAULT_WAYS;
}

/** The exceptions from the global setting, homes first. */
export function exceptionsIn(preferences: readonly Preference[]): readonly Preference[] {
  const order = ['home', 'automation'];
  return preferences
    .filter(({ scope }) => scope !== 'global')
    .sort((a, b) => order.indexOf(a.scope) - order.indexOf(b.scope));
}
