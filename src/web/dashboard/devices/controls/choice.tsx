/** One of a few options: a row of buttons, one of them pressed. Moving the keyboard focus over it sets nothing. */
import type { ReactNode } from 'react';
import classes from './controls.module.css';

export interface ChoiceOption<T> {
  readonly value: T;
  readonly label: string;
  readonly icon?: ReactNode;
}

interface Props<T> {
  readonly label: string;
  readonly options: readonly ChoiceOption<T>[];
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
