import pickerTexts from 'texts:pickers';
import { TextInput } from '@mantine/core';
import { useTexts } from '../texts/texts.ts';

interface TimeOfDayInputProps {
  readonly label?: string | undefined;
  readonly error?: string | undefined;
  /** `HH:MM` or `HH:MM:SS`; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** In the home's local time; the browser's own field uses the user's time format. */
export function TimeOfDayInput({ label, error, value, onChange }: TimeOfDayInputProps) {
  const t = useTexts(pickerTexts);
  return (
    <TextInput
      type="time"
      label={label ?? t.time}
      error={error}
      // Seconds are shown only if they are set.
      step={/:\d\d:(?!00)/.test(value) ? 1 : undefined}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
