/** The facts of a category in words: "21.5–23 °C", "3 on". */
import type { Catalogues } from 'texts:types';
import type { Format } from '../../texts/format.ts';
import type { CategoryFact } from './categories.ts';

export function factText(fact: CategoryFact, t: Catalogues['home'], format: Format): string {
  if ('count' in fact) return t.categoryFacts[fact.kind]({ count: fact.count });
  if (fact.kind === 'temperature') return format.temperatures(fact.low, fact.high);
  const [low, high] = [format.percent(fact.low), format.percent(fact.high)];
  return low === high ? high : t.range({ low, high });
}
