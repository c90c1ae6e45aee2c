import { TextInput } from '@mantine/core';
import { useTexts } from '../../../texts/texts.ts';
import { pickerTexts } from './texts/texts.ts';

interface TimeOfDayInputProps {
  readonly label?: string | undefined;
  readonly error?: string | undefined;
  /** `HH:MM`; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** By the clock of the house; the browser's own field, which knows how the person writes times. */
export function TimeOfDayInput({ label, error, value, onChange }: TimeOfDayInputProps) {
  const t = useTexts(pickerTexts);
  return (
    <TextInput
      type="time"
      label={label ?? t.time}
      error={error}
      value={value.slice(0, 5)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
