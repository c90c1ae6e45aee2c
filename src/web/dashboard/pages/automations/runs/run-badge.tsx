import { useTexts } from '../../../texts/texts.ts';
import classes from '../list/automations.module.css';
import { runTexts } from './texts/texts.ts';
import { runStateOf, toneOf } from './trace-words.ts';

interface RunBadgeProps {
  readonly status: string;
  readonly blockedReason: string | null | undefined;
}

/** How a run ended, or that it has not. */
export function RunBadge({ status, blockedReason = null }: RunBadgeProps) {
  const t = useTexts(runTexts);
  const state = runStateOf({ status, blockedReason });
  return (
    <span className={classes.badge} data-tone={toneOf(state)}>
      {t.status[state]}
    </span>
  );
}
