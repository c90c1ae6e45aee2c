/** What a dry run says it would have done, as a list in the order of time. Its lists are JSON of the relay's, read with care. */
import { isObject, type JsonObject, numberOf, textOf } from '../flow/flow-record.ts';

export type TrialEntry =
  | { readonly is: 'write'; readonly at: number; readonly node: JsonObject; readonly error: string }
  | { readonly is: 'notice'; readonly at: number; readonly message: string }
  | { readonly is: 'request'; readonly at: number; readonly node: JsonObject }
  | { readonly is: 'event'; readonly at: number; readonly node: JsonObject }
  | { readonly is: 'command'; readonly at: number; readonly name: string; readonly action: string };

interface Lists {
  readonly writes: readonly unknown[];
  readonly notifications: readonly unknown[];
  readonly requests: readonly unknown[];
  readonly events: readonly unknown[];
  readonly commands: readonly unknown[];
}

export function readTrial(lists: Lists): readonly TrialEntry[] {
  const entries: readonly TrialEntry[] = [
    ...objects(lists.writes).map(
      (node) => ({ is: 'write', at: timeOf(node), node, error: textOf(node, 'error') }) as const,
    ),
    ...objects(lists.notifications).map(
      (node) => ({ is: 'notice', at: timeOf(node), message: textOf(node, 'message') }) as const,
    ),
    ...objects(lists.requests).map((node) => ({ is: 'request', at: timeOf(node), node }) as const),
    ...objects(lists.events).map((node) => ({ is: 'event', at: timeOf(node), node }) as const),
    ...objects(lists.commands).map(
      (node) =>
        ({
          is: 'command',
          at: timeOf(node),
          name: textOf(node, 'automationId'),
          action: textOf(node, 'action'),
        }) as const,
    ),
  ];
  return entries.toSorted((a, b) => a.at - b.at);
}

function objects(list: readonly unknown[]): readonly JsonObject[] {
  return list.filter(isObject);
}

/** Milliseconds; REST and GraphQL write moments as ISO 8601. */
function timeOf(node: JsonObject): number {
  return numberOf(node, 'at') ?? (Date.parse(textOf(node, 'at')) || 0);
}
