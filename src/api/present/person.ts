import type { Person as KnownPerson } from '../../app/presence/person.ts';
import type { Person } from '../../contract/people.ts';
import { presentTime } from './time.ts';

export function presentPerson({ id, name, homeId, userId, atHome, changedAt, fix }: KnownPerson): Person {
  return {
    id,
    name,
    homeId,
    userId,
    atHome,
    changedAt: presentTime(changedAt),
    latitude: fix?.latitude ?? null,
    longitude: fix?.longitude ?? null,
    accuracy: fix?.accuracyM ?? null,
    locatedAt: presentTime(fix?.at ?? null),
  };
}
