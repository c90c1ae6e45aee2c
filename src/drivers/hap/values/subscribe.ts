/**
 * Subscribes to events (HAP specification §6.8). Subscriptions end with the connection, so this runs completely after
 * every connect. One characteristic that refuses does not affect the others.
 */

import type { CharacteristicRequests } from '../wire/characteristic-requests.ts';
import { batchWrites, keyOf, STATUS, type WriteElement } from '../wire/characteristics-codec.ts';
import type { Tracked } from './characteristic-index.ts';
import { cutUp } from './read-values.ts';

type Subscription = WriteElement & { readonly tracked: Tracked };

/** @returns those whose subscription the device refused. @throws ConnectionError */
export async function subscribe(
  ids: readonly Tracked[],
  requests: CharacteristicRequests,
): Promise<readonly Tracked[]> {
  const elements = ids.map((tracked): Subscription => {
    return { aid: tracked.aid, iid: tracked.iid, members: '"ev":true', tracked };
  });
  const refused: Tracked[] = [];
  for (const batch of batchWrites(elements, requests.limits.current)) {
    refused.push(...(await subscribeBatch(batch, requests)));
  }
  return refused;
}

async function subscribeBatch(
  batch: readonly Subscription[],
  requests: CharacteristicRequests,
): Promise<readonly Tracked[]> {
  const answer = await requests.write(batch);
  if (!('status' in answer)) {
    const refused = new Set(answer.filter(({ status }) => status !== STATUS.ok).map(keyOf));
    return batch.filter((element) => refused.has(keyOf(element))).map(({ tracked }) => tracked);
  }
  if (answer.status === STATUS.ok) return [];
  const parts = cutUp(batch);
  if (parts.length === 1) return batch.map(({ tracked }) => tracked);
  const refusals: (readonly Tracked[])[] = [];
  for (const part of parts) refusals.push(await subscribeBatch(part, requests));
  // If a single accessory is refused too, it may be the only cause.
  const isAboutAccessories = new Set(batch.map(({ aid }) => aid)).size > 1;
  const eachAccepts = refusals.every((refused, at) => refused.length < (parts[at]?.length ?? 0));
  if (isAboutAccessories && eachAccepts) requests.limits.requireOneAccessory();
  return refusals.flat();
}
