/** Buttons that act at once: open, stop, close; start, pause. */
import type { ReactNode } from 'react';
import classes from './controls.module.css';

export interface ActButton {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly run: () => void;
  readonly isDisabled?: boolean;
  /** The most likely action. */
  readonly isMain?: boolean;
}

export function Acts({ acts, isDisabled }: { readonly acts: readonly ActButton[]; readonly isDisabled: boolean }) {
  return (
    <div className={classes.acts}>
      {acts.map(({ label, icon, run, isDisabled: isOut = false, isMain = false }) => (
        <button
          key={label}
          type="button"
          className={classes.act}
          data-main={isMain || undefined}
          disabled={isDisabled || isOut}
          onClick={run}
        >
          {icon}
          <span>{label}</span>
        </button>
      ))}
    </div>
  );
}
