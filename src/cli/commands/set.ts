import type { ServiceGroup } from '../../contract/service-groups.ts';
import type { StateReport } from '../../contract/state.ts';
import type { ApiClient } from '../api-client.ts';
import { parseSettings, type Settings } from '../assignments.ts';
import { defineCommand } from '../define-command.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { keyPathOf, loadInventory, type StateItem } from '../inventory.ts';

/** `hearthd set`: sets properties of an accessory. */
export const setCommand = defineCommand({
  name: 'set',
  description: 'set properties of an accessory or a service group',
  arguments: [
    ['<accessory>', 'name, "Room/Name", "Home/Room/Name", slug key or id'],
    ['<property=value...>', 'on=on, brightness=40, lock=unlocked, hvac_mode=heat …'],
  ],
  notes: ['List the writable properties of an accessory with hearthd accessory show.'],
  examples: [
    'hearthd set "Living Room/Lamp" on=on brightness=40',
    'hearthd set "Front Door" lock=locked',
    'hearthd set "All Lamps" on=off',
  ],
  async run({ api, output }, text, assignments) {
    const settings = parseSettings(assignments);
    const groups = await api.get<ServiceGroup[]>('/rest/service-groups');
    const entry = (await loadInventory(api)).entry(text, groups);
    const result = await setProperties(api, entry, settings);
    output.done(result, `${entry.name}: ${assignments.join(' ')}`);
  },
});

/**
 * Sets all properties in one request. @throws `CliError` any of them failed; the message includes the successful ones
 */
export async function setProperties(api: ApiClient, entry: StateItem, settings: Settings): Promise<StateReport> {
  const [home, room, key] = keyPathOf(entry);
  const result = await api.send<StateReport>('POST', '/rest/state', { [home]: { [room]: { [key]: settings } } });
  if (result.failed > 0 || result.errors.length > 0) throw failureOf(result, `${home}/${room}/${key}.`);
  return result;
}

/** The API's fixed sentences (§7.4) → exit codes: errors of a batch have no codes. */
const SENTENCES: readonly (readonly [RegExp, ExitCode, string])[] = [
  [/accessory unreachable/i, EXIT.unreachable, 'accessory_unreachable'],
  [/relay not connected/i, EXIT.unreachable, 'relay_not_connected'],
  [/not writable|is read-only/i, EXIT.refused, 'characteristic_not_writable'],
  [/invalid value/i, EXIT.usage, 'invalid_value'],
  [/unknown property/i, EXIT.usage, 'characteristic_not_found'],
  [/not found/i, EXIT.notFound, 'accessory_not_found'],
];

/** @param place the accessory's position in the tree; the message omits it, because the user typed the name. */
function failureOf({ changes, errors, message }: StateReport, place: string): CliError {
  const reasons = errors.map((error) => (error.startsWith(place) ? error.slice(place.length) : error));
  const [first = message] = reasons;
  const [, exitCode, code] = SENTENCES.find(([pattern]) => pattern.test(first)) ?? [null, EXIT.failed, 'failed'];
  const done = changes.length > 0 ? [`Succeeded: ${changes.join('; ')}`] : [];
  return new CliError(exitCode, code, [...(reasons.length > 0 ? reasons : [message]), ...done].join('\n'));
}
