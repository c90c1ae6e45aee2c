/**
 * The library's storage. Grants, codes and tokens go to `app/oauth`, hashed; clients come from there; sign-ins in
 * progress stay in memory; the library's own sessions are not used, since people sign in on the relay's pages.
 *
 * The relay's clock decides: the library gets the remaining lifetime of an object relative to its own clock, so that
 * both always agree.
 */
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import type { ArtifactKind } from '../../app/oauth/artifact-store.ts';
import type { Artifacts } from '../../app/oauth/artifacts.ts';
import type { OAuthClients } from '../../app/oauth/clients.ts';
import { presentClientMetadata } from '../../contract/oauth-clients.ts';
import { isNative } from '../../contract/redirect-uri.ts';
import { sha256Hex } from '../../kernel/secrets.ts';
import type { InteractionStore } from './interaction-store.ts';

const MS_PER_S = 1_000;

export interface AdapterDeps {
  readonly oauthArtifacts: Artifacts;
  readonly oauthClients: OAuthClients;
  readonly interactions: InteractionStore;
}

export function createAdapter({ oauthArtifacts, oauthClients, interactions }: AdapterDeps): AdapterFactory {
  return (name) => {
    switch (name) {
      case 'Grant':
      case 'AuthorizationCode':
      case 'AccessToken':
      case 'RefreshToken':
        return new ArtifactAdapter(oauthArtifacts, name);
      case 'Client':
        return new ClientAdapter(oauthClients);
      case 'Interaction':
        return new InteractionAdapter(interactions);
      default:
        return new NothingAdapter();
    }
  };
}

/** Stores nothing: for disabled functions, and for the library's sessions. */
class NothingAdapter implements Adapter {
  async upsert(_id: string, _payload: AdapterPayload, _expiresIn?: number): Promise<void> {}

  async find(_id: string): Promise<AdapterPayload | undefined> {
    return undefined;
  }

  async findByUid(): Promise<undefined> {}

  async findByUserCode(): Promise<undefined> {}

  async consume(_id: string): Promise<void> {}

  async destroy(_id: string): Promise<void> {}

  async revokeByGrantId(_grantId: string): Promise<void> {}
}

class ArtifactAdapter extends NothingAdapter {
  readonly #artifacts: Artifacts;
  readonly #kind: ArtifactKind;

  constructor(artifacts: Artifacts, kind: ArtifactKind) {
    super();
    this.#artifacts = artifacts;
    this.#kind = kind;
  }

  override async upsert(id: string, payload: AdapterPayload, expiresIn = 0): Promise<void> {
    const { jti: _jti, grantId = id, ...kept } = payload;
    const { clientId, accountId } = payload;
    if (clientId === undefined || accountId === undefined)
      throw new Error(`A ${this.#kind} belongs to an app and a person`);
    this.#artifacts.save({
      kind: this.#kind,
      value: id,
      // The id of the grant is not secret, but its hash is enough to end it: see `find`.
      payload: this.#kind === 'Grant' ? kept : { ...kept, grantId },
      clientId,
      userId: accountId,
      grantId,
      ttlMs: expiresIn * MS_PER_S,
    });
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const artifact = this.#artifacts.find(this.#kind, id);
    if (!artifact) return undefined;
    const now = Math.floor(Date.now() / MS_PER_S);
    // A consumed code or token never becomes valid again, but must be found to detect a theft.
    const remaining = Math.max(1, Math.ceil(this.#artifacts.remainingMs(artifact) / MS_PER_S));
    const consumed = artifact.consumedAt === null ? {} : { consumed: Math.floor(artifact.consumedAt / MS_PER_S) };
    return { ...artifact.payload, ...consumed, jti: id, exp: now + remaining };
  }

  override async consume(id: string): Promise<void> {
    this.#artifacts.use(this.#kind, id);
  }

  override async destroy(id: string): Promise<void> {
    this.#artifacts.delete(this.#kind, id);
  }

  override async revokeByGrantId(grantId: string): Promise<void> {
    this.#artifacts.revokeGrant(grantId);
  }
}

class ClientAdapter extends NothingAdapter {
  readonly #clients: OAuthClients;

  constructor(clients: OAuthClients) {
    super();
    this.#clients = clients;
  }

  /** The library knows only the hash of a secret: the token endpoint passes it hashed. */
  override async find(id: string): Promise<AdapterPayload | undefined> {
    const client = this.#clients.find(id);
    if (!client) return undefined;
    const { scope: _scope, ...metadata } = presentClientMetadata(client.metadata);
    return {
      ...metadata,
      client_id: client.id,
      ...(client.secretHash !== null && { client_secret: client.secretHash }),
      // With this the library accepts any port of a loopback address (RFC 8252 §7.3).
      application_type: isNative(client.metadata.redirectUris) ? 'native' : 'web',
    };
  }
}

/** The form in which the library gets a client's secret. */
export function hashClientSecret(secret: string): string {
  return sha256Hex(secret);
}

class InteractionAdapter extends NothingAdapter {
  readonly #store: InteractionStore;

  constructor(store: InteractionStore) {
    super();
    this.#store = store;
  }

  override async upsert(id: string, payload: AdapterPayload): Promise<void> {
    this.#store.save(id, payload);
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    return this.#store.find(id);
  }

  override async destroy(id: string): Promise<void> {
    this.#store.delete(id);
  }
}
