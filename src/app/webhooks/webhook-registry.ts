import type { HomeEvents } from '../../home/events.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import type { Webhook, WebhookProgress } from './webhook.ts';
import type { WebhookStore } from './webhook-store.ts';

/**
 * All webhooks, cached in memory over their table: the operations change them, the deliveries read them and record
 * their progress. Every change is saved before memory changes. Does no authorization.
 */
export class WebhookRegistry {
  readonly #store: WebhookStore;
  readonly #bus: EventBus<HomeEvents>;
  #webhooks: Map<string, Webhook> | undefined;
  #active: readonly Webhook[] | undefined;

  constructor({ store, bus }: { store: WebhookStore; bus: EventBus<HomeEvents> }) {
    this.#store = store;
    this.#bus = bus;
    // The schema deletes the webhooks of a deleted account.
    bus.on('user.removed', () => this.refresh());
  }

  /** Oldest first. */
  all(): readonly Webhook[] {
    return [...this.#entries().values()];
  }

  /** The active webhooks. The same list until something changes. */
  active(): readonly Webhook[] {
    this.#active ??= this.all().filter(({ status }) => status === 'active');
    return this.#active;
  }

  find(id: string): Webhook | undefined {
    const entries = this.#entries();
    return entries.get(id) ?? entries.get(id.toLowerCase());
  }

  insert(webhook: Webhook): void {
    this.#store.insert(webhook);
    this.#remember(webhook);
    this.#announce(webhook);
  }

  /** @returns the changed webhook; `undefined` if it no longer exists. */
  update(id: string, changes: Partial<Omit<Webhook, 'id' | 'ownerId' | 'createdAt'>>): Webhook | undefined {
    const changed = this.#write(id, changes);
    if (changed) {
      this.#remember(changed);
      this.#announce(changed);
    }
    return changed;
  }

  /**
   * Records the progress of its deliveries; does nothing if it no longer exists.
   * @returns a function that updates memory; call it after the commit.
   */
  record(id: string, progress: Partial<WebhookProgress>): () => void {
    const before = this.find(id)?.status;
    const changed = this.#write(id, progress);
    return () => {
      if (!changed) return;
      this.#remember(changed);
      // Every delivery is progress; only a change of the webhook's status is published.
      if (changed.status !== before) this.#announce(changed);
    };
  }

  delete(id: string): void {
    const webhook = this.find(id);
    this.#store.delete(id);
    this.#entries().delete(id);
    this.#active = undefined;
    if (webhook) this.#announce(webhook);
  }

  /** Deletes previous secrets that no longer sign. */
  forgetOldSecrets(now: number): void {
    for (const { id, previousSecretUntil } of this.all()) {
      if (previousSecretUntil !== null && previousSecretUntil <= now) {
        this.update(id, { previousSecret: null, previousSecretUntil: null });
      }
    }
  }

  /** Discards the cache, for code that changed the table itself. */
  refresh(): void {
    this.#webhooks = undefined;
    this.#active = undefined;
  }

  #write(id: string, changes: Partial<Webhook>): Webhook | undefined {
    const webhook = this.find(id);
    if (!webhook) return undefined;
    const changed = { ...webhook, ...changes };
    this.#store.update(changed);
    return changed;
  }

  #remember(webhook: Webhook): void {
    this.#entries().set(webhook.id, webhook);
    this.#active = undefined;
  }

  #announce({ ownerId }: Webhook): void {
    if (ownerId !== null) this.#bus.emit('webhooks.changed', { userId: ownerId });
  }

  #entries(): Map<string, Webhook> {
    this.#webhooks ??= new Map(this.#store.load().map((webhook) => [webhook.id, webhook]));
    return this.#webhooks;
  }
}
