import { asNumber } from '../expressions/values.ts';
import { NUMERIC_READING, RANGE } from '../parsing/field-kinds.ts';
import { thingWords } from '../words.ts';
import { conditionKind } from './condition-kind.ts';
import { readTarget } from './target-value.ts';

/** A number is above one bound, below another, or between both. The bounds are exclusive. */
export const numericState = conditionKind({
  type: 'numeric_state',
  fields: { thing: NUMERIC_READING, range: RANGE },
  summarize(condition, homeState) {
    const { above, below } = condition;
    const bounds = [above === undefined ? '' : `above ${above}`, below === undefined ? '' : `below ${below}`];
    return `${thingWords(homeState, condition)} is ${bounds.filter((bound) => bound !== '').join(' and ')}`;
  },
  evaluate(condition, context) {
    const { above = Number.NEGATIVE_INFINITY, below = Number.POSITIVE_INFINITY } = condition;
    const { value, found } = readTarget(condition, context);
    const number = asNumber(value);
    return { passed: number !== undefined && number > above && number < below, found };
  },
});
