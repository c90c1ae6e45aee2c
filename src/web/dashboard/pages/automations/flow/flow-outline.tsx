/** A complete flow as text: all triggers, all conditions, and the steps with their inner nodes. */

import flowTexts from 'texts:automation-flow';
import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { type FlowNode, type FlowRecord, isObject, nodesOf, shownConditions, textOf } from './flow-record.ts';
import classes from './flow-summary.module.css';
import { getAt } from './paths.ts';
import { slotLabel } from './slot-label.ts';
import { slotsOf } from './structure.ts';
import { type BoundSentences, useSentences } from './use-sentences.ts';

export function FlowOutline({ flow }: { readonly flow: FlowRecord }) {
  const { summary } = useTexts(flowTexts);
  const sentences = useSentences(flow.triggers);
  const conditions = shownConditions(flow);
  return (
    <dl className={classes.summary} data-whole>
      <dt>{summary.when}</dt>
      <dd>
        {flow.triggers.length === 0 && summary.byHand}
        <ul className={classes.steps}>
          {flow.triggers.map((node, index) => (
            <Line key={index} node={node} sentence={sentences.trigger(node)} />
          ))}
        </ul>
      </dd>
      {conditions.length > 0 && (
        <>
          <dt>{summary.onlyIf}</dt>
          <dd>
            <ul className={classes.steps}>
              {conditions.map((node, index) => (
                <Line key={index} node={node} sentence={sentences.condition(node)} />
              ))}
            </ul>
          </dd>
        </>
      )}
      <dt>{summary.thenDo}</dt>
      <dd>
        {flow.actions.length === 0 && summary.nothing}
        <Steps nodes={flow.actions} sentences={sentences} />
      </dd>
    </dl>
  );
}

function Steps({ nodes, sentences }: { readonly nodes: readonly FlowNode[]; readonly sentences: BoundSentences }) {
  return (
    <ol className={classes.steps}>
      {nodes.map((node, index) => (
        <Line key={index} node={node} sentence={sentences.action(node)}>
          <Parts node={node} sentences={sentences} />
        </Line>
      ))}
    </ol>
  );
}

/** Parts that the sentence already contains are left out: the triggers of a wait, an only condition. */
function Parts({ node, sentences }: { readonly node: FlowNode; readonly sentences: BoundSentences }) {
  const texts = useTexts(flowTexts);
  return slotsOf(node).map((slot) => {
    const value = getAt(node, slot.path);
    const key = slot.path.join('.');
    if (slot.label === 'choice') {
      return (
        <div key={key} className={classes.part}>
          {slotLabel(slot, texts)}
          <ul className={classes.steps}>
            <li>{sentences.condition(isObject(value) ? value : {})}</li>
          </ul>
        </div>
      );
    }
    const steps = slot.role === 'action' ? nodesOf(value) : [];
    if (steps.length === 0) return null;
    return (
      <div key={key} className={classes.part}>
        {slotLabel(slot, texts)}
        <Steps nodes={steps} sentences={sentences} />
      </div>
    );
  });
}

interface LineProps {
  readonly node: FlowNode;
  readonly sentence: string;
  readonly children?: ReactNode;
}

function Line({ node, sentence, children }: LineProps) {
  const { summary } = useTexts(flowTexts);
  const alias = textOf(node, 'alias');
  const isOff = node.enabled === false;
  return (
    <li data-off={isOff || undefined}>
      {alias !== '' && <strong>{alias} · </strong>}
      {sentence}
      {isOff && ` (${summary.off})`}
      {children}
    </li>
  );
}
