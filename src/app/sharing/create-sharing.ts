/** Builds the services for shares over one database. Contains no rules of its own. */
import type { HomeState } from '../../home/home-state.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Database } from '../../storage/database.ts';
import type { Access } from '../access/authorize.ts';
import type { Credentials } from '../access/credentials.ts';
import { Expiry } from '../access/expiry.ts';
import type { Makers } from '../access/makers.ts';
import type { Control } from '../control/control.ts';
import { CollectionStore } from '../groups/collection-store.ts';
import type { Collections } from '../groups/collections.ts';
import type { HistorySettings } from '../history/history-settings.ts';
import type { UserOperations } from '../users/create-users.ts';
import { UserStore } from '../users/user-store.ts';
import { ShareControl } from './share-control.ts';
import { ShareStore } from './share-store.ts';
import { Shares } from './shares.ts';

interface Deps extends Pick<UserOperations, 'attempts' | 'signingKeys' | 'passwords'> {
  readonly database: Database;
  readonly state: HomeState;
  readonly access: Access;
  readonly makers: Makers;
  readonly collections: Collections;
  readonly control: Control;
  readonly credentials: Pick<Credentials, 'isLive'>;
  readonly historySettings: Pick<HistorySettings, 'home'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createSharing(deps: Deps) {
  const { database, passwords, credentials, historySettings, clock } = deps;
  const shares = new Shares({
    ...deps,
    store: new ShareStore(database),
    collectionStore: new CollectionStore(database),
    users: new UserStore(database),
    hasher: passwords,
    expiry: new Expiry(clock),
    isLive: (principal) => credentials.isLive(principal),
    showsHistory(homeId) {
      const { enabled, shared } = historySettings.home(homeId);
      return enabled && shared;
    },
  });
  return { shares, shareControl: new ShareControl(deps) };
}
