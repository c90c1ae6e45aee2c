/** Days of the week, Monday first; an empty choice is every day. */

import pickerTexts from 'texts:pickers';
import { useMemo } from 'react';
import { useFormat } from '../texts/format.ts';
import { useTexts } from '../texts/texts.ts';
import { ToggleList } from './toggle-list.tsx';

interface WeekdaysInputProps {
  readonly label?: string | undefined;
  readonly error?: string | undefined;
  readonly value: readonly number[];
  readonly onChange: (value: readonly number[]) => void;
  /** The number of Sunday: 1 in native automations, 0 in flows. */
  readonly sunday: 0 | 1;
}

const DAYS_OF_WEEK = 7;
/** A Sunday at noon, so that no time zone shifts it to another day. */
const SOME_SUNDAY_MS = Date.UTC(2023, 0, 1, 12);
const DAY_MS = 86_400_000;

export function weekdayName(dayFromSunday: number, locale: string, style: 'long' | 'short' = 'long'): string {
  const format = new Intl.DateTimeFormat(locale, { weekday: style, timeZone: 'UTC' });
  return format.format(SOME_SUNDAY_MS + dayFromSunday * DAY_MS);
}

export function WeekdaysInput({ label, error, value, onChange, sunday }: WeekdaysInputProps) {
  const t = useTexts(pickerTexts);
  const { locale } = useFormat();
  const options = useMemo(
    () =>
      Array.from({ length: DAYS_OF_WEEK }, (_, index) => {
        const day = (index + 1) % DAYS_OF_WEEK;
        return {
          value: day + sunday,
          label: weekdayName(day, locale, 'short'),
          title: weekdayName(day, locale),
        };
      }),
    [locale, sunday],
  );
  return (
    <ToggleList
      label={label ?? t.weekdays}
      error={error}
      options={options}
      value={value}
      onChange={(days) => onChange([...days].sort((a, b) => a - b))}
      note={value.length % DAYS_OF_WEEK === 0 ? t.everyDay : undefined}
    />
  );
}
