/** The content of traces, in the page's language. */
import type { Catalogues } from 'texts:types';

export type RunTexts = Catalogues['automation-runs'];

/** Why a run did not begin, as the end of a sentence. */
export function blockedText(reason: string, { blocked }: RunTexts): string {
  const words = blocked as Readonly<Record<string, unknown>>;
  const text = words[reason];
  return typeof text === 'string' ? text : blocked.other({ reason });
}

export type RunStatus = keyof RunTexts['status'];

export function runStateOf({
  status,
  blockedReason,
}: {
  readonly status: string;
  readonly blockedReason: string | null;
}): RunStatus {
  if (blockedReason) return 'blocked';
  return STATES.find((state) => state === status) ?? 'error';
}
const STATES: readonly RunStatus[] = ['running', 'success', 'error', 'stopped', 'timeout', 'cancelled'];

export type RunTone = 'good' | 'bad' | 'note' | 'calm';

const TONES: Readonly<Record<RunStatus, RunTone>> = {
  running: 'note',
  success: 'good',
  error: 'bad',
  stopped: 'calm',
  timeout: 'bad',
  cancelled: 'calm',
  blocked: 'note',
};

export function toneOf(state: RunStatus): RunTone {
  return TONES[state];
}

/** The relay's data about a failed run or step. */
export interface Failure {
  readonly error: string | null;
  readonly reason?: string | null;
  readonly refusals?: readonly { readonly accessoryId: string; readonly code: string }[] | null;
}

const TIPS: Readonly<Record<string, keyof RunTexts['tips']>> = {
  accessory_unreachable: 'unreachable',
  relay_not_connected: 'unreachable',
  expression: 'expression',
  wrong_result: 'expression',
  web_refused: 'network',
  web_timeout: 'network',
  web_network: 'network',
  web_forbidden: 'network',
};

/** A hint how to resolve the failure. */
export function tipFor({ reason, refusals }: Failure, status: string): keyof RunTexts['tips'] {
  if (status === 'timeout') return 'timeout';
  const word = refusals?.[0]?.code ?? reason ?? '';
  if (word.endsWith('not_found')) return 'missing';
  return (Object.hasOwn(TIPS, word) && TIPS[word]) || 'other';
}

/** Errors for which the relay's message names a place or an identifier. */
const WITH_DETAIL: ReadonlySet<string> = new Set(['expression', 'wrong_result', 'script_stopped']);

interface FailureWords {
  readonly texts: RunTexts;
  /** By the relay's error codes. */
  readonly errors: Readonly<Record<string, string>>;
  readonly nameOf: (accessoryId: string) => string | undefined;
  readonly list: (names: readonly string[]) => string;
}

/** The reason of a failure, in the page's language if the relay gives more than its message. */
export function failureText({ error, reason, refusals }: Failure, words: FailureWords): string {
  const { texts, errors } = words;
  const sentence = error ?? '';
  if (refusals && refusals.length > 0) return refusalsText(refusals, words);
  if (!reason) return sentence;
  const own = texts.reasons as Readonly<Record<string, string>>;
  if (!Object.hasOwn(own, reason)) return Object.hasOwn(errors, reason) ? (errors[reason] ?? sentence) : sentence;
  return WITH_DETAIL.has(reason) ? `${own[reason]} ${texts.detail({ sentence })}` : (own[reason] ?? sentence);
}

/** One sentence for all accessories that failed for the same reason. */
function refusalsText(refusals: NonNullable<Failure['refusals']>, { texts, nameOf, list }: FailureWords): string {
  const names = new Map<keyof RunTexts['refusals'], string[]>();
  for (const { accessoryId, code } of refusals) {
    const isGone = code === 'accessory_not_found';
    const cause = isGone ? 'gone' : code === 'accessory_unreachable' ? 'unreachable' : 'other';
    names.set(cause, [...(names.get(cause) ?? []), nameOf(accessoryId) ?? texts.goneName]);
  }
  return [...names].map(([cause, each]) => texts.refusals[cause]({ names: list(each), count: each.length })).join(' ');
}

/** `choices[1]` and `branches[0]` of a trace's step, counted from 1. */
export function branchText(branch: string, { branches }: RunTexts, number: (value: number) => string): string {
  const [, list, index] = /^(choices|branches)\[(\d+)\]$/.exec(branch) ?? [];
  if (list !== undefined) {
    const place = number(Number(index) + 1);
    return list === 'choices' ? branches.choice({ number: place }) : branches.branch({ number: place });
  }
  const text = (branches as Readonly<Record<string, unknown>>)[branch === 'then' ? 'met' : branch];
  return typeof text === 'string' ? text : branch;
}
