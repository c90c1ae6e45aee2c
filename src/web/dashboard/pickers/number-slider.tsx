/** A number to type, and a slider below it where the range is small enough to aim. */
import { Box, NumberInput, type NumberInputProps, Slider } from '@mantine/core';

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
  readonly onChange: (value: number | undefined) => void;
}

export function NumberSlider({ label, value, min, max, step, suffix, usual, onChange, ...rest }: NumberSliderProps) {
  const { isSlidable, ...field } = rest;
  const range = min !== undefined && max !== undefined ? { min, max } : undefined;
  const hasSlider = isSlidable ?? (range !== undefined && range.max - range.min <= MAX_SLIDABLE);
  return (
    <Box miw={0}>
      <NumberInput
        {...{ label, suffix, step, ...field }}
        {...(max !== undefined && { max })}
        {...(min !== undefined && { min })}
        {...(max !== undefined && { max })}
        value={value ?? ''}
        placeholder={`${usual ?? ''}${suffix}`.trim()}
        onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
      />
      {hasSlider && range && (
        <Box p="6px 8px 4px">
          <Slider
            {...{ ...range, step, onChange }}
            value={value ?? usual ?? range.min}
            label={null}
            thumbLabel={label}
          />
        </Box>
      )}
    </Box>
  );
}
