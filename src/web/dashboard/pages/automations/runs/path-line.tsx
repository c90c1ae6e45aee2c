/** The way of a run as a line of marks, each of which leads to its step below. */
import runTexts from 'texts:automation-runs';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { type PathMark, pathOf } from './run-path.ts';
import classes from './runs.module.css';
import type { RunStep } from './runs-document.ts';
import { STATE_ICONS, stateOfStep } from './step-state.ts';
import { branchText } from './trace-words.ts';

interface PathLineProps {
  readonly steps: readonly RunStep[];
  readonly isWhole: boolean;
  readonly describe: (step: RunStep) => string | undefined;
}

/** A single step is a line already. */
export function PathLine({ steps, isWhole, describe }: PathLineProps) {
  const t = useTexts(runTexts);
  const marks = pathOf(steps, isWhole);
  if (marks.length < 2) return null;
  return (
    <ol className={classes.path} aria-label={t.path}>
      {marks.map((mark) => (
        <Mark key={mark.step.index} mark={mark} words={describe(mark.step) ?? mark.step.nodeSummary} />
      ))}
    </ol>
  );
}

function Mark({
  mark: { step, branch, rounds, isEnd },
  words,
}: {
  readonly mark: PathMark<RunStep>;
  readonly words: string;
}) {
  const t = useTexts(runTexts);
  const { number } = useFormat();
  const Icon = STATE_ICONS[stateOfStep(step)];
  const results = t.result as Readonly<Record<string, string>>;
  const result = results[step.result] ?? step.result;
  const place = branch && branchText(branch, t, number);
  const isStopped = isEnd && step.result !== 'running';
  return (
    <li data-result={step.result} data-end={isStopped || undefined}>
      {place && (
        <span className={classes.pathBranch}>{rounds > 1 ? t.rounds({ branch: place, count: rounds }) : place}</span>
      )}
      <a href={`#step-${step.index}`} title={words} aria-label={`${words}: ${result}`}>
        <Icon aria-hidden />
        <span>{words}</span>
      </a>
      {isStopped && <span className={classes.pathEnd}>{t.stoppedHere}</span>}
    </li>
  );
}
