/** A switch with its name before it. */
import classes from './controls.module.css';

interface Props {
  readonly label: string;
  readonly isOn: boolean;
  /** A note beside the name: "In use". */
  readonly note?: string | undefined;
  readonly onChange: (isOn: boolean) => void;
  readonly isDisabled: boolean;
}

export function ToggleRow({ label, isOn, note, onChange, isDisabled }: Props) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      className={classes.toggleRow}
      disabled={isDisabled}
      onClick={() => onChange(!isOn)}
    >
      <span className={classes.toggleWords}>
        <span>{label}</span>
        {note && <span className={classes.note}>{note}</span>}
      </span>
      <span className={classes.toggle} aria-hidden />
    </button>
  );
}
