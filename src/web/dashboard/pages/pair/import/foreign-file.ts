/** Another controller's file, as it is sent to the relay; and what the relay says of its entries. */
import { graphql, type ResultOf } from '../../../api/graphql.ts';

export const ImportPairings = graphql(`
  mutation ImportPairings($homeId: String!, $data: String!, $dryRun: Boolean!) {
    importPairings(homeId: $homeId, data: $data, dryRun: $dryRun) {
      success
      error
      code
      devices {
        name
        deviceId
        outcome
      }
    }
  }
`);

export type Imported = NonNullable<
  NonNullable<NonNullable<ResultOf<typeof ImportPairings>['importPairings']>['devices']>[number]
>;

/** Home Assistant's has what all its integrations keep; pairings alone are some kilobytes. */
export const LARGEST_FILE_BYTES = 20_000_000;

/** A word for what the relay need not be asked. */
export type FileProblem = 'tooLarge' | 'notJson' | 'noPairings';

/**
 * Of Home Assistant's file, which has the secrets of everything in it, nothing leaves the browser but what is asked for.
 * @returns JSON, or what is wrong with it
 */
export function relevantPart(text: string): { readonly data: string } | { readonly problem: FileProblem } {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return { problem: 'notJson' };
  }
  const entries = (content as { data?: { entries?: unknown } } | null)?.data?.entries;
  if (!Array.isArray(entries)) return { data: JSON.stringify(content) };
  const ours = entries.filter((entry: { domain?: unknown } | null) => entry?.domain === 'homekit_controller');
  return ours.length === 0 ? { problem: 'noPairings' } : { data: JSON.stringify({ data: { entries: ours } }) };
}

/** @returns how many are here now that were not before: those that answered, and those that will. */
export function countOf(devices: readonly Imported[], ...outcomes: readonly string[]): number {
  return devices.filter(({ outcome }) => outcomes.includes(outcome)).length;
}
