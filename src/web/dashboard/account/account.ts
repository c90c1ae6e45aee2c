/** Who is signed in, their homes and what they keep for the dashboard: asked once, and again when an event says that it changed. */
import { useSyncExternalStore } from 'react';
import { graphql, present } from '../api/graphql.ts';
import { askAhead, type Subject, useAct, useAsk } from '../api/query.ts';

const AccountQuery = graphql(`
  query Account {
    me {
      id
      name
      email
      isAdmin
      accountType
    }
    settings {
      data
    }
    homes {
      id
      name
      role
      isPrimary
      connected
    }
    pendingInvitations {
      id
      homeId
      homeName
      inviterName
      role
      expiresAt
    }
  }
`);

export const UpdateSettings = graphql(`
  mutation UpdateSettings($data: JSON!) {
    updateSettings(data: $data) {
      success
      error
      code
    }
  }
`);

/** What the account keeps for its clients; keys of other clients are left alone. */
export interface AccountSettings {
  readonly developerMode: boolean;
  /** What this dashboard keeps: `preferences`, and by home its order and looks (`pages/home`). */
  readonly dashboard: Readonly<Record<string, unknown>>;
}

const DASHBOARD_PREFIX = 'dashboard.';

/** Each has a key of its own among the account's settings: two devices that change different things do not undo each other. */
export function dashboardSetting(name: string, value: unknown): Readonly<Record<string, unknown>> {
  return { [DASHBOARD_PREFIX + name]: value };
}

const SUBJECTS: readonly Subject[] = ['account', 'members'];

/** For whoever is signed in. */
export function useAccountQuery(enabled: boolean) {
  return useAsk(AccountQuery, {}, { subjects: SUBJECTS, enabled });
}

/** Before any page needs it. @returns the homes; `undefined` if the relay does not tell */
export async function askHomesAhead(): Promise<readonly OwnHome[] | undefined> {
  const account = await askAhead(AccountQuery, {}, SUBJECTS);
  return account && present(account.homes);
}

/** @throws `Error` outside of `HouseGate` */
export function useAccount() {
  const { data } = useAccountQuery(true);
  if (!data?.me) throw new Error('Nobody is signed in');
  return {
    me: data.me,
    homes: present(data.homes),
    invitations: present(data.pendingInvitations),
    settings: parseSettings(data.settings?.data),
  };
}

export function useSettings(): AccountSettings {
  return useAccount().settings;
}

/** Changes single keys of the settings; `null` removes one. */
export function useUpdateSettings() {
  return useAct(UpdateSettings, { subjects: ['account'] });
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

export interface OwnHome {
  readonly id: string;
  readonly isPrimary: boolean;
}

/**
 * Which home is shown: the one that was chosen on this device, else the person's first.
 * @param homes the person's; while they are not known, what was chosen is taken to be there
 */
export function homeToShow(homes: readonly OwnHome[] | undefined, chosen: string | undefined): string | undefined {
  if (!homes || homes.some(({ id }) => id === chosen)) return chosen;
  return (homes.find(({ isPrimary }) => isPrimary) ?? homes[0])?.id;
}

const HOME_KEY = 'hearthd.home';
const listeners = new Set<() => void>();
let homeId: string | undefined = keptHome();

function keptHome(): string | undefined {
  try {
    return localStorage.getItem(HOME_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Which home this device shows. */
export function chooseHome(id: string): void {
  try {
    localStorage.setItem(HOME_KEY, id);
  } catch {
    // Kept until the page is left.
  }
  homeId = id;
  for (const listener of listeners) listener();
}

export function chosenHome(): string | undefined {
  return homeId;
}

/** The id that was chosen on this device; it may be of a home that is gone. */
export function useChosenHome(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => homeId,
  );
}
