/** The sentence of each kind of condition: "Front Door is locked", "It is between 22:00 and 06:00". */
import { type Comparison, isText, valueText } from '../../../pickers/property-words.ts';
import { durationMs } from './durations.ts';
import { type FlowNode, type Json, nodesOf, numberOf, textOf, wordsOf } from './flow-record.ts';
import {
  capitalized,
  clockWords,
  daysWords,
  durationWords,
  peopleNames,
  propertyAndName,
  propertyRef,
  type Sentence,
  type SentenceContext,
  type Sentences,
  shortened,
} from './sentence-context.ts';

const COMPARISONS: ReadonlySet<string> = new Set(['eq', 'neq', 'above', 'below', 'at_least', 'at_most']);

export const CONDITION_SENTENCES: Sentences = {
  state(node, { inventory, words, texts }) {
    const ref = propertyRef(node);
    if (!ref) return texts.condition.incompleteProperty;
    const operator = textOf(node, 'operator');
    const comparison = COMPARISONS.has(operator) ? (operator as Comparison) : 'eq';
    return isText(inventory, ref, comparison, node.value, words);
  },

  numeric_state(node, context) {
    const { condition } = context.texts;
    const ref = propertyRef(node);
    if (!ref) return condition.incompleteProperty;
    const [property, name] = propertyAndName(ref, context);
    const sentences = (value: number) => valueText(ref.characteristicType, value, context.words);
    const [above, below] = [numberOf(node, 'above'), numberOf(node, 'below')];
    if (above !== undefined && below !== undefined)
      return capitalized(condition.between({ property, name, low: sentences(above), high: sentences(below) }));
    if (above !== undefined) return capitalized(condition.above({ property, name, value: sentences(above) }));
    return capitalized(condition.below({ property, name, value: below === undefined ? '…' : sentences(below) }));
  },

  time(node, context) {
    const { condition } = context.texts;
    const span = spanWords(clockOf(node.after, context), clockOf(node.before, context), context);
    const hasDays = Array.isArray(node.weekdays) && node.weekdays.length > 0;
    const days = daysWords(node.weekdays, context);
    if (span === undefined) return hasDays ? condition.days({ days }) : condition.always;
    return hasDays ? condition.onDays({ sentence: span, days }) : span;
  },

  sun(node, context) {
    const after = sunWords(node.after, node.afterOffset, context);
    const before = sunWords(node.before, node.beforeOffset, context);
    return spanWords(after, before, context) ?? context.texts.condition.always;
  },

  presence(node, context) {
    const { condition } = context.texts;
    const event = node.event === 'notAtHome' ? 'notAtHome' : 'atHome';
    if (Array.isArray(node.who))
      return condition[event]({ names: peopleNames(node.who, context), count: wordsOf(node.who).length });
    return condition.presence[node.who === 'everyone' ? 'everyone' : 'anyone'][event];
  },

  template: (node, { texts }) =>
    capitalized(
      texts.condition.template({ expression: texts.expression({ text: shortened(textOf(node, 'expression')) }) }),
    ),
};

/** @param describe describes one condition, including a nested block */
export function describeBlock(block: FlowNode, context: SentenceContext, describe: Sentence): string {
  const { condition } = context.texts;
  const items = nodesOf(block.conditions).map((one) => describe(one, context));
  if (items.length === 0) return condition.always;
  if (block.operator === 'not') return condition.none({ items: items.join(condition.joinAnd) });
  if (items.length === 1) return items[0] ?? '';
  const isOr = block.operator === 'or';
  const list = items.join(isOr ? condition.joinOr : condition.joinAnd);
  return isOr ? condition.any({ items: list }) : list;
}

function spanWords(
  after: string | undefined,
  before: string | undefined,
  { texts: { condition } }: SentenceContext,
): string | undefined {
  if (after !== undefined && before !== undefined) return condition.timeBetween({ after, before });
  if (after !== undefined) return condition.timeAfter({ after });
  return before === undefined ? undefined : condition.timeBefore({ before });
}

function clockOf(time: Json | undefined, context: SentenceContext): string | undefined {
  return typeof time === 'string' && time !== '' ? clockWords(time, context) : undefined;
}

function sunWords(event: Json | undefined, offset: Json | undefined, context: SentenceContext): string | undefined {
  if (event !== 'sunrise' && event !== 'sunset') return undefined;
  const { sun, earlier, later } = context.texts.condition;
  const ms = durationMs(offset) ?? 0;
  if (ms === 0) return sun[event];
  return (ms < 0 ? earlier : later)({ span: durationWords(offset, context), event: sun[event] });
}
