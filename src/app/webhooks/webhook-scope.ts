/**
 * Which events a webhook hears of. Asked anew for each event: of the roles that its owner has now, of the rooms in which accessories
 * are now, of what is in a collection now.
 *
 * It is asked when something happens, and not again: what waits in the queue happened while its owner managed the home, and is
 * delivered whatever they manage by then. With an account its webhooks go, and all that waits for them.
 */
import type { EventReport } from '../../home/event-reports.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Access } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { CollectionItem } from '../groups/collection-payload.ts';
import type { CollectionStore } from '../groups/collection-store.ts';
import { EVERY_EVENT, type Webhook } from './webhook.ts';

type Report = Pick<EventReport, 'type' | 'homeId' | 'roomId' | 'accessoryId'>;

interface Parts {
  readonly state: Pick<HomeState, 'serviceGroups'>;
  readonly access: Access;
  readonly collections: Pick<CollectionStore, 'find'>;
}

export class WebhookScope {
  readonly #parts: Parts;
  /** Lists stay the same objects while a webhook's counters change. */
  readonly #sets = new WeakMap<readonly string[], ReadonlySet<string>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Whether the webhook is to be told of an event: its types have it, its owner manages the home (any home, for what belongs to none),
   * and each of its lists that is not empty has what the event is about. An event that says of no room is in none.
   */
  concerns(webhook: Webhook, report: Report): boolean {
    return (
      this.#hears(webhook.eventTypes, report.type) &&
      this.#lets(webhook.homeIds, report.homeId) &&
      this.#lets(webhook.roomIds, report.roomId) &&
      this.#lets(webhook.accessoryIds, report.accessoryId) &&
      this.#reaches(webhook, report.homeId) &&
      this.#isCollected(webhook.collectionIds, report)
    );
  }

  #hears(eventTypes: readonly string[], type: string): boolean {
    const wanted = this.#setOf(eventTypes);
    return wanted.has(EVERY_EVENT) || wanted.has(type);
  }

  #lets(ids: readonly string[], id: string | null): boolean {
    return ids.length === 0 || (id !== null && this.#setOf(ids).has(id));
  }

  #reaches({ ownerId }: Webhook, homeId: string | null): boolean {
    const owner = callerFor(ownerId);
    return homeId === null ? this.#parts.access.mayManageAny(owner) : this.#parts.access.mayIn(owner, 'manage', homeId);
  }

  /** In any of the collections. Last of all: it is the only one that asks the database. */
  #isCollected(collectionIds: readonly string[], { homeId, accessoryId }: Report): boolean {
    if (collectionIds.length === 0) return true;
    if (homeId === null || accessoryId === null) return false;
    return collectionIds.some((id) =>
      this.#parts.collections
        .find(id)
        ?.payload.items.some((item) => item.home_id === homeId && this.#holds(item, accessoryId)),
    );
  }

  /** A group in a collection stands for its members. */
  #holds(item: CollectionItem, accessoryId: string): boolean {
    if ('accessory_id' in item) return item.accessory_id === accessoryId;
    const group = this.#parts.state.serviceGroups.find(item.service_group_id);
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

/** Whoever it belongs to, as they are now, without a session. */
function callerFor(ownerId: string | null): Caller {
  const principal =
    ownerId === null ? ({ kind: 'system' } as const) : ({ kind: 'user', userId: ownerId, sessionId: '' } as const);
  return { principal, requestId: 'webhook', depth: 0 };
}
