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
  #webhooks: Map<string, Webhook> | undefined;
  #active: readonly Webhook[] | undefined;

  constructor({ store, bus }: { store: WebhookStore; bus: EventBus<HomeEvents> }) {
    this.#store = store;
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
    const entries = this.#entries();
    this.#store.insert(webhook);
    entries.set(webhook.id, webhook);
    this.#active = undefined;
  }

  /** @returns the webhook as it is now; nothing if it is gone. */
  update(id: string, changes: Partial<Omit<Webhook, 'id' | 'ownerId' | 'createdAt'>>): Webhook | undefined {
    const webhook = this.find(id);
    if (!webhook) return undefined;
    const changed = { ...webhook, ...changes };
    this.#store.update(changed);
    this.#entries().set(changed.id, changed);
    this.#active = undefined;
    return changed;
  }

  /** How its deliveries fare. Of one that is gone nothing is kept. */
  record(id: string, progress: Partial<WebhookProgress>): void {
    this.update(id, progress);
  }

  delete(id: string): void {
    this.#store.delete(id);
    this.#entries().delete(id);
    this.#active = undefined;
  }

  /** Secrets that sign no more are not kept either. */
  forgetOldSecrets(now: number): void {
    for (const { id, previousSecretUntil } of this.all()) {
      if (previousSecretUntil !== null && previousSecretUntil <= now) {
        this.update(id, { previousSecret: null, previousSecretUntil: null });
      }
    }
  }

  /** Forgets what is in memory, for whoever has changed the table itself, or had a change of it taken back. */
  refresh(): void {
    this.#webhooks = undefined;
    this.#active = undefined;
  }

  #entries(): Map<string, Webhook> {
    this.#webhooks ??= new Map(this.#store.load().map((webhook) => [webhook.id, webhook]));
    return this.#webhooks;
  }
}
