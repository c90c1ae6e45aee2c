/** The length of a period, one of a few. On phones it has the whole width. */
import { SegmentedControl } from '@mantine/core';
import classes from './period-control.module.css';

interface PeriodControlProps<T extends string> {
  readonly label: string;
  /** `''`: none of them. */
  readonly value: T | '';
  readonly periods: readonly T[];
  readonly texts: Readonly<Record<T, string>>;
  readonly onChange: (period: T) => void;
}

export function PeriodControl<T extends string>({ label, value, periods, texts, onChange }: PeriodControlProps<T>) {
  return (
    <SegmentedControl<T | ''>
      aria-label={label}
      classNames={{ root: classes.periods ?? '', label: classes.period ?? '' }}
      value={value}
      onChange={(period) => period !== '' && onChange(period)}
      data={periods.map((period) => ({ value: period, label: texts[period] }))}
    />
  );
}
