/** A flow summarized in a few lines: when, only if, then. */

import flowTexts from 'texts:automation-flow';
import { useTexts } from '../../../texts/texts.ts';
import { type FlowNode, shownConditions, toFlowRecord } from './flow-record.ts';
import classes from './flow-summary.module.css';
import { useSentences } from './use-sentences.ts';

/** The maximum for each part; further ones are counted. */
const MAX_SHOWN = 3;

/** @param flow its record from `dataJson`; any other value renders nothing */
export function FlowSummary({ flow }: { readonly flow: unknown }) {
  const { summary } = useTexts(flowTexts);
  const record = readRecord(flow);
  const sentences = useSentences(record?.triggers);
  if (!record) return null;
  const conditions = shownConditions(record);
  return (
    <dl className={classes.summary}>
      <dt>{summary.when}</dt>
      <Lines nodes={record.triggers} sentences={sentences.trigger} none={summary.byHand} />
      {conditions.length > 0 && (
        <>
          <dt>{summary.onlyIf}</dt>
          <Lines nodes={conditions} sentences={sentences.condition} none="" />
        </>
      )}
      <dt>{summary.thenDo}</dt>
      <Lines nodes={record.actions} sentences={sentences.action} none={summary.nothing} />
    </dl>
  );
}

interface LinesProps {
  readonly nodes: readonly FlowNode[];
  readonly sentences: (node: FlowNode) => string;
  readonly none: string;
}

function Lines({ nodes, sentences, none }: LinesProps) {
  const { summary } = useTexts(flowTexts);
  const shown = nodes.filter(({ enabled }) => enabled !== false);
  const left = shown.length - MAX_SHOWN;
  if (shown.length === 0) return <dd>{none}</dd>;
  return (
    <>
      {shown.slice(0, MAX_SHOWN).map((node, index) => (
        <dd key={index}>{sentences(node)}</dd>
      ))}
      {left > 0 && <dd>{summary.more({ count: left })}</dd>}
    </>
  );
}

function readRecord(flow: unknown) {
  try {
    return toFlowRecord(flow);
  } catch {
    return undefined;
  }
}
