import type { Collection as ShownCollection } from '../../app/groups/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import { presentTime } from './time.ts';

export function presentCollection({ id, name, payload, createdAt }: ShownCollection): Collection {
  return { id, name, payload, createdAt: presentTime(createdAt) };
}
