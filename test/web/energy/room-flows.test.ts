/** The picture of where energy went: bands that add up, in the order of their size. */
import { describe, expect, it } from 'vitest';
import { roomFlows, targetHeight } from '../../../src/web/dashboard/pages/energy/room-flows.ts';

const roomOf = (accessoryId: string) => (accessoryId === 'gone' ? undefined : accessoryId.split('-')[0]);
const used = (accessoryId: string, kwh: number) => ({ accessoryId, kwh });

describe('the energy by room', () => {
  it('adds up the devices of a room, the largest first, without gaps at the whole and with gaps at the rooms', () => {
    const flows = roomFlows(
      [used('hall-1', 1), used('kitchen-1', 2), used('kitchen-2', 1), used('attic-1', 0)],
      roomOf,
    );
    expect(flows).toEqual([
      { roomId: 'kitchen', kwh: 3, share: 0.75, source: 0, target: 0 },
      { roomId: 'hall', kwh: 1, share: 0.25, source: 75, target: 80 },
    ]);
    expect(flows.map((flow) => targetHeight(flow, 2))).toEqual([60, 20]);
  });

  it('shows small rooms and devices that are gone as one, last, and everything as one band if there is one', () => {
    const many = Array.from({ length: 9 }, (_, index) => used(`room${index}-1`, 9 - index));
    const flows = roomFlows([...many, used('gone', 5)], roomOf);
    expect(flows).toHaveLength(6);
    expect(flows.at(-1)).toMatchObject({ roomId: null, kwh: 4 + 3 + 2 + 1 + 5 });
    expect(flows.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    const [only, ...others] = roomFlows([used('hall-1', 2)], roomOf);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ share: 1, source: 0, target: 0 });
    expect(only && targetHeight(only, 1)).toBe(100);
    expect(roomFlows([used('hall-1', 0)], roomOf)).toEqual([]);
  });
});
