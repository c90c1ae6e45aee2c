/**
 * A flow as a picture. It is made of nested lists, which screen readers read in the order of the flow; the lines
 * between them are styles.
 */
import flowTexts from 'texts:automation-flow';
import { VisuallyHidden } from '@mantine/core';
import { type LucideIcon, Parentheses, RotateCw } from 'lucide-react';
import { type CSSProperties, type ReactNode, useLayoutEffect, useMemo, useRef } from 'react';
import { Link } from 'wouter';
import { useTexts } from '../../../texts/texts.ts';
import { type FlowRecord, isBlock, nodesOf, textOf } from '../flow/flow-record.ts';
import { useNodeIcon } from '../flow/node-icon.ts';
import { pathText } from '../flow/paths.ts';
import { slotLabel } from '../flow/slot-label.ts';
import { type BoundSentences, useSentences } from '../flow/use-sentences.ts';
import { STATE_ICONS } from '../runs/step-state.ts';
import { type FlowGraph, type GraphBranch, type GraphLine, type GraphNode, graphOf } from './flow-graph.ts';
import classes from './graph.module.css';
import type { NodeMark, RunMarks } from './run-marks.ts';

/** What a node leads to: its place in the editor, its step of a run, or nothing. */
export type NodeTarget =
  | { readonly href: string }
  | { readonly isPressed: boolean; readonly onPress: (sentence: string) => void };

interface GraphViewProps {
  readonly flow: FlowRecord;
  readonly marksIn?: (graph: FlowGraph) => RunMarks;
  readonly targetOf: (node: GraphNode, mark: NodeMark | undefined) => NodeTarget | undefined;
}

interface Drawing extends Pick<GraphViewProps, 'targetOf'> {
  readonly sentences: BoundSentences;
  readonly marks: RunMarks | undefined;
}

export function GraphView({ flow, marksIn, targetOf }: GraphViewProps) {
  const { graph: t, summary } = useTexts(flowTexts);
  const sentences = useSentences(flow.triggers);
  const graph = useMemo(() => graphOf(flow), [flow]);
  const marks = useMemo(() => marksIn?.(graph), [marksIn, graph]);
  const drawing = { targetOf, sentences, marks };
  const { triggers, triggerLines, conditions, actions } = graph;
  const isReached = (node: GraphNode) => marks && marks.markOf(node).state !== 'notReached';
  const scroller = useCentered(graph.width);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by the arrow keys
    <section ref={scroller} className={classes.scroller} aria-label={t.label} tabIndex={0}>
      <ol className={classes.list} data-run={marks ? true : undefined}>
        <li className={classes.item}>
          {triggers.length === 0 && <p className={classes.note}>{summary.byHand}</p>}
          <ul className={classes.side}>
            {triggers.map((node, index) => (
              <li key={index} className={classes.column} style={columns(1)} data-reached={isReached(node) || undefined}>
                <Card node={node} drawing={drawing} />
                {triggers.length > 1 && <span className={classes.tail} />}
              </li>
            ))}
          </ul>
          <Lines
            lines={triggerLines}
            width={triggers.length}
            taken={triggers.map((node) => isReached(node) === true)}
          />
        </li>
        {[...conditions, ...actions.nodes].map((node) => (
          <Item key={pathText(node.path)} node={node} drawing={drawing} />
        ))}
        {actions.nodes.length === 0 && (
          <li className={classes.item}>
            <p className={classes.note}>{summary.nothing}</p>
          </li>
        )}
      </ol>
    </section>
  );
}

/** Begins in the middle, where the line from the triggers to the first step is. */
function useCentered(width: number) {
  const scroller = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (current && width > 0) current.scrollLeft = (current.scrollWidth - current.clientWidth) / 2;
  }, [width]);
  return scroller;
}

function Item({ node, drawing }: { readonly node: GraphNode; readonly drawing: Drawing }) {
  const texts = useTexts(flowTexts);
  const { marks } = drawing;
  const mark = marks?.markOf(node);
  const { branches, loop } = node;
  const isReached = mark !== undefined && mark.state !== 'notReached';
  const taken = branches.map((branch) => marks?.isTaken(node, branch) === true);
  const isDone = mark?.state === 'done';
  return (
    <li className={classes.item} data-reached={isReached || undefined} data-end={node.isEnd || undefined}>
      <Card node={node} drawing={drawing} />
      {branches.length > 0 && (
        <>
          <span className={classes.stem} data-taken={taken.includes(true) || undefined} />
          <Lines lines={branches.map(({ line }) => line)} width={widthOf(branches)} taken={taken} />
          <ul className={classes.side}>
            {branches.map((branch, index) => (
              <Branch
                key={branch.name}
                branch={branch}
                drawing={drawing}
                isTaken={taken[index] === true}
                isDone={isDone}
              />
            ))}
          </ul>
          <Lines
            lines={branches.map(({ line, isEnd }) => (isEnd ? undefined : line))}
            width={widthOf(branches)}
            taken={taken.map((one) => one && isDone)}
          />
        </>
      )}
      {loop && (
        <>
          <span className={classes.stem} data-taken={marks?.isTaken(node, loop) || undefined} />
          <div
            className={classes.frame}
            style={columns(node.width)}
            data-reached={marks?.isTaken(node, loop) || undefined}
          >
            <span className={classes.label}>
              <RotateCw aria-hidden />
              {slotLabel(loop.slot, texts)}
            </span>
            <Nodes nodes={loop.nodes} drawing={drawing} />
          </div>
        </>
      )}
    </li>
  );
}

interface BranchProps {
  readonly branch: GraphBranch;
  readonly drawing: Drawing;
  readonly isTaken: boolean;
  /** The run went through it to its end. */
  readonly isDone: boolean;
}

function Branch({ branch, drawing, isTaken, isDone }: BranchProps) {
  const texts = useTexts(flowTexts);
  const { slot, nodes, width, isEnd } = branch;
  return (
    <li className={classes.column} style={columns(width)} data-reached={isTaken || undefined}>
      <span className={classes.stem} data-taken={isTaken || undefined} />
      <span className={classes.label}>{slotLabel(slot, texts)}</span>
      <Nodes nodes={nodes} drawing={drawing} />
      {isEnd ? (
        <span className={classes.gap} />
      ) : (
        <span className={classes.tail} data-taken={(isTaken && isDone) || undefined} />
      )}
    </li>
  );
}

function Nodes({ nodes, drawing }: { readonly nodes: readonly GraphNode[]; readonly drawing: Drawing }) {
  const { slots } = useTexts(flowTexts);
  if (nodes.length === 0) return <VisuallyHidden>{slots.empty}</VisuallyHidden>;
  return (
    <ol className={classes.list}>
      {nodes.map((node) => (
        <Item key={pathText(node.path)} node={node} drawing={drawing} />
      ))}
    </ol>
  );
}

function Card({ node, drawing }: { readonly node: GraphNode; readonly drawing: Drawing }) {
  const { graph: t, summary } = useTexts(flowTexts);
  const { sentences, marks, targetOf } = drawing;
  const mark = marks?.markOf(node);
  const sentence = sentences[node.role](node.node);
  const alias = textOf(node.node, 'alias');
  const isOff = node.node.enabled === false;
  const Icon = useIcon(node);
  const content = (
    <>
      <span className={classes.icon} data-role={node.role}>
        <Icon aria-hidden />
      </span>
      <span className={classes.words}>
        <VisuallyHidden>{t.roles[node.role]}: </VisuallyHidden>
        {alias !== '' && <strong>{alias} · </strong>}
        {sentence}
        {isOff && ` (${summary.off})`}
        {mark && <Mark mark={mark} />}
      </span>
    </>
  );
  const look = { className: classes.card, 'data-off': isOff || undefined, 'data-state': mark?.state };
  return <Pressable target={targetOf(node, mark)} sentence={sentence} look={look} content={content} />;
}

/** Of a block with a single condition, the one of the condition. */
function useIcon({ role, node }: GraphNode): LucideIcon {
  const [only, ...others] = isBlock(node) ? nodesOf(node.conditions) : [node];
  const icon = useNodeIcon(role, only ?? {});
  return only === undefined || others.length > 0 || isBlock(only) ? Parentheses : icon;
}

interface PressableProps {
  readonly target: NodeTarget | undefined;
  readonly sentence: string;
  readonly look: { readonly className: string | undefined };
  readonly content: ReactNode;
}

function Pressable({ target, sentence, look: { className = '', ...data }, content }: PressableProps) {
  if (!target) {
    return (
      <div className={className} {...data}>
        {content}
      </div>
    );
  }
  if ('href' in target) {
    return (
      <Link href={target.href} className={className} {...data}>
        {content}
      </Link>
    );
  }
  return (
    <button
      type="button"
      className={className}
      {...data}
      aria-pressed={target.isPressed}
      onClick={() => target.onPress(sentence)}
    >
      {content}
    </button>
  );
}

function Mark({ mark: { state, rounds, isEnd } }: { readonly mark: NodeMark }) {
  const { graph: t } = useTexts(flowTexts);
  if (state === 'notReached') return <VisuallyHidden> {t.states.notReached}</VisuallyHidden>;
  const Icon = STATE_ICONS[state];
  return (
    <span className={classes.mark}>
      <Icon aria-hidden />
      {t.states[state]}
      {rounds > 1 && ` · ${t.times({ count: rounds })}`}
      {isEnd && ` · ${t.stoppedHere}`}
    </span>
  );
}

interface LinesProps {
  /** None where a branch does not go on. */
  readonly lines: readonly (GraphLine | undefined)[];
  readonly width: number;
  readonly taken: readonly boolean[];
}

/** The horizontal lines between branches and the one that they come from or go to. */
function Lines({ lines, width, taken }: LinesProps) {
  if (lines.length < 2 || lines.every((line) => line === undefined)) return null;
  return (
    <span className={classes.lines} style={columns(width)} aria-hidden>
      {lines.map((line, index) =>
        line ? (
          <i
            key={index}
            style={{ '--from': line.from, '--to': line.to } as CSSProperties}
            data-taken={taken[index] || undefined}
          />
        ) : null,
      )}
    </span>
  );
}

function columns(width: number): CSSProperties {
  return { '--columns': width } as CSSProperties;
}

function widthOf(branches: readonly GraphBranch[]): number {
  return branches.reduce((sum, { width }) => sum + width, 0);
}
