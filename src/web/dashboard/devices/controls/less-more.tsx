/** Content between two round buttons, one for less and one for more. */
import { Minus, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './less-more.module.css';

interface LessMoreProps {
  readonly less: Step;
  readonly more: Step;
  readonly children: ReactNode;
}

interface Step {
  /** What it controls, for labels. */
  readonly label: string;
  readonly isDisabled: boolean;
  readonly run: () => void;
}

export function LessMore({ less, more, children }: LessMoreProps) {
  return (
    <div className={classes.row}>
      <button type="button" aria-label={less.label} disabled={less.isDisabled} onClick={less.run}>
        <Minus aria-hidden />
      </button>
      {children}
      <button type="button" aria-label={more.label} disabled={more.isDisabled} onClick={more.run}>
        <Plus aria-hidden />
      </button>
    </div>
  );
}
