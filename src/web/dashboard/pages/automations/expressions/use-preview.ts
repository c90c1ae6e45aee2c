/** What an expression comes to now, asked again while it is typed and while the page is seen. */
import { useEffect, useState } from 'react';
import { graphql } from '../../../api/graphql.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useHome } from '../../../home/use-home.ts';
import { type FlowRecord, isObject } from '../flow/flow-record.ts';

const PreviewQuery = graphql(`
  query EvaluateExpression($homeId: String!, $text: String!, $kind: String, $variables: JSON, $trigger: JSON) {
    evaluateExpression(homeId: $homeId, text: $text, kind: $kind, variables: $variables, trigger: $trigger) {
      value
      error
      accessoryIds
      usesTime
      usesRun
    }
  }
`);

/** A pause in typing. */
const PAUSE_MS = 300;
/** The values of the home change meanwhile. */
const EVERY_MS = 5_000;

export interface PreviewInput {
  readonly text: string;
  readonly kind: 'text' | 'expression';
  readonly variables?: FlowRecord['variables'];
  readonly trigger?: Readonly<Record<string, unknown>> | undefined;
}

export interface EvaluatedExpression {
  readonly value: unknown;
  readonly error: { readonly message: string; readonly line: number; readonly column: number } | undefined;
  readonly accessoryIds: readonly string[];
  readonly usesTime: boolean;
  readonly usesRun: boolean;
}

/** @returns `undefined` before the first answer, and while there is nothing to evaluate */
export function usePreview(input: PreviewInput): {
  readonly preview: EvaluatedExpression | undefined;
  readonly failure: unknown;
} {
  const { id: homeId } = useHome();
  const settled = useSettled(JSON.stringify(input));
  const { text, kind, variables, trigger }: PreviewInput = JSON.parse(settled);
  const isEmpty = text.trim() === '' || (kind === 'text' && !text.includes('{{'));
  const query = useApiQuery(
    PreviewQuery,
    { homeId, text, kind, variables: isObject(variables) ? variables : null, trigger: trigger ?? null },
    { subjects: [], everyMs: EVERY_MS, keepPrevious: true, enabled: !isEmpty },
  );
  const answer = isEmpty ? undefined : query.data?.evaluateExpression;
  return {
    preview: answer ? ({ ...answer, error: answer.error ?? undefined } as EvaluatedExpression) : undefined,
    failure: isEmpty ? undefined : query.error,
  };
}

/** The value once it has stayed the same for a moment; the first one at once. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
