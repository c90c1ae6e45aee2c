/**
 * The OAuth operations: registered apps, users' consents, and the tokens issued from them. The protocol on the wire is
 * an API (`api/oauth`), which nothing here depends on.
 */
import type { Database } from '../../storage/database.ts';
import type { AppDeps } from '../access/app-deps.ts';
import type { Attempts } from '../access/attempts.ts';
import { ArtifactStore } from './artifact-store.ts';
import { Artifacts } from './artifacts.ts';
import { AuthorizedApps } from './authorized-apps.ts';
import { OAuthClientStore } from './client-store.ts';
import { OAuthClients } from './clients.ts';
import { ConsentStore } from './consent-store.ts';
import { OAuthTokens } from './oauth-tokens.ts';

interface OAuthDeps extends AppDeps<'state' | 'access' | 'makers' | 'clock' | 'logger'> {
  readonly database: Database;
  readonly attempts: Attempts;
  /** How long a repeated refresh gets the same answer; 0 = never. */
  readonly refreshGraceMs: () => number;
}

export function createOAuth({ database, attempts, ...deps }: OAuthDeps) {
  const store = new ArtifactStore(database);
  const clients = new OAuthClientStore(database);
  const consents = new ConsentStore(database);
  const artifacts = new Artifacts({ ...deps, store });
  return {
    oauthClients: new OAuthClients({ ...deps, store: clients, attempts }),
    oauthArtifacts: artifacts,
    oauthTokens: new OAuthTokens({ ...deps, store, artifacts, consents, clients }),
    authorizedApps: new AuthorizedApps({ ...deps, consents, clients }),
  };
}

type OAuthOperations = ReturnType<typeof createOAuth>;

/** Deletes expired artifacts and unused apps. Called every night. */
export function pruneOAuth({
  oauthArtifacts,
  oauthClients,
}: Pick<OAuthOperations, 'oauthArtifacts' | 'oauthClients'>): void {
  oauthArtifacts.prune();
  oauthClients.prune();
}
