/** How often the home is read while very many accessories are made: counted, not timed. */
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it } from 'vitest';
import { queryClient, refreshByEvent } from '../../../src/web/dashboard/api/query.ts';
import { RefreshQueue } from '../../../src/web/dashboard/api/refresh-queue.ts';

afterEach(() => queryClient.clear());

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
const event = (type: string) => ({ id: '1', type, timestamp: '', data: {} });

/** A home that is on the screen, read when the test asks for it. */
function watchHome() {
  const reads: { readonly signal: AbortSignal; readonly answer: (home: string) => void }[] = [];
  const observer = new QueryObserver(queryClient, {
    queryKey: ['home'],
    queryFn: ({ signal }) => new Promise<string>((answer) => void reads.push({ signal, answer })),
    meta: { subjects: ['inventory'] },
  });
  const shown: (string | undefined)[] = [];
  const stop = observer.subscribe(({ data }) => shown.push(data));
  return { reads, shown, stop };
}

it('the first read of a home ends while accessories are still being made, and 480 events cause two more reads', async () => {
  const { reads, shown, stop } = watchHome();
  for (let made = 0; made < 240; made += 1) {
    refreshByEvent(event('accessory.added'));
    refreshByEvent(event('layout.changed'));
    await turn();
  }
  expect(reads).toHaveLength(1);
  expect(reads[0]?.signal.aborted).toBe(false);
  reads[0]?.answer('first');
  await expect.poll(() => shown.at(-1)).toBe('first');
  await expect.poll(() => reads.length).toBe(2);
  reads[1]?.answer('second');
  await expect.poll(() => reads.length).toBe(3);
  reads[2]?.answer('third');
  await expect.poll(() => shown.at(-1)).toBe('third');
  await turn();
  expect(reads).toHaveLength(3);
  expect(reads.some(({ signal }) => signal.aborted)).toBe(false);
  stop();
});

it('an event is followed by a read that begins after it, also while another one is under way', async () => {
  const { reads, stop } = watchHome();
  await turn();
  expect(reads).toHaveLength(1);
  refreshByEvent(event('accessory.added'));
  reads[0]?.answer('before');
  await expect.poll(() => reads.length).toBe(2);
  reads[1]?.answer('after');
  await expect.poll(() => queryClient.getQueryData(['home'])).toBe('after');
  stop();
});

it('events about other things than the one that is read are not lost', async () => {
  const read: string[][] = [];
  let finish = (): void => {};
  const queue = new RefreshQueue<string>(
    (subjects) => {
      read.push([...subjects]);
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    },
    async () => undefined,
  );
  queue.add(['inventory']);
  queue.add(['people', 'inventory']);
  queue.add(['tokens']);
  finish();
  await expect.poll(() => read.length).toBe(2);
  finish();
  queue.add([]);
  await turn();
  expect(read).toEqual([['inventory'], ['people', 'inventory', 'tokens']]);
});
