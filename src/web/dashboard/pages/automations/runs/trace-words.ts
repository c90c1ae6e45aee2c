/** What traces say, in the words of the page. */
import type { TextsLike } from '../../../texts/texts.ts';
import type { runTexts } from './texts/texts.ts';

export type RunTexts = TextsLike<(typeof runTexts)['en']>;

/** Why a run did not begin: the end of a sentence. */
export function blockedText(reason: string, { blocked }: RunTexts): string {
  const words = blocked as Readonly<Record<string, unknown>>;
  const text = words[reason];
  return typeof text === 'string' ? text : blocked.other(reason);
}

export type RunState = keyof RunTexts['status'];

export function runStateOf({
  status,
  blockedReason,
}: {
  readonly status: string;
  readonly blockedReason: string | null;
}): RunState {
  if (blockedReason) return 'blocked';
  return STATES.find((state) => state === status) ?? 'error';
}
const STATES: readonly RunState[] = ['running', 'success', 'error', 'stopped', 'timeout', 'cancelled'];

export type Tone = 'good' | 'bad' | 'note' | 'calm';

const TONES: Readonly<Record<RunState, Tone>> = {
  running: 'note',
  success: 'good',
  error: 'bad',
  stopped: 'calm',
  timeout: 'bad',
  cancelled: 'calm',
  blocked: 'note',
};

export function toneOf(state: RunState): Tone {
  return TONES[state];
}

/** By words of the relay's sentences: what a person can do about it. The first that fits. */
const TIPS: readonly (readonly [RegExp, keyof RunTexts['tips']])[] = [
  [/not reach|unreachable|does not answer|no answer from|not connected|offline/i, 'unreachable'],
  [/not found|no such|does not exist|is gone|removed/i, 'missing'],
  [/expression|template|\{\{|unknown name|undefined/i, 'expression'],
  [/https?:|server|status \d{3}|connect|ENOTFOUND|ECONN|network/i, 'network'],
];

export function tipFor(error: string, status: string): keyof RunTexts['tips'] {
  if (status === 'timeout') return 'timeout';
  return TIPS.find(([pattern]) => pattern.test(error))?.[1] ?? 'other';
}

/** Sentences that the relay says often, in the page's language; any other as it is. */
export function sentenceText(sentence: string, { sentences }: RunTexts): string {
  const [, key] = SENTENCES.find(([pattern]) => pattern.test(sentence)) ?? [];
  return key ? sentences[key] : sentence;
}
const SENTENCES: readonly (readonly [RegExp, keyof RunTexts['sentences']])[] = [
  [/^It was triggered again\.$/, 'again'],
  [/^The daemon was stopped while it ran\.$/, 'stopped'],
  [/^It was cancelled\.$/, 'cancelled'],
];

/** `choices[1]` and `branches[0]` of a trace's step, as people count. */
export function branchText(branch: string, { branches }: RunTexts, number: (value: number) => string): string {
  const [, list, index] = /^(choices|branches)\[(\d+)\]$/.exec(branch) ?? [];
  if (list !== undefined) {
    const place = number(Number(index) + 1);
    return list === 'choices' ? branches.choice(place) : branches.branch(place);
  }
  const text = (branches as Readonly<Record<string, unknown>>)[branch === 'then' ? 'met' : branch];
  return typeof text === 'string' ? text : branch;
}
