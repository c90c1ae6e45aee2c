/**
 * What one broker keeps of ours: every topic is noted on disk before anything is published there, so that it can be taken back after a
 * rename, after a restart, or when the broker is not to be told any more. What was sent last is known by its hash: what has not
 * changed is not sent again.
 */
import { createHash } from 'node:crypto';
import { messageOf } from '../../kernel/errors.ts';
import type { Logger, LogThrottle } from '../../kernel/logger.ts';
import type { RetainedTopicStore } from './retained-topic-store.ts';
import type { RetainedMessage } from './thing-messages.ts';

/** Against chance, not against malice: two payloads alike by it would have to follow one another on one topic. */
const HASH_CHARACTERS = 16;
/** In the place of a hash. */
const CLEARED = 'cleared';

export class RetainedTopics {
  readonly #brokerId: string;
  readonly #store: RetainedTopicStore;
  readonly #logger: Logger;
  readonly #throttle: LogThrottle;
  /** Topic → hash of what was sent over this connection; empty text before. */
  readonly #topics = new Map<string, string>();

  constructor(parts: { brokerId: string; store: RetainedTopicStore; logger: Logger; throttle: LogThrottle }) {
    this.#brokerId = parts.brokerId;
    this.#store = parts.store;
    this.#logger = parts.logger;
    this.#throttle = parts.throttle;
  }

  /** Reads what was noted before the start. */
  load(): void {
    this.#tryStore(() => {
      for (const topic of this.#store.load(this.#brokerId)) this.#topics.set(topic, '');
    });
  }

  get topics(): Iterable<string> {
    return this.#topics.keys();
  }

  /** A connection has begun: the broker may have lost everything. */
  forgetSent(): void {
    for (const topic of this.#topics.keys()) this.#topics.set(topic, '');
  }

  /** Lets the next message on this topic pass, changed or not. */
  forgetSentOn(topic: string): void {
    if (this.#topics.has(topic)) this.#topics.set(topic, '');
  }

  /** @returns those that say something new, noted as sent. */
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

  /** The broker is being told to keep nothing under them. */
  clearing(topics: readonly string[]): void {
    for (const topic of topics) this.#topics.set(topic, CLEARED);
  }

  /** It has confirmed that. What something new was published under meanwhile stays noted. */
  cleared(topics: readonly string[]): void {
    const gone = topics.filter((topic) => this.#topics.get(topic) === CLEARED);
    for (const topic of gone) this.#topics.delete(topic);
    if (gone.length > 0) this.#tryStore(() => this.#store.remove(this.#brokerId, gone));
  }

  /** A full disk keeps nobody from knowing that a lamp is on. */
  #tryStore(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#throttle.once('topics', () =>
        this.#logger.warn(
          { error: messageOf(error) },
          'Which topics are retained on a broker could not be written down',
        ),
      );
    }
  }
}
