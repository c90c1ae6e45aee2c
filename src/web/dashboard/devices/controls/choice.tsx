/** One of a few: buttons in a row, of which one is pressed. Nothing is set by passing over it with the keyboard. */
import type { ReactNode } from 'react';
import classes from './controls.module.css';

export interface Option<T> {
  readonly value: T;
  readonly label: string;
  readonly icon?: ReactNode;
}

interface Props<T> {
  readonly label: string;
  readonly options: readonly Option<T>[];
  readonly value: T | undefined;
  readonly onChange: (value: T) => void;
  readonly isDisabled: boolean;
}

export function Choice<T extends string | number>({ label, options, value, onChange, isDisabled }: Props<T>) {
  return (
    <fieldset disabled={isDisabled}>
      <legend className={classes.legend}>{label}</legend>
      <div className={classes.options}>
        {options.map((option) => (
          <button
            key={option.value}
            type="button"
            className={classes.option}
            aria-pressed={option.value === value}
            onClick={() => option.value !== value && onChange(option.value)}
          >
            {option.icon}
            <span>{option.label}</span>
          </button>
        ))}
      </div>
    </fieldset>
  );
}
