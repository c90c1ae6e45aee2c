import type { HomeEvents } from '../../home/events.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import type { Webhook, WebhookProgress } from './webhook.ts';
import type { WebhookStore } from './webhook-store.ts';

/**
 * All webhooks, in memory over their table: the operations change them, the deliveries read them and write down how they fare.
 * Every change is stored before memory has it. Authorizes nobody.
 */
export class WebhookRegistry {
  readonly #store: WebhookStore;
  readonly #bus: EventBus<HomeEvents>;
  #webhooks: Map<string, Webhook> | undefined;
  #active: readonly Webhook[] | undefined;

  constructor({ store, bus }: { store: WebhookStore; bus: EventBus<HomeEvents> }) {
    this.#store = store;
    this.#bus = bus;
    // The schema deleted those of the account with it.
    bus.on('user.removed', () => this.refresh());
  }

  /** Oldest first. */
  all(): readonly Webhook[] {
    return [...this.#entries().values()];
  }

  /** Those that hear of events. The same list until something changes. */
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

  /** @returns the webhook as it is now; nothing if it is gone. */
  update(id: string, changes: Partial<Omit<Webhook, 'id' | 'ownerId' | 'createdAt'>>): Webhook | undefined {
    const changed = this.#write(id, changes);
    if (changed) {
      this.#remember(changed);
      this.#announce(changed);
    }
    return changed;
  }

  /**
   * Writes down how its deliveries fare; of one that is gone, nothing.
   * @returns what makes memory follow, to be called when the transaction is through.
   */
  record(id: string, progress: Partial<WebhookProgress>): () => void {
    const before = this.find(id)?.status;
    const changed = this.#write(id, progress);
    return () => {
      if (!changed) return;
      this.#remember(changed);
      // Every delivery is progress; only what it means for the webhook is news.
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

  /** Secrets that sign no more are not kept either. */
  forgetOldSecrets(now: number): void {
    for (const { id, previousSecretUntil } of this.all()) {
      if (previousSecretUntil !== null && previousSecretUntil <= now) {
        this.update(id, { previousSecret: null, previousSecretUntil: null });
      }
    }
  }

  /** Forgets what is in memory, for whoever has changed the table itself. */
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
