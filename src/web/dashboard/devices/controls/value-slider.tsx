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
}

export function ValueSlider({ label, value, range: { min, max, step }, text, onChange, isDisabled, track }: Props) {
  const id = useId();
  const { shown, change, hold, release } = useDraft(value, onChange);
  const at = Math.min(Math.max(shown ?? min, min), max);
  const share = max > min ? (at - min) / (max - min) : 0;
  const style = { '--share': share, ...(track && { '--track': track }) } as CSSProperties;
  return (
    <div className={classes.control}>
      <div className={classes.labelRow}>
        <label htmlFor={id}>{label}</label>
        <output htmlFor={id} className={classes.value}>
          {shown === undefined ? '–' : text(shown)}
        </output>
      </div>
      <input
        id={id}
        type="range"
        className={classes.slider}
        data-unknown={shown === undefined || undefined}
        data-painted={track !== undefined || undefined}
        style={style}
        min={min}
        max={max}
        step={step}
        value={at}
        disabled={isDisabled}
        aria-valuetext={shown === undefined ? '–' : text(shown)}
        onChange={({ currentTarget }) => change(Number(currentTarget.value))}
        onPointerDown={hold}
        onPointerUp={release}
        onPointerCancel={release}
      />
    </div>
  );
}
