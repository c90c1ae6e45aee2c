/**
 * The account that is signed in, its homes and its stored dashboard settings. Loaded once, and again when an event
 * reports a change.
 */
import { useSyncExternalStore } from 'react';
import { graphql, present, type ResultOf } from '../api/graphql.ts';
import { askAhead, lastAnswer, type QuerySubject, showKept, useApiMutation, useApiQuery } from '../api/query.ts';
import { AccountQuery, HOME_KEY, type OwnHome, readChosenHome } from './account-document.ts';

export const UpdateSettings = graphql(`
  mutation UpdateSettings($data: JSON!) {
    updateSettings(data: $data) {
      success
      error
      code
    }
  }
`);

/** The client settings stored with the account; the keys of other clients stay untouched. */
export interface AccountSettings {
  readonly developerMode: boolean;
  /** The dashboard's own settings: `preferences`, and by home its order and appearance (`pages/home`). */
  readonly dashboard: Readonly<Record<string, unknown>>;
}

const DASHBOARD_PREFIX = 'dashboard.';

/**
 * Each setting has its own key in the account settings, so two devices that change different settings do not overwrite
 * each other.
 */
export function dashboardSetting(name: string, value: unknown): Readonly<Record<string, unknown>> {
  return { [DASHBOARD_PREFIX + name]: value };
}

const SUBJECTS: readonly QuerySubject[] = ['account', 'members'];

/** Reads the account that is signed in. */
export function useAccountQuery(enabled: boolean) {
  return useApiQuery(AccountQuery, {}, { subjects: SUBJECTS, enabled });
}

/** Loads the homes before a page needs them. @returns the homes; `undefined` if the relay does not answer */
export async function askHomesAhead(): Promise<readonly OwnHome[] | undefined> {
  const account = await askAhead(AccountQuery, {}, SUBJECTS);
  return account && present(account.homes);
}

export type KeptAccount = ResultOf<typeof AccountQuery>;

/** What a device keeps of the account to show its home: not its address, and no settings of other clients. */
export function accountToKeep(): KeptAccount | undefined {
  const answer = lastAnswer(AccountQuery, {});
  if (!answer?.me) return undefined;
  const { developerMode, dashboard } = parseSettings(answer.settings?.data);
  const entries = Object.entries(dashboard).map(([name, value]) => [DASHBOARD_PREFIX + name, value]);
  const data = JSON.stringify({ developerMode, ...Object.fromEntries(entries) });
  return { ...answer, me: { ...answer.me, email: '' }, settings: { data }, pendingInvitations: [] };
}

/** Shows the account as this device kept it, until the relay answers. */
export function showKeptAccount(kept: KeptAccount): void {
  showKept(AccountQuery, {}, kept);
}

/** @throws `Error` outside of `HomeGate` */
export function useAccount() {
  const { data } = useAccountQuery(true);
  if (!data?.me) throw new Error('Not signed in');
  return {
    me: data.me,
    homes: present(data.homes),
    invitations: present(data.pendingInvitations),
    settings: parseSettings(data.settings?.data),
  };
}

/** Whether the user may see and change what belongs to the whole relay: the owner of every home (decisions §7). */
export function useOwnsRelay(): boolean {
  return useAccount().homes.every(({ role }) => role === 'owner');
}

/** Whether the user manages any home: only then can they have access tokens and webhooks. */
export function useManagesHome(): boolean {
  return useAccount().homes.some(({ role }) => role === 'owner' || role === 'admin');
}

export function useSettings(): AccountSettings {
  return useAccount().settings;
}

/** Changes single keys of the settings; `null` removes one. */
export function useUpdateSettings() {
  return useApiMutation(UpdateSettings, { subjects: ['account'] });
}

function parseSettings(text: string | undefined): AccountSettings {
  try {
    const settings: Record<string, unknown> = JSON.parse(text ?? '{}');
    const ours = Object.entries(settings).filter(([key]) => key.startsWith(DASHBOARD_PREFIX));
    const dashboard = Object.fromEntries(ours.map(([key, value]) => [key.slice(DASHBOARD_PREFIX.length), value]));
    return { developerMode: settings.developerMode === true, dashboard };
  } catch {
    return { developerMode: false, dashboard: {} };
  }
}

const listeners = new Set<() => void>();
let homeId: string | undefined = readChosenHome();

/** Sets the home that this device shows. */
export function chooseHome(id: string): void {
  try {
    localStorage.setItem(HOME_KEY, id);
  } catch {
    // Without storage the choice lasts until the page closes.
  }
  homeId = id;
  for (const listener of listeners) listener();
}

export function chosenHome(): string | undefined {
  return homeId;
}

/** The id chosen on this device; its home may have been deleted. */
export function useChosenHome(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => homeId,
  );
}
