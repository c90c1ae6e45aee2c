/** A checkbox as large as what it selects: a tile, a card. */
import type { Ref } from 'react';
import classes from './pick-box.module.css';

export interface PickBoxProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
  /** @param isRange with Shift: everything from the last one to this */
  readonly onPick: (isRange: boolean) => void;
}

export function PickBox({ label, isOn, isDisabled, ref, onPick }: PickBoxProps) {
  return (
    <label className={classes.pick}>
      <input
        ref={ref}
        type="checkbox"
        aria-label={label}
        checked={isOn}
        disabled={isDisabled}
        onChange={({ nativeEvent }) => onPick(nativeEvent instanceof globalThis.MouseEvent && nativeEvent.shiftKey)}
      />
    </label>
  );
}
