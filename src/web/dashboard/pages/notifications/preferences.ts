/** Who is told by which ways: what is set for an automation wins over its home, the home over everything (API §3). */

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

/** API §3: where nothing is set. */
export const DEFAULT_WAYS: Ways = { localEnabled: true, pushEnabled: true, emailEnabled: false };

export const WAYS = [
  { field: 'localEnabled', channel: 'local' },
  { field: 'pushEnabled', channel: 'push' },
  { field: 'emailEnabled', channel: 'email' },
] as const satisfies readonly { readonly field: keyof Ways; readonly channel: string }[];

/** What holds for everything: set, or as it is by default. */
export function globalWays(preferences: readonly Preference[]): Ways {
  return preferences.find(({ scope }) => scope === 'global') ?? DEFAULT_WAYS;
}

/** Exceptions from it, homes first. */
export function exceptionsIn(preferences: readonly Preference[]): readonly Preference[] {
  const order = ['home', 'automation'];
  return preferences
    .filter(({ scope }) => scope !== 'global')
    .sort((a, b) => order.indexOf(a.scope) - order.indexOf(b.scope));
}
