/**
 * A value of one property, in a control that fits it. Values are in the API's format: °C, mireds, true and false,
 * numbers of states.
 */
import { Box, HueSlider, NativeSelect, SegmentedControl, Text, TextInput } from '@mantine/core';
import { NumberSlider } from './number-slider.tsx';
import classes from './pickers.module.css';
import { choicesOf, isChoice, type Property } from './property.ts';
import { kelvinOf, useWords, valueText } from './property-words.ts';

interface ValueInputProps {
  readonly label?: string | undefined;
  readonly error?: string | undefined;
  readonly property: Property | undefined;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

const MIRED = 1_000_000;
const FAHRENHEIT = { scale: 1.8, zero: 32 } as const;

export function ValueInput({ label, error, property, value, onChange }: ValueInputProps) {
  const words = useWords();
  const shown = label ?? words.texts.value;
  if (property && isChoice(property)) {
    return <ChoiceInput label={shown} error={error} property={property} value={value} onChange={onChange} />;
  }
  if (!property || property.characteristic.format === 'string') {
    return (
      <TextInput
        label={shown}
        error={error}
        value={value == null ? '' : String(value)}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  return <AmountInput label={shown} error={error} property={property} value={value} onChange={onChange} />;
}

interface FittedProps extends ValueInputProps {
  readonly label: string;
  readonly property: Property;
}

function ChoiceInput({ label, error, property, value, onChange }: FittedProps) {
  const words = useWords();
  const options = choicesOf(property).map((choice) => ({
    choice,
    value: String(choice),
    label: valueText(property.characteristicType, choice, words),
  }));
  const current = options.find((option) => option.value === String(value))?.value;
  const choose = (text: string) => onChange(options.find((option) => option.value === text)?.choice);
  if (options.length === 2) {
    return (
      <fieldset>
        <legend className={classes.legend}>{label}</legend>
        <SegmentedControl
          fullWidth
          value={current ?? ''}
          onChange={choose}
          data={options.map((option) => ({ value: option.value, label: option.label }))}
        />
        {error && (
          <Text c="var(--h-bad-ink)" fz="0.8125rem" mt={4} role="alert">
            {error}
          </Text>
        )}
      </fieldset>
    );
  }
  return (
    <NativeSelect
      label={label}
      error={error}
      value={current ?? ''}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
      data={[
        ...(current === undefined ? [{ value: '', label: '–', disabled: true }] : []),
        ...options.map((option) => ({ value: option.value, label: option.label })),
      ]}
    />
  );
}

/** The display scale of a number, and its API value. */
export interface Scale {
  readonly suffix: string;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly step: number;
  readonly digits: number;
  show(value: number): number;
  take(shown: number): number;
}

export function scaleOf({ characteristic }: Property, temperatureUnit: 'celsius' | 'fahrenheit'): Scale {
  const { type, unit, minValue, maxValue, minStep, format } = characteristic;
  const isWhole = format !== 'float';
  const plain = {
    suffix: unit === 'percentage' ? ' %' : unit === 'arcdegrees' ? '°' : unit === 'lux' ? ' lx' : '',
    min: minValue ?? undefined,
    max: maxValue ?? undefined,
    step: minStep ?? (isWhole ? 1 : 0.1),
    digits: isWhole || unit === 'percentage' ? 0 : 2,
    show: (value: number) => value,
    take: (shown: number) => shown,
  };
  if (type === 'color_temperature') return kelvins(plain);
  if (unit !== 'celsius') return plain;
  if (temperatureUnit === 'celsius') return { ...plain, suffix: ' °C', digits: 1 };
  const toFahrenheit = (celsius: number) => Math.round((celsius * FAHRENHEIT.scale + FAHRENHEIT.zero) * 10) / 10;
  return {
    suffix: ' °F',
    min: plain.min === undefined ? undefined : toFahrenheit(plain.min),
    max: plain.max === undefined ? undefined : toFahrenheit(plain.max),
    step: 1,
    digits: 1,
    show: toFahrenheit,
    take: (shown) => Math.round(((shown - FAHRENHEIT.zero) / FAHRENHEIT.scale) * 10) / 10,
  };
}

/** Kelvins fall as mireds rise. */
function kelvins({ min, max }: { readonly min: number | undefined; readonly max: number | undefined }): Scale {
  const clamp = (mireds: number) => Math.min(max ?? mireds, Math.max(min ?? mireds, mireds));
  return {
    suffix: ' K',
    min: max === undefined ? undefined : kelvinOf(max),
    max: min === undefined ? undefined : kelvinOf(min),
    step: 100,
    digits: 0,
    show: kelvinOf,
    take: (shown) => clamp(Math.round(MIRED / Math.max(1, shown))),
  };
}

function AmountInput({ label, error, property, value, onChange }: FittedProps) {
  const { format } = useWords();
  const scale = scaleOf(property, format.temperatureUnit);
  const { type } = property.characteristic;
  const shown = typeof value === 'number' ? scale.show(value) : undefined;
  return (
    <Box miw={0}>
      <NumberSlider
        label={label}
        error={error}
        value={shown}
        suffix={scale.suffix}
        step={scale.step}
        decimalScale={scale.digits}
        min={scale.min}
        max={scale.max}
        isSlidable={type === 'hue' ? false : scale.suffix === ' K' || undefined}
        onChange={(next) => onChange(next === undefined ? undefined : scale.take(next))}
      />
      {type === 'hue' && (
        <Box p="6px 8px 0">
          <HueSlider value={shown ?? 0} onChange={(next) => onChange(next)} aria-label={label} />
        </Box>
      )}
    </Box>
  );
}
