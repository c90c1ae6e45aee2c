/**
 * Dynamically registered apps (RFC 7591). Any client may register, so registering grants nothing: an app reaches only
 * what a user authorizes. Registrations are rate-limited, bounded, and deleted if no user authorizes them.
 */

import { type ClientMetadata, parseClientMetadata } from '../../contract/oauth-clients.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { equalSecrets, randomToken, sha256Hex } from '../../kernel/secrets.ts';
import { type AttemptRule, type Attempts, addressKey } from '../access/attempts.ts';
import type { Caller } from '../access/caller.ts';
import type { OAuthClient, OAuthClientStore } from './client-store.ts';

const SECRET_BYTES = 32;
const MS_PER_HOUR = 3_600_000;
const MS_PER_DAY = 24 * MS_PER_HOUR;

/** A user who experiments needs a handful. */
const PER_ADDRESS: AttemptRule = { name: 'oauth:register', limit: 20, windowMs: MS_PER_HOUR };
/** Stops a client with many addresses, and for that hour all other clients, too. */
const IN_ALL: AttemptRule = { name: 'oauth:register:all', limit: 200, windowMs: MS_PER_HOUR };
/** The maximum number of clients that no user has authorized yet. */
const MAX_UNUSED = 1_000;
/** How long a client may wait for its first consent. */
const UNUSED_MS = MS_PER_DAY;
/** How long a client without any consent is kept: apps keep their client id, and return with it. */
const IDLE_MS = 90 * MS_PER_DAY;

export interface RegisteredClient {
  readonly client: OAuthClient;
  /** Shown only once; `null` for a public client. */
  readonly secret: string | null;
}

export class OAuthClients {
  readonly #store: OAuthClientStore;
  readonly #attempts: Attempts;
  readonly #clock: Clock;

  constructor({ store, attempts, clock }: { store: OAuthClientStore; attempts: Attempts; clock: Clock }) {
    this.#store = store;
    this.#attempts = attempts;
    this.#clock = clock;
  }

  /** Registers an app, without any consent yet. For every caller. @throws `RegistrationError` · `rate_limited` */
  register({ address }: Pick<Caller, 'address'>, input: unknown): RegisteredClient {
    const metadata = parseClientMetadata(input);
    // A client that the second limit refuses does not count in the first: it is not its fault.
    this.#attempts.require(IN_ALL, '');
    this.#attempts.spend(PER_ADDRESS, addressKey(address));
    this.#attempts.spend(IN_ALL, '');
    this.#makeRoom();
    const secret = metadata.authMethod === 'none' ? null : randomToken(SECRET_BYTES);
    const client: OAuthClient = {
      id: newId(),
      metadata,
      secretHash: secret === null ? null : sha256Hex(secret),
      createdAt: this.#clock.now(),
      lastUsedAt: null,
    };
    this.#store.insert(client);
    return { client, secret };
  }

  /** Finds an app by its id. For callers that have authorized the access. */
  find(id: string): OAuthClient | undefined {
    return this.#store.find(id);
  }

  /** The name of an app. Checks no permission. */
  nameOf(id: string): string | undefined {
    const client = this.#store.find(id);
    return client && nameOf(client.metadata, id);
  }

  /** Whether the client authenticates correctly: by its secret, or without one if it is public. */
  proves({ secretHash }: OAuthClient, secret: string | undefined): boolean {
    if (secretHash === null) return secret === undefined;
    return secret !== undefined && equalSecrets(sha256Hex(secret), secretHash);
  }

  /** Deletes unused apps. Called every night. */
  prune(): void {
    const now = this.#clock.now();
    this.#store.prune(now - UNUSED_MS, now - IDLE_MS);
  }

  #makeRoom(): void {
    this.prune();
    if (this.#store.countUnused() < MAX_UNUSED) return;
    throw new HearthError('rate_limited', 'Too many apps have registered and were never used. Try again tomorrow.', {
      retryAfterSeconds: UNUSED_MS / 1000,
    });
  }
}

/** The app's name; its id if it gave none. */
export function nameOf({ clientName }: ClientMetadata, id: string): string {
  return clientName ?? id;
}
