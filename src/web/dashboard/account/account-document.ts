/** What is read of the account, and which of its homes is shown. Without React: `first-requests.ts` needs it first. */
import { graphql } from '../api/graphql.ts';

export const AccountQuery = graphql(`
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

export interface OwnHome {
  readonly id: string;
  readonly isPrimary: boolean;
}

/**
 * The home to show: the one chosen on this device, else the account's first.
 * @param homes the account's homes; while they are unknown, the chosen home is assumed to exist
 */
export function homeToShow(homes: readonly OwnHome[] | undefined, chosen: string | undefined): string | undefined {
  if (!homes || homes.some(({ id }) => id === chosen)) return chosen;
  return (homes.find(({ isPrimary }) => isPrimary) ?? homes[0])?.id;
}

export const HOME_KEY = 'hearthd.home';

/** The home chosen on this device. */
export function readChosenHome(): string | undefined {
  try {
    return localStorage.getItem(HOME_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
