import type { AuthorizedApp as StoredApp } from '../../app/oauth/authorized-apps.ts';
import type { AuthorizedApp } from '../../contract/authorized-apps.ts';
import { presentTime } from './time.ts';

export function presentApp(app: StoredApp): AuthorizedApp {
  return {
    clientId: app.clientId,
    clientName: app.clientName,
    clientUri: app.clientUri,
    logoUri: app.logoUri,
    redirectDomain: app.redirectDomain,
    scope: app.scope,
    homePermissions: app.homePermissions,
    userId: app.userId,
    createdAt: presentTime(app.createdAt),
    lastUsedAt: presentTime(app.lastUsedAt),
    made: app.made,
  };
}
