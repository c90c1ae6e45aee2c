/**
 * Which events a webhook gets. Evaluated for each event with the current roles of its owner, rooms of accessories and
 * contents of collections.
 *
 * Evaluated only when an event occurs: what is queued occurred while its owner managed the home, and is delivered even
 * if they no longer do. Deleting an account deletes its webhooks and their queues.
 */
import type { CollectionItem } from '../../contract/collections.ts';
import { EVERY_EVENT } from '../../contract/webhooks.ts';
import type { EventReport } from '../../home/event-reports.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Access } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { CollectionStore } from '../groups/collection-store.ts';
import type { Webhook } from './webhook.ts';

type Report = Pick<EventReport, 'type' | 'homeId' | 'roomId' | 'accessoryId'>;

interface Deps {
  readonly state: Pick<HomeState, 'serviceGroups'>;
  readonly access: Access;
  readonly collections: Pick<CollectionStore, 'find'>;
}

export class WebhookScope {
  readonly #deps: Deps;
  /** Cached by list: lists stay the same objects while a webhook's counters change. */
  readonly #sets = new WeakMap<readonly string[], ReadonlySet<string>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Whether the webhook gets an event: its types include it, its owner manages the home (any home, for events without
   * one), and each of its non-empty lists contains the event's subject. An event without a room matches no room.
   */
  concerns(webhook: Webhook, report: Report): boolean {
    return (
      this.#includesType(webhook.eventTypes, report.type) &&
      this.#lets(webhook.homeIds, report.homeId) &&
      this.#lets(webhook.roomIds, report.roomId) &&
      this.#lets(webhook.accessoryIds, report.accessoryId) &&
      this.#reaches(webhook, report.homeId) &&
      this.#isCollected(webhook.collectionIds, report)
    );
  }

  #includesType(eventTypes: readonly string[], type: string): boolean {
    const wanted = this.#setOf(eventTypes);
    return wanted.has(EVERY_EVENT) || wanted.has(type);
  }

  #lets(ids: readonly string[], id: string | null): boolean {
    return ids.length === 0 || (id !== null && this.#setOf(ids).has(id));
  }

  #reaches({ ownerId }: Webhook, homeId: string | null): boolean {
    const owner = callerFor(ownerId);
    return homeId === null ? this.#deps.access.mayManageAny(owner) : this.#deps.access.mayIn(owner, 'manage', homeId);
  }

  /** Whether any of the collections contains it. Checked last: it is the only check that reads the database. */
  #isCollected(collectionIds: readonly string[], { accessoryId }: Report): boolean {
    if (collectionIds.length === 0) return true;
    if (accessoryId === null) return false;
    return collectionIds.some((id) =>
      this.#deps.collections.find(id)?.payload.items.some((item) => this.#holds(item, accessoryId)),
    );
  }

  /** Whether an item contains the accessory; a group in a collection stands for its members. */
  #holds(item: CollectionItem, accessoryId: string): boolean {
    if ('accessory_id' in item) return item.accessory_id === accessoryId;
    const group = this.#deps.state.serviceGroups.find(item.service_group_id);
    return group?.members.some((member) => member.accessoryId === accessoryId) ?? false;
  }

  #setOf(list: readonly string[]): ReadonlySet<string> {
    let set = this.#sets.get(list);
    if (!set) {
      set = new Set(list);
      this.#sets.set(list, set);
    }
    return set;
  }
}

/** The owner as a caller, with current rights, without a session. */
function callerFor(ownerId: string | null): Caller {
  const principal =
    ownerId === null ? ({ kind: 'system' } as const) : ({ kind: 'user', userId: ownerId, sessionId: '' } as const);
  return { principal, requestId: 'webhook', depth: 0 };
}
