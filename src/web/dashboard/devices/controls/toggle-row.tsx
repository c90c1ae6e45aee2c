/** A switch with its name before it. */
import deviceTexts from 'texts:devices';
import { useTexts } from '../../texts/texts.ts';
import { type ToggleState, toggleSemantics } from '../reading.ts';
import classes from './controls.module.css';

interface Props extends ToggleState {
  readonly label: string;
  /** A note beside the name: "In use". */
  readonly note?: string | undefined;
  readonly onChange: (isOn: boolean) => void;
  readonly isDisabled: boolean;
}

export function ToggleRow({ label, isOn, confirmed, isSent, note, onChange, isDisabled }: Props) {
  const t = useTexts(deviceTexts);
  const words = note ?? (confirmed === undefined && !isSent ? t.unknown : undefined);
  return (
    <button
      type="button"
      {...toggleSemantics(confirmed)}
      data-on={isOn || undefined}
      data-sent={isSent || undefined}
      className={classes.toggleRow}
      disabled={isDisabled}
      onClick={() => onChange(!isOn)}
    >
      <span className={classes.toggleWords}>
        <span>{label}</span>
        {words && <span className={classes.note}>{words}</span>}
      </span>
      <span className={classes.toggle} aria-hidden />
    </button>
  );
}
