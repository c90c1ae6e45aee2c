import type { CharacteristicValue } from '../../../home/model.ts';
import { asNumber, looseEqual } from '../expressions/values.ts';
import { invalid } from '../parsing/faults.ts';
import { optional } from '../parsing/field.ts';
import { oneOf, READING, readValue } from '../parsing/field-kinds.ts';
import { thingWords, valueWords } from '../words.ts';
import { conditionKind } from './condition-kind.ts';
import { readTarget } from './target-value.ts';

export const COMPARISONS = ['eq', 'neq', 'above', 'below', 'at_least', 'at_most'] as const;
export type Comparison = (typeof COMPARISONS)[number];

type KnownValue = Exclude<CharacteristicValue, null>;

const WORDS: Readonly<Record<Comparison, string>> = {
  eq: 'is',
  neq: 'is not',
  above: 'is above',
  below: 'is below',
  at_least: 'is at least',
  at_most: 'is at most',
};

/** Only numbers, and texts that contain numbers, can be above or below. */
function ordered(
  holds: (value: number, wanted: number) => boolean,
): (value: KnownValue, wanted: KnownValue) => boolean {
  return (value, wanted) => {
    const [left, right] = [asNumber(value), asNumber(wanted)];
    return left !== undefined && right !== undefined && holds(left, right);
  };
}

const HOLDS: Readonly<Record<Comparison, (value: KnownValue, wanted: KnownValue) => boolean>> = {
  eq: (value, wanted) => looseEqual(value, wanted),
  neq: (value, wanted) => !looseEqual(value, wanted),
  above: ordered((value, wanted) => value > wanted),
  below: ordered((value, wanted) => value < wanted),
  at_least: ordered((value, wanted) => value >= wanted),
  at_most: ordered((value, wanted) => value <= wanted),
};

/** A characteristic equals a value, or is above or below it. `true`, `1` and `"1"` are equal (wire-facts §6.4). */
export const state = conditionKind({
  type: 'state',
  fields: {
    thing: READING,
    value: readValue('What it is compared with.', 'the value to compare with'),
    operator: optional(oneOf(COMPARISONS, '`eq` if left out.')),
  },
  check({ operator = 'eq', value }, fields) {
    if (operator === 'eq' || operator === 'neq' || typeof value === 'number') return;
    throw invalid(fields.at('operator'), 'only numbers are above or below; use eq or neq');
  },
  summarize(condition, homeState) {
    const { operator = 'eq', value } = condition;
    return `${thingWords(homeState, condition)} ${WORDS[operator]} ${valueWords(condition.characteristicType, value)}`;
  },
  evaluate(condition, context) {
    const { operator = 'eq', value: wanted } = condition;
    const { value, found } = readTarget(condition, context);
    return { passed: value !== null && wanted !== null && HOLDS[operator](value, wanted), found };
  },
});
