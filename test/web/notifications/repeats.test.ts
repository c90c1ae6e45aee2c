import { expect, it } from 'vitest';
import { groupRepeats, type Repeatable } from '../../../src/web/dashboard/pages/notifications/repeats.ts';

let count = 0;
const one = (changes: Partial<Repeatable> = {}): Repeatable => {
  count += 1;
  const text = { title: 'Door', message: 'Open', link: null, buttons: [] };
  const about = { automationId: 'a', ...text, isRead: true, rateLimited: false };
  return { id: `${count}`, ...about, ...changes };
};

it('repeats in a row are one entry, newest first', () => {
  const all = [one(), one(), one({ message: 'Closed' }), one()];
  expect(groupRepeats(all)).toEqual([[all[0], all[1]], [all[2]], [all[3]]]);
  expect(groupRepeats([])).toEqual([]);
});

it.each<Partial<Repeatable>>([
  { automationId: null },
  { title: null },
  { message: 'Closed' },
  { link: '/accessories/1' },
  { rateLimited: true },
  { isRead: false },
  { buttons: [{ id: 'close', title: 'Close' }] },
])('one that differs is an entry of its own: %j', (changes) => {
  expect(groupRepeats([one(), one(changes)])).toHaveLength(2);
});

it('what a caller can neither read nor leave unread is grouped as well', () => {
  expect(groupRepeats([one({ isRead: null }), one({ isRead: null })])).toHaveLength(1);
});
