/**
 * The main level of a device, as one upright target: a finger or mouse anywhere on it sets the value at that height. A
 * native slider lies over it, for keys and screen readers.
 */
import { type CSSProperties, type PointerEvent, type ReactNode, useId, useRef } from 'react';
import { type DeviceLevel, levelAfter } from '../level.ts';
import classes from './big-controls.module.css';
import { useDraft } from './draft.ts';

interface Props {
  readonly label: string;
  readonly level: DeviceLevel;
  /** The formatted value: "40%". */
  readonly text: (value: number) => string;
  /** Replaces the value: the device is off, or has not confirmed that it is switched. */
  readonly instead?: string | undefined;
  /** The device is off: the slider is empty until the user moves it. */
  readonly isOff?: boolean;
  /** It was switched here, and the device has not confirmed it. */
  readonly isSent?: boolean;
  readonly fill?: string | undefined;
  /** What is drawn is what covers a window, from its top down. */
  readonly isCover?: boolean;
  readonly icon?: ReactNode;
  readonly isDisabled: boolean;
  readonly onChange: (value: number) => void;
}

export function BigSlider({ label, level, text, instead, isOff = false, fill, icon, isDisabled, ...props }: Props) {
  const { min, max, step } = level.range;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  /** The value of a drag that is sent when it ends. */
  const last = useRef<number>(undefined);
  const isHeld = useRef(false);
  const value = isOff ? min : level.value;
  const { shown, change, hold, release } = useDraft(value, (next) => {
    if (isHeld.current && level.isSentAtEnd) last.current = next;
    else props.onChange(next);
  });
  const at = Math.min(Math.max(shown ?? min, min), max);
  const isMoved = shown !== value;
  const words = isMoved ? text(at) : (instead ?? text(at));
  const share = max > min && !(isOff && !isMoved) ? (at - min) / (max - min) : 0;

  const follow = ({ clientY, currentTarget }: PointerEvent) => {
    const { bottom, height } = currentTarget.getBoundingClientRect();
    change(levelAfter(min, Math.min(Math.max((bottom - clientY) / height, 0), 1), level.range));
  };
  const finish = () => {
    if (!isHeld.current) return;
    isHeld.current = false;
    if (last.current !== undefined) props.onChange(last.current);
    last.current = undefined;
    release();
  };
  return (
    <div className={classes.big}>
      <label htmlFor={id} className={classes.label}>
        {label}
      </label>
      <output htmlFor={id} className={classes.value}>
        {words}
      </output>
      <div
        className={classes.slider}
        data-cover={props.isCover || undefined}
        data-sent={props.isSent || undefined}
        data-disabled={isDisabled || undefined}
        style={{ '--share': share, ...(fill && { '--big-fill': fill }) } as CSSProperties}
        onPointerDown={(event) => {
          if (isDisabled || !event.isPrimary || event.button !== 0) return;
          event.preventDefault();
          event.currentTarget.setPointerCapture(event.pointerId);
          input.current?.focus({ preventScroll: true });
          isHeld.current = true;
          hold();
          follow(event);
        }}
        onPointerMove={(event) => isHeld.current && follow(event)}
        onPointerUp={finish}
        onPointerCancel={finish}
      >
        <span className={classes.fill} aria-hidden />
        {icon && (
          <span className={classes.icon} aria-hidden>
            {icon}
          </span>
        )}
        <input
          ref={input}
          id={id}
          type="range"
          className={classes.input}
          min={min}
          max={max}
          step={step}
          value={at}
          disabled={isDisabled}
          aria-orientation="vertical"
          aria-valuetext={words}
          onChange={({ currentTarget }) => change(Number(currentTarget.value))}
        />
      </div>
    </div>
  );
}
