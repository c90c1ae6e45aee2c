/** A switch with its name before it. */
import classes from './controls.module.css';

interface Props {
  readonly label: string;
  readonly isOn: boolean;
  /** A note beside the name: "In use". */
  readonly note?: string | undefined;
  /** It was switched here, and the device has not confirmed it. */
  readonly isSent?: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly isDisabled: boolean;
}

export function ToggleRow({ label, isOn, note, isSent = false, onChange, isDisabled }: Props) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn !== isSent}
      data-on={isOn || undefined}
      data-sent={isSent || undefined}
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
