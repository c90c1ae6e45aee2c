/**
 * Apps that registered themselves (RFC 7591). Anybody may register, so registering gives nothing: an app reaches what a person
 * allows it, and no further. It is counted, bounded, and forgotten if nothing comes of it.
 */
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { equalSecrets, randomToken, sha256Hex } from '../../kernel/secrets.ts';
import { type AttemptRule, type Attempts, addressKey } from '../access/attempts.ts';
import type { Caller } from '../access/caller.ts';
import { type ClientMetadata, parseClientMetadata } from './client-metadata.ts';
import type { OAuthClient, OAuthClientStore } from './client-store.ts';

const SECRET_BYTES = 32;
const MS_PER_HOUR = 3_600_000;
const MS_PER_DAY = 24 * MS_PER_HOUR;

/** A person who tries things out needs a handful. */
const PER_ADDRESS: AttemptRule = { name: 'oauth:register', limit: 20, windowMs: MS_PER_HOUR };
/** Whoever has many addresses is stopped here, and everybody else for an hour with them. */
const IN_ALL: AttemptRule = { name: 'oauth:register:all', limit: 200, windowMs: MS_PER_HOUR };
/** Clients that nobody has allowed anything yet, at most at a time. */
const MAX_UNUSED = 1_000;
/** For how long one may wait for its first permission. */
const UNUSED_MS = MS_PER_DAY;
/** For how long one is remembered that nobody allows anything any more: apps keep their client id, and come back with it. */
const IDLE_MS = 90 * MS_PER_DAY;

export interface RegisteredClient {
  readonly client: OAuthClient;
  /** This once only; `null` for a public client. */
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

  /** Registers an app that nobody allows anything yet. For anybody. @throws `RegistrationError` · `rate_limited` */
  register({ address }: Pick<Caller, 'address'>, input: unknown): RegisteredClient {
    const metadata = parseClientMetadata(input);
    // Whom the second count refuses is not counted by the first: it is not their fault.
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

  /** An app by its id. For those that have authorized what they want it for. */
  find(id: string): OAuthClient | undefined {
    return this.#store.find(id);
  }

  /** Whether this is how the client proves itself: by its secret, or by nothing where it has none. */
  proves({ secretHash }: OAuthClient, secret: string | undefined): boolean {
    if (secretHash === null) return secret === undefined;
    return secret !== undefined && equalSecrets(sha256Hex(secret), secretHash);
  }

  /** Forgets what nobody uses. Called every night. */
  prune(): void {
    const now = this.#clock.now();
    this.#store.prune(now - UNUSED_MS, now - IDLE_MS);
  }

  #makeRoom(): void {
    if (this.#store.countUnused() < MAX_UNUSED) return;
    this.prune();
    if (this.#store.countUnused() < MAX_UNUSED) return;
    throw new HearthError('rate_limited', 'Too many apps have registered and were never used. Try again tomorrow.', {
      retryAfterSeconds: UNUSED_MS / 1000,
    });
  }
}

/** What an app calls itself; its id where it gave no name. */
export function nameOf({ clientName }: ClientMetadata, id: string): string {
  return clientName ?? id;
}
