import { expect, it } from 'vitest';
import {
  isPointedBy,
  leaveGraph,
  onPointed,
  pointAt,
  pointedTime,
} from '../../../src/web/dashboard/pages/history/shared-cursor.ts';

it('the cursor that all graphs share is announced once for each move, until its graph is left', () => {
  const seen: (number | null)[] = [];
  const unsubscribe = onPointed(() => seen.push(pointedTime()));
  pointAt(1000.4, 'plot');
  pointAt(1000, 'plot');
  pointAt(2000, 'band');
  expect([isPointedBy('plot'), isPointedBy('band')]).toEqual([false, true]);
  // A plot that loses the focus to a band leaves the cursor there.
  leaveGraph('plot');
  expect(pointedTime()).toBe(2000);
  leaveGraph('band');
  unsubscribe();
  pointAt(3000, 'plot');
  leaveGraph('plot');
  expect(seen).toEqual([1000, 2000, null]);
});
