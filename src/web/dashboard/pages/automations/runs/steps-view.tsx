/** The steps of a run as a list, each with its result; inner steps are indented below it. */

import runTexts from 'texts:automation-runs';
import { Box, Stack, Text } from '@mantine/core';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { JsonView } from './json-view.tsx';
import classes from './runs.module.css';
import type { RunStep } from './runs-document.ts';
import { type StepGroup, type StepNode, treeOf } from './step-tree.ts';
import { branchText, type RunTone } from './trace-words.ts';
import { useFailureWords } from './use-failure-words.ts';

/** A shorter duration is not shown. */
const MIN_SHOWN_MS = 1_000;

const TONES: Readonly<Record<string, RunTone>> = {
  passed: 'good',
  executed: 'good',
  failed: 'calm',
  skipped: 'calm',
  error: 'bad',
  timeout: 'bad',
  running: 'note',
};

/** @param sentenceOf the step's sentence; the relay's own summary if there is none */
export function StepsView({
  steps,
  describe,
}: {
  readonly steps: readonly RunStep[];
  readonly describe: (step: RunStep) => string | undefined;
}) {
  const t = useTexts(runTexts);
  if (steps.length === 0)
    return (
      <Text c="dimmed" fz="sm">
        {t.noSteps}
      </Text>
    );
  return <Nodes nodes={treeOf(steps)} describe={describe} />;
}

interface NodesProps {
  readonly nodes: readonly StepNode<RunStep>[];
  readonly describe: (step: RunStep) => string | undefined;
}

function Nodes({ nodes, describe }: NodesProps) {
  return (
    <Stack component="ol" gap={10} miw={0} className="h-bare">
      {nodes.map((node) => (
        <li
          key={node.step.index}
          id={`step-${node.step.index}`}
          className={classes.step}
          data-tone={TONES[node.step.result]}
        >
          <StepLine step={node.step} describe={describe} />
          {node.groups.map((group) => (
            <Group key={`${group.branch} ${group.iteration}`} group={group} describe={describe} />
          ))}
        </li>
      ))}
    </Stack>
  );
}

function Group({ group, describe }: { readonly group: StepGroup<RunStep>; readonly describe: NodesProps['describe'] }) {
  const t = useTexts(runTexts);
  const { number } = useFormat();
  const words = [
    group.branch && branchText(group.branch, t, number),
    group.iteration !== null && t.round({ number: number(group.iteration) }),
  ].filter(Boolean);
  return (
    <Stack gap={6} mt={8} ps={6}>
      {words.length > 0 && (
        <Text c="dimmed" fz="sm">
          {words.join(' · ')}
        </Text>
      )}
      <Nodes nodes={group.nodes} describe={describe} />
    </Stack>
  );
}

function StepLine({ step, describe }: { readonly step: RunStep; readonly describe: NodesProps['describe'] }) {
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
      {attempt > 1 && <span>{t.attempt({ number: number(attempt) })}</span>}
    </>
  );
  return (
    <>
      <Box fw={600} miw={0} className="h-anywhere">
        {type === 'condition' && (
          <Text span c="dimmed" fz="sm">
            {t.conditions}:{' '}
          </Text>
        )}
        {describe(step) ?? step.nodeSummary}
      </Box>
      {error && (
        <Text c="var(--h-bad-ink)" mt={4} className="h-anywhere">
          {why(step)}
        </Text>
      )}
      {hasDetails ? (
        <details>
          <summary className={classes.stepFacts}>
            {facts}
            <Text span c="var(--h-accent)">
              {t.details}
            </Text>
          </summary>
          {hasData(input) && (
            <>
              <Text c="dimmed" fz="sm">
                {t.input}
              </Text>
              <JsonView value={input} />
            </>
          )}
          {hasData(output) && (
            <>
              <Text c="dimmed" fz="sm">
                {t.output}
              </Text>
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
