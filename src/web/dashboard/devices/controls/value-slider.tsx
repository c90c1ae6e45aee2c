/** A native slider, so that keys, screen readers and touches work as usual; its handle is large enough for a thumb. */
import { type CSSProperties, useId } from 'react';
import type { Range } from '../reading.ts';
import classes from './controls.module.css';
import { useDraft } from './draft.ts';

interface Props {
  readonly label: string;
  /** `undefined`: the device has not reported a value. */
  readonly value: number | undefined;
  readonly range: Range;
  /** The formatted value: "40 %", "2 700 K". */
  readonly text: (value: number) => string;
  readonly onChange: (value: number) => void;
  readonly isDisabled: boolean;
  /** The background of the track, if its colours have a meaning. */
  readonly track?: string;
  /** The colour of the filled part, if it has a meaning. */
  readonly fill?: string;
  /** The device is off: the slider is empty and shows these words until the user moves it. */
  readonly whileOff?: string | undefined;
}

export function ValueSlider({ label, range, text, onChange, isDisabled, track, fill, ...props }: Props) {
  const { min, max, step } = range;
  const id = useId();
  const isOff = props.whileOff !== undefined;
  const value = isOff ? min : props.value;
  const { shown, change, hold, release } = useDraft(value, onChange);
  const words = shown === undefined ? '–' : isOff && shown === value ? props.whileOff : text(shown);
  const at = Math.min(Math.max(shown ?? min, min), max);
  const share = max > min ? (at - min) / (max - min) : 0;
  const style = {
    '--share': share,
    ...(track && { '--track': track }),
    ...(fill && !isOff && { '--slider-fill': fill }),
  } as CSSProperties;
  return (
    <div className={classes.control}>
      <div className={classes.labelRow}>
        <label htmlFor={id}>{label}</label>
        <output htmlFor={id} className={classes.value}>
          {words}
        </output>
      </div>
      <input
        id={id}
        type="range"
        className={classes.slider}
        data-unknown={shown === undefined || (isOff && shown === value) || undefined}
        data-painted={track !== undefined || undefined}
        style={style}
        min={min}
        max={max}
        step={step}
        value={at}
        disabled={isDisabled}
        aria-valuetext={words}
        onChange={({ currentTarget }) => change(Number(currentTarget.value))}
        onPointerDown={hold}
        onPointerUp={release}
        onPointerCancel={release}
      />
    </div>
  );
}
