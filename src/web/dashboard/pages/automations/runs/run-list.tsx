/** The runs of one automation, the newest first, updated while one is running. */

import runTexts from 'texts:automation-runs';
import { History } from 'lucide-react';
import { Link } from 'wouter';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { EmptyState } from '../../../ui/page.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { type AutomationKind, runsPageOf } from '../list/addresses.ts';
import { foldRuns, isConditionNotMet } from './condition-not-met.ts';
import { RunBadge } from './run-badge.tsx';
import classes from './runs.module.css';
import type { ListedRun } from './runs-document.ts';
import { blockedText } from './trace-words.ts';
import { useFailureWords } from './use-failure-words.ts';
import { useTriggerWords } from './use-trigger-words.ts';

interface RunListProps {
  readonly kind: AutomationKind;
  readonly automationId: string;
  readonly runs: readonly ListedRun[];
}

export function RunList({ kind, automationId, runs }: RunListProps) {
  const t = useTexts(runTexts);
  if (runs.length === 0) {
    return (
      <EmptyState icon={<History size={32} />} title={t.none}>
        {t.noneText}
      </EmptyState>
    );
  }
  const itemOf = (run: ListedRun) => (
    <li key={run.id}>
      <RunLink kind={kind} automationId={automationId} run={run} />
    </li>
  );
  return (
    <ul className={classes.runs}>
      {foldRuns(runs).map((some) => {
        const [newest, ...others] = some;
        if (!newest || others.length === 0) return some.map(itemOf);
        return (
          <li key={newest.id}>
            <details className={classes.folded}>
              <summary>
                <span className={classes.runWhy}>{t.notMetTimes({ count: some.length })}</span>
                <span className={classes.runWhen}>
                  <TimeAgo at={newest.startedAt} />
                </span>
              </summary>
              <ul className={classes.runs}>{some.map(itemOf)}</ul>
            </details>
          </li>
        );
      })}
    </ul>
  );
}

interface RunLinkProps {
  readonly kind: AutomationKind;
  readonly automationId: string;
  readonly run: ListedRun;
}

function RunLink({ kind, automationId, run }: RunLinkProps) {
  const t = useTexts(runTexts);
  const { duration } = useFormat();
  const triggerWords = useTriggerWords();
  const why = useFailureWords();
  const { id, status, blockedReason, startedAt, finishedAt, error, reason, refusals, triggerData } = run;
  const isNotMet = isConditionNotMet(run);
  return (
    <Link href={runsPageOf(kind, automationId, id)}>
      {isNotMet ? <span className={classes.notMet}>{t.notMet}</span> : <RunBadge {...{ status, blockedReason }} />}
      <span className={classes.runWhy}>
        {blockedReason
          ? t.blockedLead({ why: blockedText(blockedReason, t) })
          : error
            ? why({ error, reason, refusals })
            : triggerWords(triggerData)}
      </span>
      <span className={classes.runWhen}>
        <TimeAgo at={startedAt} />
        {finishedAt && !blockedReason && !isNotMet && ` · ${duration(Date.parse(finishedAt) - Date.parse(startedAt))}`}
      </span>
    </Link>
  );
}
