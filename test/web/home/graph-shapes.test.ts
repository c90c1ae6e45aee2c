/** The graph of a large tile: a line within its box, and bands that are as long as their states. */
import { describe, expect, it } from 'vitest';
import { bandRects, linePoints } from '../../../src/web/dashboard/pages/home/graph-shapes.ts';

const BOUNDS = { from: 0, to: 100_000 };

describe('the line of a large tile', () => {
  it('goes from the least value at the bottom to the greatest at the top', () => {
    const columns = { times: [0, 50, 100], values: [[10, undefined, 20]] };
    expect(linePoints(columns, BOUNDS)).toBe('0,96 100,4');
  });

  it('is in the middle if nothing changed, and nothing without values', () => {
    expect(linePoints({ times: [0, 100], values: [[7, 7]] }, BOUNDS)).toBe('0,50 100,50');
    expect(linePoints({ times: [], values: [] }, BOUNDS)).toBe('');
  });
});

it('the bands of a large tile are as long as their states, idle ones apart', () => {
  const band = (from: number, to: number, word: string) => ({ from, to, value: word, word, transitions: 0 });
  expect(bandRects([band(25_000, 50_000, 'off'), band(50_000, 100_000, 'on')], BOUNDS)).toEqual([
    { x: 25, width: 25, isResting: true },
    { x: 50, width: 50, isResting: false },
  ]);
});
