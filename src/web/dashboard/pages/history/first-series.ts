import { MAX_SERIES } from '../../../../home/vocabulary/limits.ts';
import type { SeriesInfo } from './documents.ts';
import type { SeriesRef } from './window.ts';

/** What the page opens with, most useful first: the first of these that is recorded. */
const OPENS_WITH = ['current_temperature', 'relative_humidity', 'contact_state', 'power_state'];

/** The recorded series of one kind, across the home. Only one kind: they share an axis. */
export function firstSeries(
  all: readonly Pick<SeriesInfo, 'accessoryId' | 'characteristicType' | 'sampleCount'>[],
): readonly SeriesRef[] {
  const recorded = all.filter(({ sampleCount }) => sampleCount > 0);
  const types = [...OPENS_WITH, ...recorded.map(({ characteristicType }) => characteristicType)];
  const type = types.find((one) => recorded.some(({ characteristicType }) => characteristicType === one));
  return recorded
    .filter(({ characteristicType }) => characteristicType === type)
    .slice(0, MAX_SERIES)
    .map(({ accessoryId, characteristicType }) => ({ accessoryId, characteristicType }));
}
