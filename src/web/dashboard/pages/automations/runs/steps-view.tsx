/** The steps of a run as a list, each with its result; inner steps are indented below it. */
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { JsonView } from './json-view.tsx';
import classes from './runs.module.css';
import type { Step } from './runs-document.ts';
import { type StepGroup, type StepNode, treeOf } from './step-tree.ts';
import { runTexts } from './texts/texts.ts';
import { branchText, type Tone } from './trace-words.ts';
import { useFailureWords } from './use-failure-words.ts';

/** A shorter duration is not shown. */
const MIN_SHOWN_MS = 1_000;

const TONES: Readonly<Record<string, Tone>> = {
  passed: 'good',
  executed: 'good',
  failed: 'calm',
  skipped: 'calm',
  error: 'bad',
  timeout: 'bad',
  running: 'note',
};

/** @param say the step's sentence; the relay's own summary if there is none */
export function StepsView({
  steps,
  say,
}: {
  readonly steps: readonly Step[];
  readonly say: (step: Step) => string | undefined;
}) {
  const t = useTexts(runTexts);
  if (steps.length === 0) return <p className={classes.dim}>{t.noSteps}</p>;
  return <Nodes nodes={treeOf(steps)} say={say} />;
}

interface NodesProps {
  readonly nodes: readonly StepNode<Step>[];
  readonly say: (step: Step) => string | undefined;
}

function Nodes({ nodes, say }: NodesProps) {
  return (
    <ol className={classes.steps}>
      {nodes.map((node) => (
        <li key={node.step.index} className={classes.step} data-tone={TONES[node.step.result]}>
          <StepLine step={node.step} say={say} />
          {node.groups.map((group) => (
            <Group key={`${group.branch} ${group.iteration}`} group={group} say={say} />
          ))}
        </li>
      ))}
    </ol>
  );
}

function Group({ group, say }: { readonly group: StepGroup<Step>; readonly say: NodesProps['say'] }) {
  const t = useTexts(runTexts);
  const { number } = useFormat();
  const words = [
    group.branch && branchText(group.branch, t, number),
    group.iteration !== null && t.round(number(group.iteration)),
  ].filter(Boolean);
  return (
    <div className={classes.group}>
      {words.length > 0 && <p className={classes.dim}>{words.join(' · ')}</p>}
      <Nodes nodes={group.nodes} say={say} />
    </div>
  );
}

function StepLine({ step, say }: { readonly step: Step; readonly say: NodesProps['say'] }) {
  const t = useTexts(runTexts);
  const { duration, number, time } = useFormat();
  const { type, result, durationMs, error, input, output, attempt } = step;
  const why = useFailureWords();
  const results = t.result as Readonly<Record<string, string>>;
  const hasDetails = hasData(input) || hasData(output);
  const facts = (
    <>
      <span className={classes.result} data-tone={TONES[result]}>
        {results[result] ?? result}
      </span>
      <span>{time(step.startedAt)}</span>
      {durationMs != null && durationMs >= MIN_SHOWN_MS && <span>{duration(durationMs)}</span>}
      {attempt > 1 && <span>{t.attempt(number(attempt))}</span>}
    </>
  );
  return (
    <>
      <div className={classes.stepText}>
        {type === 'condition' && <span className={classes.dim}>{t.conditions}: </span>}
        {say(step) ?? step.nodeSummary}
      </div>
      {error && <p className={classes.error}>{why(step)}</p>}
      {hasDetails ? (
        <details>
          <summary className={classes.stepFacts}>
            {facts}
            <span className={classes.more}>{t.details}</span>
          </summary>
          {hasData(input) && (
            <>
              <p className={classes.dim}>{t.input}</p>
              <JsonView value={input} />
            </>
          )}
          {hasData(output) && (
            <>
              <p className={classes.dim}>{t.output}</p>
              <JsonView value={output} />
            </>
          )}
        </details>
      ) : (
        <div className={classes.stepFacts}>{facts}</div>
      )}
    </>
  );
}

function hasData(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
