/** A number to type, and a slider below it where the range is small enough to aim. */
import pickersTexts from 'texts:pickers';
import { Box, NumberInput, type NumberInputProps, Slider } from '@mantine/core';
import { X } from 'lucide-react';
import { useTexts } from '../texts/texts.ts';
import classes from './pickers.module.css';

/** A slider over more would skip values. */
const MAX_SLIDABLE = 100;

interface NumberSliderProps
  extends Pick<NumberInputProps, 'description' | 'error' | 'inputWrapperOrder' | 'decimalScale'> {
  readonly label: string;
  readonly value: number | undefined;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly step: number;
  /** The unit, as it stands behind the number: ` %`. */
  readonly suffix: string;
  /** What holds without a number of one's own. */
  readonly usual?: number | undefined;
  /** Whether it has a slider; by its range unless given. */
  readonly isSlidable?: boolean | undefined;
  /** Beside the slider stands that nothing is set, or the button that clears the number again. */
  readonly isOptional?: boolean | undefined;
  readonly onChange: (value: number | undefined) => void;
}

export function NumberSlider({ label, value, min, max, step, suffix, usual, onChange, ...rest }: NumberSliderProps) {
  const { isSlidable, isOptional, ...field } = rest;
  const t = useTexts(pickersTexts);
  const range = min !== undefined && max !== undefined ? { min, max } : undefined;
  const hasSlider = isSlidable ?? (range !== undefined && range.max - range.min <= MAX_SLIDABLE);
  // At the start of the range it would look like the least number.
  const isUnset = value === undefined && usual === undefined;
  return (
    <Box miw={0}>
      <NumberInput
        {...{ label, suffix, step, ...field }}
        {...(min !== undefined && { min })}
        {...(max !== undefined && { max })}
        value={value ?? ''}
        placeholder={`${usual ?? ''}${suffix}`.trim()}
        onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
      />
      {hasSlider && range && (
        <div className={classes.slide}>
          <Slider
            {...{ ...range, step, onChange }}
            value={value ?? usual ?? range.min}
            label={null}
            thumbLabel={label}
            {...(isUnset && { classNames: { thumb: classes.unset ?? '' }, thumbValueText: t.notSet })}
          />
          {isOptional && (
            <span className={classes.state}>
              <span data-shown={isUnset || undefined}>{t.notSet}</span>
              {value !== undefined && (
                <button
                  type="button"
                  className={classes.clear}
                  aria-label={t.clear({ label })}
                  title={t.clear({ label })}
                  onClick={() => onChange(undefined)}
                >
                  <X aria-hidden />
                </button>
              )}
            </span>
          )}
        </div>
      )}
    </Box>
  );
}
