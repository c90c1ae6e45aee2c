/** Several of a few options: toggle buttons. */

import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './pickers.module.css';

interface ToggleListProps<T> {
  readonly label: string;
  readonly options: readonly { readonly value: T; readonly label: string; readonly title?: string }[];
  readonly value: readonly T[];
  readonly onChange: (value: readonly T[]) => void;
  readonly note?: ReactNode;
  readonly error?: string | undefined;
}

export function ToggleList<T extends string | number>({
  label,
  options,
  value,
  onChange,
  note,
  error,
}: ToggleListProps<T>) {
  const toggle = (one: T) => onChange(value.includes(one) ? value.filter((each) => each !== one) : [...value, one]);
  return (
    <fieldset>
      <legend className={classes.legend}>{label}</legend>
      <Group gap={8} align="stretch">
        {options.map((option) => (
          <button
            key={option.value}
            type="button"
            className={classes.toggle}
            aria-pressed={value.includes(option.value)}
            aria-label={option.title}
            onClick={() => toggle(option.value)}
          >
            {option.label}
          </button>
        ))}
      </Group>
      {note && (
        <Text c="dimmed" mt={8}>
          {note}
        </Text>
      )}
      {error && (
        <Text c="var(--h-bad-ink)" fz="0.8125rem" mt={4} role="alert">
          {error}
        </Text>
      )}
    </fieldset>
  );
}
