/** What a dropped tile changes, and when. */
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { dropTile } from '../../../src/web/dashboard/pages/home/arrange/drop-tile.ts';
import { type Arrangement, EMPTY_ARRANGEMENT } from '../../../src/web/dashboard/pages/home/arrangement.ts';
import { sectionsOf } from '../../../src/web/dashboard/pages/home/sections.ts';
import { lamp } from './home-parts.ts';

// Texts ask the browser for its languages as soon as they are loaded.
vi.hoisted(() => vi.stubGlobal('navigator', { languages: ['en-GB'] }));
afterAll(() => {
  vi.unstubAllGlobals();
});

const room = (id: string, isDefault = false) => ({ id, name: id, isDefault, color: null, pictureHash: null });
const INVENTORY = {
  rooms: [room('hall', true), room('kitchen')],
  accessories: [
    lamp('oven', true, { roomId: 'kitchen' }),
    lamp('sink', true, { roomId: 'kitchen' }),
    lamp('desk', true, { roomId: 'hall' }),
  ],
  serviceGroups: [],
};
const compare = (a: string, b: string) => a.localeCompare(b);

let arrangement: Arrangement;
let orders: number;

beforeEach(() => {
  arrangement = EMPTY_ARRANGEMENT;
  orders = 0;
});

/** The desk lamp, before the one at the sink. */
function drop(move: Parameters<typeof dropTile>[2]) {
  return dropTile(
    { id: 'desk', from: 'hall', to: 'kitchen', targetId: 'sink', isAfter: false },
    {
      inventory: INVENTORY as never,
      arrangement,
      change: (next) => {
        orders += 1;
        arrangement = next(arrangement);
      },
      compare,
      nameOf: ({ name }) => name,
    },
    move,
  );
}

it('a tile that is dropped in another room gets its place there once it has moved', async () => {
  const before: number[] = [];
  await drop(async () => {
    before.push(orders);
    return true;
  });
  expect(before).toEqual([0]);
  const accessories = INVENTORY.accessories.map((one) => (one.id === 'desk' ? { ...one, roomId: 'kitchen' } : one));
  const sections = sectionsOf({ ...INVENTORY, accessories } as never, arrangement, compare);
  expect(sections.find(({ room: { id } }) => id === 'kitchen')?.things.map(({ id }) => id)).toEqual([
    'oven',
    'desk',
    'sink',
  ]);
});

it('a tile that the relay does not move changes no order', async () => {
  await drop(async () => false);
  expect([orders, arrangement]).toEqual([0, EMPTY_ARRANGEMENT]);
});
