import { expect, it } from 'vitest';
import { placeMarks } from '../../../src/web/dashboard/pages/history/plot-marks.ts';

const bounds = { from: 0, to: 100 };

it('marks moments within the bounds, in their order', () => {
  const marks = [-1, 0, 50, 100, 101].map((at) => ({ at, label: null }));
  expect(placeMarks(marks, bounds).map(({ share }) => share)).toEqual([0, 0.5, 1]);
});

it('labels what has room, the newest first; the lines of the others stand out too', () => {
  const marks = [
    { at: 10, label: '1.0.0' },
    { at: 60, label: '1.1.0' },
    { at: 70, label: null },
    { at: 90, label: '1.1.1' },
  ];
  expect(placeMarks(marks, bounds)).toEqual([
    { share: 0.1, isStrong: true, label: '1.0.0', isLate: false },
    { share: 0.6, isStrong: true, label: undefined, isLate: false },
    { share: 0.7, isStrong: false, label: undefined, isLate: false },
    { share: 0.9, isStrong: true, label: '1.1.1', isLate: true },
  ]);
});
