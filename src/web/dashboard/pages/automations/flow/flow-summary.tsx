/** A flow told in a few lines: when, only if, then. */
import { useTexts } from '../../../texts/texts.ts';
import { type FlowNode, type FlowRecord, nodesOf, toFlowRecord } from './flow-record.ts';
import classes from './flow-summary.module.css';
import { flowTexts } from './texts/texts.ts';
import { useSentences } from './use-sentences.ts';

/** Of each part; more is a number. */
const MOST_SHOWN = 3;

/** @param flow its record, as `dataJson` has it; anything else is shown as nothing */
export function FlowSummary({ flow }: { readonly flow: unknown }) {
  const { summary } = useTexts(flowTexts);
  const record = readRecord(flow);
  const say = useSentences(record?.triggers);
  if (!record) return null;
  const conditions = conditionsToSay(record);
  return (
    <dl className={classes.summary}>
      <dt>{summary.when}</dt>
      <Lines nodes={record.triggers} say={say.trigger} none={summary.byHand} />
      {conditions.length > 0 && (
        <>
          <dt>{summary.onlyIf}</dt>
          <Lines nodes={conditions} say={say.condition} none="" />
        </>
      )}
      <dt>{summary.thenDo}</dt>
      <Lines nodes={record.actions} say={say.action} none={summary.nothing} />
    </dl>
  );
}

/** Each by itself where all of them count; else the block is one sentence. */
export function conditionsToSay({ conditions: block }: FlowRecord): readonly FlowNode[] {
  const conditions = nodesOf(block.conditions);
  const isAll = block.operator === undefined || block.operator === 'and';
  return isAll || conditions.length === 0 ? conditions : [block];
}

interface LinesProps {
  readonly nodes: readonly FlowNode[];
  readonly say: (node: FlowNode) => string;
  readonly none: string;
}

function Lines({ nodes, say, none }: LinesProps) {
  const { summary } = useTexts(flowTexts);
  const shown = nodes.filter(({ enabled }) => enabled !== false);
  const left = shown.length - MOST_SHOWN;
  if (shown.length === 0) return <dd>{none}</dd>;
  return (
    <>
      {shown.slice(0, MOST_SHOWN).map((node, index) => (
        <dd key={index}>{say(node)}</dd>
      ))}
      {left > 0 && <dd>{summary.more(left)}</dd>}
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
