/** Every kind of condition: its form and its sentence, "Front Door is locked", "It is between 22:00 and 06:00". */
import { ArrowUpDown, Braces, Clock, Equal, House, Sun, Workflow } from 'lucide-react';
import { type Comparison, isText, valueText } from '../../../pickers/property-words.ts';
import { durationMs } from './durations.ts';
import { type FlowNode, type Json, nodesOf, numberOf, textOf, wordsOf } from './flow-record.ts';
import { EXPRESSION, field, type Kind, LEVEL, need, PROPERTY, SUN, VALUE, WEEKDAYS } from './kind.ts';
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
  shortened,
} from './sentence-context.ts';

const COMPARISONS: ReadonlySet<string> = new Set(['eq', 'neq', 'above', 'below', 'at_least', 'at_most']);

export const CONDITIONS: readonly Kind[] = [
  {
    type: 'state',
    icon: Equal,
    fields: [
      PROPERTY('read'),
      field('operator', { is: 'choice', choices: ['eq', 'neq', 'above', 'below', 'at_least', 'at_most'] }),
      need('value', VALUE),
    ],
    sentence(node, { inventory, words, texts }) {
      const ref = propertyRef(node);
      if (!ref) return texts.condition.incompleteProperty;
      const operator = textOf(node, 'operator');
      const comparison = COMPARISONS.has(operator) ? (operator as Comparison) : 'eq';
      return isText(inventory, ref, comparison, node.value, words);
    },
  },
  {
    type: 'numeric_state',
    icon: ArrowUpDown,
    fields: [PROPERTY('number'), field('above', LEVEL), field('below', LEVEL)],
    sentence(node, context) {
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
  },
  {
    type: 'time',
    icon: Clock,
    fields: [field('after', { is: 'time' }), field('before', { is: 'time' }), WEEKDAYS],
    initial: {
      after: '22:00',
      before: '06:00',
    },
    sentence(node, context) {
      const { condition } = context.texts;
      const span = spanWords(clockOf(node.after, context), clockOf(node.before, context), context);
      const hasDays = Array.isArray(node.weekdays) && node.weekdays.length > 0;
      const days = daysWords(node.weekdays, context);
      if (span === undefined) return hasDays ? condition.days({ days }) : condition.always;
      return hasDays ? condition.onDays({ sentence: span, days }) : span;
    },
  },
  {
    type: 'sun',
    icon: Sun,
    fields: [
      field('after', SUN),
      field('afterOffset', { is: 'offset' }, { when: ({ after }) => after !== undefined }),
      field('before', SUN),
      field('beforeOffset', { is: 'offset' }, { when: ({ before }) => before !== undefined }),
    ],
    initial: { after: 'sunset' },
    sentence(node, context) {
      const after = sunWords(node.after, node.afterOffset, context);
      const before = sunWords(node.before, node.beforeOffset, context);
      return spanWords(after, before, context) ?? context.texts.condition.always;
    },
  },
  {
    type: 'presence',
    icon: House,
    fields: [need('who', { is: 'who' }), need('event', { is: 'choice', choices: ['atHome', 'notAtHome'] })],
    initial: { event: 'atHome', who: 'anyone' },
    sentence(node, context) {
      const { condition } = context.texts;
      const event = node.event === 'notAtHome' ? 'notAtHome' : 'atHome';
      if (Array.isArray(node.who))
        return condition[event]({ names: peopleNames(node.who, context), count: wordsOf(node.who).length });
      return condition.presence[node.who === 'everyone' ? 'everyone' : 'anyone'][event];
    },
  },
  {
    type: 'trigger',
    icon: Workflow,
    fields: [need('triggerId', { is: 'triggerRef' })],
    sentence(node, context, describe) {
      const id = textOf(node, 'triggerId');
      const trigger = context.triggers?.find((one) => one.id === id);
      return context.texts.condition.trigger({ sentence: trigger ? describe.trigger(trigger, context) : id });
    },
  },
  {
    type: 'template',
    icon: Braces,
    fields: [EXPRESSION],
    sentence: (node, { texts }) =>
      capitalized(
        texts.condition.template({ expression: texts.expression({ text: shortened(textOf(node, 'expression')) }) }),
      ),
  },
];

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
