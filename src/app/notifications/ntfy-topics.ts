/**
 * The ntfy topics of people: a random address each, which the ntfy app on a phone subscribes to. It knows no sender and
 * no reader by name, so the address is the secret; a new one replaces it. A new password removes it, as it ends
 * sessions: a person who had the account may have read the address.
 */
import type { OutgoingNotification } from '../../home/notification-channel.ts';
import type { NtfyService } from '../../home/ntfy-service.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { randomToken } from '../../kernel/secrets.ts';
import type { Database } from '../../storage/database.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { requireMaker } from '../access/authority.ts';
import { notFound, requireSession } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { NotificationDelivery } from './delivery.ts';

/** 128 bits: no number of attempts guesses it. */
const TOPIC_BYTES = 16;
const PREFIX = 'hearthd-';

export interface StoredNtfyTopic {
  readonly userId: string;
  readonly url: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A topic as its person sees it. */
export interface NtfyTopicView extends StoredNtfyTopic {
  /** Whether the ntfy app can call the relay. */
  readonly hasButtons: boolean;
}

interface NtfyTopicRow {
  user_id: string;
  url: string;
  created_at: number;
}

/** The table `ntfy_topics`. */
export class NtfyTopicStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  listOf(userIds: readonly string[]): readonly StoredNtfyTopic[] {
    return this.#database
      .prepare<[string], NtfyTopicRow>(
        'SELECT * FROM ntfy_topics WHERE user_id IN (SELECT value FROM json_each(?)) ORDER BY user_id',
      )
      .all(JSON.stringify(userIds))
      .map(({ user_id: userId, url, created_at: createdAt }) => ({ userId, url, createdAt }));
  }

  save({ userId, url, createdAt }: StoredNtfyTopic): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO ntfy_topics (user_id, url, created_at) VALUES (?, ?, ?)')
      .run(userId, url, createdAt);
  }

  /** @returns whether there was one. */
  delete(userId: string): boolean {
    return this.#database.prepare('DELETE FROM ntfy_topics WHERE user_id = ?').run(userId).changes > 0;
  }
}

interface Deps extends AppDeps<'bus' | 'clock' | 'logger'> {
  readonly store: NtfyTopicStore;
  readonly ntfy: NtfyService;
  readonly delivery: NotificationDelivery;
  /** Where others reach the relay; `null` if no admin has set it. */
  readonly publicUrl: () => string | null;
}

export class NtfyTopics implements Startable {
  readonly #deps: Deps;
  #unsubscribe: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    const { bus, store, logger } = this.#deps;
    this.#unsubscribe = bus.on('sessions.revoked', ({ userId }) => {
      try {
        store.delete(userId);
      } catch (error) {
        logger.warn({ error: messageOf(error), userId }, 'Could not remove the ntfy topic of a person');
      }
    });
  }

  stop(): void {
    this.#unsubscribe?.();
  }

  /** The caller’s own topic, if there is one. @throws `insufficient_permissions` the caller is not signed in */
  find(caller: Caller): NtfyTopicView | undefined {
    const [topic] = this.#deps.store.listOf([requireSession(caller)]);
    return topic && this.#viewOf(topic);
  }

  /** Makes a new topic for the caller; the one before gets nothing more. @throws `insufficient_permissions` */
  create(caller: Caller): NtfyTopicView {
    const userId = requireSession(caller);
    requireMaker(caller, 'push_device');
    const { store, ntfy, clock } = this.#deps;
    const url = ntfy.addressOf(`${PREFIX}${randomToken(TOPIC_BYTES)}`);
    const topic = { userId, url, createdAt: clock.now() };
    store.save(topic);
    return this.#viewOf(topic);
  }

  /** Sends nothing more to the caller’s topic. @returns whether there was one @throws `insufficient_permissions` */
  remove(caller: Caller): boolean {
    return this.#deps.store.delete(requireSession(caller));
  }

  /** The caller’s own topic. @throws `insufficient_permissions` the caller is not signed in · `not_found` */
  own(caller: Caller): NtfyTopicView {
    const topic = this.find(caller);
    if (!topic) throw notFound('not_found');
    return topic;
  }

  #viewOf(topic: StoredNtfyTopic): NtfyTopicView {
    return { ...topic, hasButtons: this.#deps.publicUrl() !== null };
  }

  /** The topics of these people. */
  of(userIds: readonly string[]): readonly StoredNtfyTopic[] {
    return userIds.length === 0 ? [] : this.#deps.store.listOf(userIds);
  }

  /**
   * @param contentsOf what a person gets
   * @returns for each topic why it was not sent, as a sentence, or `null`. Never throws.
   */
  deliver(
    topics: readonly StoredNtfyTopic[],
    contentsOf: (userId: string) => OutgoingNotification,
  ): Promise<readonly (string | null)[]> {
    const { delivery, ntfy } = this.#deps;
    return Promise.all(
      topics.map(({ userId, url }) => {
        const notification = contentsOf(userId);
        return delivery.deliverBy(`topic of ${userId}`, (signal) => ntfy.send(url, notification, signal));
      }),
    );
  }
}
