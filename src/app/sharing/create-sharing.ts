/** Builds the services for shares over one database. Contains no rules of its own. */
import type { Database } from '../../storage/database.ts';
import type { AppDeps } from '../access/app-deps.ts';
import type { Credentials } from '../access/credentials.ts';
import { Expiry } from '../access/expiry.ts';
import type { Control } from '../control/control.ts';
import { CollectionStore } from '../groups/collection-store.ts';
import type { Collections } from '../groups/collections.ts';
import type { HistorySettings } from '../history/history-settings.ts';
import type { UserOperations } from '../users/create-users.ts';
import { UserStore } from '../users/user-store.ts';
import { ShareControl } from './share-control.ts';
import { ShareStore } from './share-store.ts';
import { Shares } from './shares.ts';

interface Deps
  extends Pick<UserOperations, 'attempts' | 'signingKeys' | 'passwords'>,
    AppDeps<'state' | 'access' | 'makers' | 'clock' | 'logger'> {
  readonly database: Database;
  readonly collections: Collections;
  readonly control: Control;
  readonly credentials: Pick<Credentials, 'isLive'>;
  readonly historySettings: Pick<HistorySettings, 'home'>;
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
