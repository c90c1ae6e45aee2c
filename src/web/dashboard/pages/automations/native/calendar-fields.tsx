/** A calendar date: a time of day, on every day or on one day of a month or a year. Other parts stay unchanged. */
import nativeTexts from 'texts:native-automations';
import { NativeSelect, NumberInput, SimpleGrid } from '@mantine/core';
import { TimeOfDayInput } from '../../../pickers/time-of-day-input.tsx';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { clockParts, clockText, type DateParts } from './native-draft.ts';

type Repeats = 'daily' | 'monthly' | 'yearly';

const MAX_DAYS_IN_MONTH = 31;
const MONTHS = 12;
/** The middle of a month, so that no time zone shifts it to another month. */
const MID_MONTH = 15;

interface CalendarFieldsProps {
  readonly parts: DateParts;
  readonly onChange: (parts: DateParts) => void;
}

export function CalendarFields({ parts, onChange }: CalendarFieldsProps) {
  const t = useTexts(nativeTexts);
  const { locale } = useFormat();
  const repeats: Repeats = parts.month !== undefined ? 'yearly' : parts.day !== undefined ? 'monthly' : 'daily';
  const { day = 1, month = 1 } = parts;
  const repeat = (next: Repeats) => {
    const { day: _, month: __, ...rest } = parts;
    const dates = { daily: {}, monthly: { day }, yearly: { day, month } } as const;
    onChange({ ...rest, ...dates[next] });
  };
  const monthName = new Intl.DateTimeFormat(locale, { month: 'long' });
  return (
    <SimpleGrid minColWidth="min(100%, 180px)" autoFlow="auto-fit" spacing={12} style={{ alignItems: 'start' }}>
      <TimeOfDayInput
        value={parts.hour === undefined ? '' : clockText(parts)}
        onChange={(text) => {
          const { hour: _, minute: __, second: ___, ...rest } = parts;
          onChange({ ...rest, ...clockParts(text) });
        }}
      />
      <NativeSelect
        label={t.repeats}
        value={repeats}
        onChange={({ currentTarget }) => repeat(currentTarget.value as Repeats)}
        data={(['daily', 'monthly', 'yearly'] as const).map((one) => ({ value: one, label: t[one] }))}
      />
      {repeats !== 'daily' && (
        <NumberInput
          label={t.dayOfMonth}
          value={day}
          min={1}
          max={MAX_DAYS_IN_MONTH}
          allowDecimal={false}
          onChange={(next) => typeof next === 'number' && onChange({ ...parts, day: next })}
        />
      )}
      {repeats === 'yearly' && (
        <NativeSelect
          label={t.month}
          value={String(month)}
          onChange={({ currentTarget }) => onChange({ ...parts, month: Number(currentTarget.value) })}
          data={Array.from({ length: MONTHS }, (_, index) => ({
            value: String(index + 1),
            label: monthName.format(new Date(Date.UTC(2024, index, MID_MONTH))),
          }))}
        />
      )}
    </SimpleGrid>
  );
}
