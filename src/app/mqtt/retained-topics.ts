/**
 * Tracks the retained topics on one broker. Every topic is stored on disk before the first publish, so that it can be
 * cleared after a rename, after a restart, or when the broker is removed. A hash of the last payload avoids sending
 * unchanged messages again.
 */
import { createHash } from 'node:crypto';
import { messageOf } from '../../kernel/errors.ts';
import type { Logger, LogThrottle } from '../../kernel/logger.ts';
import type { RetainedTopicStore } from './retained-topic-store.ts';
import type { RetainedMessage } from './thing-messages.ts';

/**
 * Protects against chance, not malice: two payloads with the same hash would have to follow one another on one topic.
 */
const HASH_CHARACTERS = 16;
/** Stored instead of a hash. */
const CLEARED = 'cleared';

export class RetainedTopics {
  readonly #brokerId: string;
  readonly #store: RetainedTopicStore;
  readonly #logger: Logger;
  readonly #throttle: LogThrottle;
  /** Topic → hash of the payload sent over this connection; empty text if not sent yet. */
  readonly #topics = new Map<string, string>();

  constructor(deps: { brokerId: string; store: RetainedTopicStore; logger: Logger; throttle: LogThrottle }) {
    this.#brokerId = deps.brokerId;
    this.#store = deps.store;
    this.#logger = deps.logger;
    this.#throttle = deps.throttle;
  }

  /** Loads the topics stored before the start. */
  load(): void {
    this.#tryStore(() => {
      for (const topic of this.#store.load(this.#brokerId)) this.#topics.set(topic, '');
    });
  }

  get topics(): Iterable<string> {
    return this.#topics.keys();
  }

  /** A new connection has begun: the broker may have lost everything. */
  forgetSent(): void {
    for (const topic of this.#topics.keys()) this.#topics.set(topic, '');
  }

  /** Sends the next message on this topic even if it is unchanged. */
  forgetSentOn(topic: string): void {
    if (this.#topics.has(topic)) this.#topics.set(topic, '');
  }

  /** @returns the changed messages, and marks them as sent. */
  take(messages: readonly RetainedMessage[]): readonly RetainedMessage[] {
    const added: string[] = [];
    const fresh = messages.filter(({ topic, payload }) => {
      const hash = createHash('sha256').update(payload).digest('base64').slice(0, HASH_CHARACTERS);
      const known = this.#topics.get(topic);
      if (known === hash) return false;
      if (known === undefined) added.push(topic);
      this.#topics.set(topic, hash);
      return true;
    });
    if (added.length > 0) this.#tryStore(() => this.#store.add(this.#brokerId, added));
    return fresh;
  }

  /** The relay is clearing these topics on the broker. */
  clearing(topics: readonly string[]): void {
    for (const topic of topics) this.#topics.set(topic, CLEARED);
  }

  /** The broker confirmed the clearing. A topic that was published again meanwhile stays stored. */
  cleared(topics: readonly string[]): void {
    const gone = topics.filter((topic) => this.#topics.get(topic) === CLEARED);
    for (const topic of gone) this.#topics.delete(topic);
    if (gone.length > 0) this.#tryStore(() => this.#store.remove(this.#brokerId, gone));
  }

  /** A full disk must not stop state messages. */
  #tryStore(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#throttle.once('topics', () =>
        this.#logger.warn({ error: messageOf(error) }, 'Could not save which topics an MQTT broker retains'),
      );
    }
  }
}
