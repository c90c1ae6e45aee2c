/**
 * Reads any number of characteristics within the device's limits. An error for a whole request does not identify the
 * characteristic: one bad child can fail the request for a whole bridge. So the batch is split until the cause is
 * alone.
 */
import { type Clock, sleep } from '../../../kernel/clock.ts';
import type { Json } from '../../../kernel/json.ts';
import type { CharacteristicRequests } from '../wire/characteristic-requests.ts';
import { batchReads, type Element, keyOf, STATUS } from '../wire/characteristics-codec.ts';
import type { CharacteristicIndex, Tracked } from './characteristic-index.ts';

export interface CharacteristicReading {
  readonly tracked: Tracked;
  /** Absent if the device sent no value. */
  readonly value?: Json;
  readonly status: number;
}

export interface ReadJob {
  readonly requests: CharacteristicRequests;
  readonly index: CharacteristicIndex;
  readonly clock: Clock;
  readonly urgent?: boolean;
  /** @param askedAt the index's sequence number when the read was sent */
  readonly onResults: (results: readonly CharacteristicReading[], askedAt: number) => void;
}

const BUSY_TRIES = 3;
const BUSY_PAUSE_MS = 500;

/** Resolves when every characteristic has been read or has failed. @throws ConnectionError */
export async function readValues(ids: readonly Tracked[], job: ReadJob): Promise<void> {
  for (const batch of batchReads(ids, job.requests.limits.current)) await readBatch(batch, job);
}

async function readBatch(batch: readonly Tracked[], job: ReadJob, mayAskAgain = true): Promise<void> {
  const askedAt = job.index.sequence;
  const answer = await askUnlessBusy(batch, job);
  if ('status' in answer) {
    await readRefused(batch, answer.status, askedAt, job);
    return;
  }
  const elements = new Map(answer.map((element) => [keyOf(element), element]));
  const [answered, missing] = partition(batch, ({ key }) => elements.has(key));
  job.onResults(
    answered.map((tracked) => resultOf(tracked, elements.get(tracked.key))),
    askedAt,
  );
  // A device that answers part of a long list may answer the rest of it alone.
  if (missing.length > 0 && answered.length > 0 && mayAskAgain) await readBatch(missing, job, false);
  else if (missing.length > 0)
    job.onResults(
      missing.map((tracked) => resultOf(tracked, undefined)),
      askedAt,
    );
}

async function askUnlessBusy(batch: readonly Tracked[], job: ReadJob) {
  for (let tries = 1; ; tries += 1) {
    const answer = await job.requests.read(batch, { urgent: job.urgent ?? false });
    if (!('status' in answer) || answer.status !== STATUS.busy || tries === BUSY_TRIES) return answer;
    await sleep(job.clock, BUSY_PAUSE_MS);
  }
}

async function readRefused(batch: readonly Tracked[], status: number, askedAt: number, job: ReadJob): Promise<void> {
  const parts = status === STATUS.busy ? [batch] : cutUp(batch);
  if (parts.length === 1) {
    job.onResults(
      batch.map((tracked) => ({ tracked, status: status === STATUS.ok ? STATUS.unexplained : status })),
      askedAt,
    );
    return;
  }
  for (const part of parts) await readBatch(part, job);
}

/** Splits by accessory; a batch of one accessory in halves. */
export function cutUp<T extends { readonly aid: string }>(batch: readonly T[]): readonly (readonly T[])[] {
  const aids = new Set(batch.map(({ aid }) => aid));
  if (aids.size > 1) return [...aids].map((aid) => batch.filter((item) => item.aid === aid));
  const half = Math.ceil(batch.length / 2);
  return batch.length > 1 ? [batch.slice(0, half), batch.slice(half)] : [batch];
}

function resultOf(tracked: Tracked, element: Element | undefined): CharacteristicReading {
  if (!element) return { tracked, status: STATUS.unexplained };
  const { status, value } = element;
  return value === undefined ? { tracked, status } : { tracked, status, value };
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [readonly T[], readonly T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
