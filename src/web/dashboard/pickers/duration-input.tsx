/** A duration: a number and its unit. */

import pickerTexts from 'texts:pickers';
import { Input, NativeSelect, NumberInput } from '@mantine/core';
import { useId, useState } from 'react';
import { useTexts } from '../texts/texts.ts';
import classes from './pickers.module.css';

interface DurationInputProps {
  readonly label?: string | undefined;
  readonly error?: string | undefined;
  readonly valueMs: number;
  readonly onChange: (ms: number) => void;
  readonly maxMs?: number;
}

const UNITS_MS = { seconds: 1_000, minutes: 60_000, hours: 3_600_000 } as const;
type Unit = keyof typeof UNITS_MS;
const UNITS = Object.keys(UNITS_MS) as Unit[];

/** The largest unit of which it is a whole number. */
export function unitOf(ms: number): Unit {
  return UNITS.findLast((unit) => ms >= UNITS_MS[unit] && ms % UNITS_MS[unit] === 0) ?? 'seconds';
}

export function DurationInput({ label, error, valueMs, onChange, maxMs }: DurationInputProps) {
  const t = useTexts(pickerTexts);
  const id = useId();
  const [unit, setUnit] = useState<Unit>(() => unitOf(valueMs));
  return (
    <Input.Wrapper id={id} label={label ?? t.duration} error={error}>
      <div className={classes.amount}>
        <NumberInput
          id={id}
          error={error !== undefined}
          value={valueMs / UNITS_MS[unit]}
          min={0}
          {...(maxMs !== undefined && { max: maxMs / UNITS_MS[unit] })}
          onChange={(count) => typeof count === 'number' && onChange(Math.round(count * UNITS_MS[unit]))}
        />
        <NativeSelect
          aria-label={t.unit}
          value={unit}
          onChange={({ currentTarget }) => {
            const next = UNITS.find((one) => one === currentTarget.value) ?? unit;
            setUnit(next);
            onChange(Math.round((valueMs / UNITS_MS[unit]) * UNITS_MS[next]));
          }}
          data={UNITS.map((one) => ({ value: one, label: t[one] }))}
        />
      </div>
    </Input.Wrapper>
  );
}
