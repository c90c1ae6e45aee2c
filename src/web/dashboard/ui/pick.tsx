/** The checkbox of a thing while things are being selected, as large as the card or tile around it. */
import type { Ref } from 'react';
import classes from './pick.module.css';

interface PickProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly box?: Ref<HTMLInputElement>;
  /** @param isRange with Shift: everything from the last one to this */
  readonly onPick: (isRange: boolean) => void;
}

export function Pick({ label, isOn, isDisabled = false, box, onPick }: PickProps) {
  return (
    <label className={classes.pick}>
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={isOn}
        disabled={isDisabled}
        onChange={({ nativeEvent }) => onPick(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
      />
    </label>
  );
}
