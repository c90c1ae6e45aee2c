/**
 * Reads Prometheus' text format 0.0.4 and OpenMetrics 1.0 as their documents define them, and throws for everything
 * that they do not allow: a reader of its own, so that the one who writes does not judge itself.
 */

export interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly help: string;
  /** By name and labels as they are written: `a_total{b="c"}`. */
  readonly samples: ReadonlyMap<string, number>;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{((?:${LABEL})(?:,${LABEL})*)\\})? (\\S+)$`);
const COMMENT = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`);
const NUMBER = /^(?:[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?|\+Inf|NaN)$/i;

export function parseExposition(text: string, format: 'text' | 'openmetrics' = 'text'): ReadonlyMap<string, Family> {
  const families = new Map<string, Family>();
  for (const block of blocksOf(text, format)) {
    const family = parseFamily(block, format);
    if (families.has(family.name)) throw new Error(`${family.name} is told twice`);
    families.set(family.name, family);
  }
  return families;
}

function blocksOf(text: string, format: 'text' | 'openmetrics'): readonly (readonly string[])[] {
  if (!text.endsWith('\n')) throw new Error('The last line does not end');
  const lines = text.slice(0, -1).split('\n');
  if (format === 'openmetrics') {
    if (lines.pop() !== '# EOF') throw new Error('It does not end with # EOF');
    if (lines.includes('')) throw new Error('It has an empty line');
  }
  const blocks: string[][] = [];
  for (const line of lines.filter((each) => each !== '')) {
    if (line.startsWith('# HELP ')) blocks.push([]);
    const block = blocks.at(-1);
    if (!block) throw new Error(`Nothing says what this is: ${line}`);
    block.push(line);
  }
  return blocks;
}

function parseFamily([first = '', second = '', ...rest]: readonly string[], format: 'text' | 'openmetrics'): Family {
  const [, , name = '', help = ''] = COMMENT.exec(first) ?? [];
  const [, kind, typed, type = ''] = COMMENT.exec(second) ?? [];
  if (kind !== 'TYPE' || typed !== name) throw new Error(`${first} is not followed by its type`);
  if (type !== 'counter' && type !== 'gauge' && type !== 'histogram' && type !== 'summary') {
    throw new Error(`${type} is no type`);
  }
  const samples = new Map<string, number>();
  for (const line of rest) {
    const [, sample = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    if (sample === '' || !NUMBER.test(value)) throw new Error(`This is no sample: ${line}`);
    if (!namesOf(name, type, format).includes(sample))
      throw new Error(`${sample} does not belong to the ${type} ${name}`);
    checkOwnLabels(type, sample, labels, name);
    const key = labels === '' ? sample : `${sample}{${labels}}`;
    if (samples.has(key)) throw new Error(`${key} is told twice`);
    samples.set(key, value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value));
  }
  const family = { name, type, help, samples } as const;
  if (type === 'counter') checkCounter(family, format);
  if (type === 'histogram') checkHistogram(family);
  if (type === 'summary') checkSummary(family);
  return family;
}

function namesOf(name: string, type: Family['type'], format: 'text' | 'openmetrics'): readonly string[] {
  if (type === 'histogram') return [`${name}_bucket`, `${name}_sum`, `${name}_count`];
  if (type === 'summary') return [name, `${name}_sum`, `${name}_count`];
  return [type === 'counter' && format === 'openmetrics' ? `${name}_total` : name];
}

/**
 * Two labels have a meaning of their own: `le` belongs to the buckets of histograms, `quantile` to summaries, and to
 * nothing else.
 */
function checkOwnLabels(type: Family['type'], sample: string, labels: string, name: string): void {
  const names = new Set((labels.match(new RegExp(LABEL, 'g')) ?? []).map((label) => label.split('=')[0]));
  if (names.has('quantile') !== (type === 'summary' && sample === name)) {
    throw new Error(`quantile is a label of summaries, and each of their quantiles has it: ${sample}{${labels}}`);
  }
  if (names.has('le') !== (type === 'histogram' && sample === `${name}_bucket`)) {
    throw new Error(`le is a label of buckets, and each bucket has it: ${sample}{${labels}}`);
  }
}

/** Quantiles are between 0 and 1, and there is a sum and a count. */
function checkSummary({ name, samples }: Family): void {
  for (const [key, value] of samples) {
    const quantile = /[{,]quantile="([^"]*)"/.exec(key)?.[1];
    if (quantile !== undefined && !(Number(quantile) >= 0 && Number(quantile) <= 1))
      throw new Error(`${key} is no quantile`);
    if (quantile === undefined && !(value >= 0)) throw new Error(`${key} is ${value}`);
  }
  if (!samples.has(`${name}_sum`) || !samples.has(`${name}_count`)) throw new Error(`${name} has no sum or no count`);
}

function checkCounter({ name, samples }: Family, format: 'text' | 'openmetrics'): void {
  if ((format === 'text') !== name.endsWith('_total')) throw new Error(`${name} is no name of a counter`);
  for (const [key, value] of samples) if (!(value >= 0)) throw new Error(`${key} is ${value}`);
}

/** Buckets rise with their bounds, the last is all of them, and each series has a sum and a count. */
function checkHistogram({ name, samples }: Family): void {
  const series = new Map<string, { bounds: number[]; counts: number[] }>();
  for (const [key, value] of samples) {
    if (!key.startsWith(`${name}_bucket{`)) continue;
    const all = key.slice(name.length + '_bucket{'.length, -1).match(new RegExp(LABEL, 'g')) ?? [];
    const labels = all.filter((label) => !label.startsWith('le=')).join(',');
    const bound = /^le="(.*)"$/.exec(all.find((label) => label.startsWith('le=')) ?? '')?.[1];
    if (bound === undefined) throw new Error(`${key} has no bound`);
    const own = series.get(labels) ?? { bounds: [], counts: [] };
    own.bounds.push(bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound));
    own.counts.push(value);
    series.set(labels, own);
  }
  for (const [labels, { bounds, counts }] of series) {
    const braces = labels === '' ? '' : `{${labels}}`;
    const rises = (list: readonly number[]): boolean =>
      list.every((each, at) => at === 0 || each >= (list[at - 1] ?? 0));
    if (!rises(bounds) || new Set(bounds).size !== bounds.length)
      throw new Error(`${name}${braces}: bounds do not rise`);
    if (!rises(counts)) throw new Error(`${name}${braces}: buckets do not rise`);
    if (bounds.at(-1) !== Number.POSITIVE_INFINITY) throw new Error(`${name}${braces}: the last bucket has a bound`);
    if (samples.get(`${name}_count${braces}`) !== counts.at(-1))
      throw new Error(`${name}${braces}: the count is another`);
    if (samples.get(`${name}_sum${braces}`) === undefined) throw new Error(`${name}${braces}: there is no sum`);
  }
}
