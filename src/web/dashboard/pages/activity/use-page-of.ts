/** Where an entry leads: to the page of what it is about, and of the automation or person who did it. */
import { present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { homeStore } from '../../home/home-store.ts';
import { useHome } from '../../home/use-home.ts';
import { PAGE_OF } from '../addresses.ts';
import { useNamedAutomations } from '../automations/list/use-named-automations.ts';
import { LISTED_NOTIFICATIONS, NotificationIds } from '../notifications/documents.ts';
import { useKnownPersons } from '../people/use-people.ts';
import type { ActivityItem } from './documents.ts';

/** A subject or an actor of an entry. */
interface Named {
  /** Of its kind; actors that are one of their kind have none. */
  readonly id: string | null;
}

/**
 * Reads what exists of the kinds that the entries name.
 * @returns the page of one of a kind; `undefined`: it exists no more, or has no page
 */
export function usePageOf(entries: readonly ActivityItem[]): (kind: string, named: Named) => string | undefined {
  const { scenes } = useHome();
  const kinds = new Set(entries.flatMap(({ subject, actor }) => [subject.type, actor.kind]));
  const automations = new Map(useNamedAutomations(kinds.has('automation')).map(({ id, href }) => [id, href]));
  const persons = new Set(useKnownPersons(kinds.has('person')).map(({ id }) => id));
  const { data } = useApiQuery(
    NotificationIds,
    { limit: LISTED_NOTIFICATIONS },
    { subjects: ['notifications'], enabled: kinds.has('notification') },
  );
  const notifications = new Set(present(data?.notificationHistory).map(({ id }) => id));
  return (kind, { id }) => {
    if (id === null) return undefined;
    switch (kind) {
      case 'accessory':
        return homeStore.accessory(id) && PAGE_OF.accessory(id);
      case 'scene':
        return scenes.some((scene) => scene.id === id) ? PAGE_OF.scene(id) : undefined;
      case 'automation':
        return automations.get(id);
      case 'person':
        return persons.has(id) ? PAGE_OF.person() : undefined;
      case 'notification':
        return notifications.has(id) ? PAGE_OF.notification(id) : undefined;
      default:
        return undefined;
    }
  };
}
