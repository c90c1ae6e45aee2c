/** Another controller's file in the format that is sent to the relay, and the relay's result for each entry. */
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

/** Home Assistant's file contains the data of all its integrations; pairings alone are some kilobytes. */
export const MAX_FILE_BYTES = 20_000_000;

/** Errors found without a request to the relay. */
export type FileProblem = 'tooLarge' | 'notJson' | 'noPairings';

/**
 * Home Assistant's file contains the secrets of all its integrations, so only the requested part leaves the browser.
 * @returns JSON, or the error of the file
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

/** @returns the number of devices with one of these outcomes */
export function countOf(devices: readonly Imported[], ...outcomes: readonly string[]): number {
  return devices.filter(({ outcome }) => outcomes.includes(outcome)).length;
}
