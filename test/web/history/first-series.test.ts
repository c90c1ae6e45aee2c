import { expect, it } from 'vitest';
import { firstSeries } from '../../../src/web/dashboard/pages/history/first-series.ts';

const series = (accessoryId: string, characteristicType: string, sampleCount = 1) => ({
  accessoryId,
  characteristicType,
  sampleCount,
});

it('The history opens with the recorded temperatures of the home, six at most', () => {
  const all = Array.from({ length: 8 }, (_, index) => series(`sensor ${index}`, 'current_temperature'));
  const first = firstSeries([series('lamp', 'power_state'), series('cellar', 'current_temperature', 0), ...all]);
  expect(first.map(({ accessoryId }) => accessoryId)).toEqual([0, 1, 2, 3, 4, 5].map((index) => `sensor ${index}`));
});

it('It opens with something else that is recorded, where there is no temperature', () => {
  expect(firstSeries([series('blind', 'current_position'), series('lamp', 'power_state')])).toEqual([
    { accessoryId: 'lamp', characteristicType: 'power_state' },
  ]);
  expect(firstSeries([series('blind', 'current_position')])).toEqual([
    { accessoryId: 'blind', characteristicType: 'current_position' },
  ]);
  expect(firstSeries([series('lamp', 'power_state', 0)])).toEqual([]);
});
