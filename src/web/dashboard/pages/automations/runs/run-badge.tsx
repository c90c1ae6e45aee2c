import runTexts from 'texts:automation-runs';
import { useTexts } from '../../../texts/texts.ts';
import classes from '../list/automations.module.css';
import { runStateOf, toneOf } from './trace-words.ts';

interface RunBadgeProps {
  readonly status: string;
  readonly blockedReason: string | null | undefined;
}

/** The result of a run, or its status while it runs. */
export function RunBadge({ status, blockedReason = null }: RunBadgeProps) {
  const t = useTexts(runTexts);
  const state = runStateOf({ status, blockedReason });
  return (
    <span className={classes.badge} data-tone={toneOf(state)}>
      {t.status[state]}
    </span>
  );
}
