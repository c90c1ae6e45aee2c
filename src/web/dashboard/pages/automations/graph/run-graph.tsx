/** The graph on the page of a run, with the way that it took; a node shows its step. */
import flowTexts from 'texts:automation-flow';
import { Text } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { pathText } from '../flow/paths.ts';
import type { Run } from '../runs/runs-document.ts';
import { StepsView } from '../runs/steps-view.tsx';
import type { FlowGraph } from './flow-graph.ts';
import classes from './graph.module.css';
import { GraphView } from './graph-view.tsx';
import { marksOf } from './run-marks.ts';
import type { RunFlow } from './use-run-flow.ts';

interface RunGraphProps {
  readonly ran: RunFlow;
  readonly run: Run;
  /** The run came to its end as it was meant to. */
  readonly isWhole: boolean;
}

interface Chosen {
  readonly path: string;
  readonly sentence: string;
  /** The step is looked up again: a running one gets its result later. */
  readonly index: number;
}

export function RunGraph({ ran, run, isWhole }: RunGraphProps) {
  const { graph: t } = useTexts(flowTexts);
  const [chosen, setChosen] = useState<Chosen>();
  const { steps } = run;
  const marksIn = useCallback((graph: FlowGraph) => marksOf(graph, steps, isWhole), [steps, isWhole]);
  const shown = chosen && steps.find(({ index }) => index === chosen.index);
  return (
    <>
      {ran.changedSince === 'now' && <Text c="dimmed">{t.changedSince}</Text>}
      <Text c="dimmed">{t.choose}</Text>
      <GraphView
        flow={ran.flow}
        marksIn={marksIn}
        targetOf={({ path }, mark) => {
          if (!mark?.step) return undefined;
          const { index } = mark.step;
          const key = pathText(path);
          return {
            isPressed: chosen?.path === key,
            onPress: (sentence) =>
              setChosen((before) => (before?.path === key ? undefined : { path: key, sentence, index })),
          };
        }}
      />
      <div className={classes.chosen} aria-live="polite">
        {shown && <StepsView steps={[shown]} describe={() => chosen.sentence} />}
      </div>
    </>
  );
}
