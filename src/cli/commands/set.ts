import { Command } from 'commander';
import { type Cli, examples } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import type { ServiceGroupResource, SetResult } from '../api-resources.ts';
import { parseSettings, type Settings } from '../assignments.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { type Entry, keyPathOf, loadHouse } from '../house.ts';

/** `hearthd set`: switches, dims, locks. */
export function setCommand(cli: Cli): Command {
  return new Command('set')
    .description('set properties of an accessory or a service group')
    .argument('<accessory>', 'name, "Room/Name", "Home/Room/Name", slug key or id')
    .argument('<property=value...>', 'on=true, brightness=40, hvac_mode=heat …')
    .addHelpText(
      'after',
      [
        '',
        'hearthd state --json shows under _settable what an accessory takes.',
        examples('hearthd set "Living Room/Lamp" on=true brightness=40', 'hearthd set "All Lamps" on=false'),
      ].join('\n'),
    )
    .action(
      cli.run(async ({ api, output }, text: string, assignments: readonly string[]) => {
        const settings = parseSettings(assignments);
        const groups = await api.get<ServiceGroupResource[]>('/rest/service-groups');
        const entry = (await loadHouse(api)).entry(text, groups);
        const result = await setProperties(api, entry, settings);
        output.result(result, () => output.line(`${entry.name}: ${assignments.join(' ')}`));
        return EXIT.ok;
      }),
    );
}

/** Sets all of them in one go. @throws `CliError` anything failed; it says what was done all the same */
export async function setProperties(api: ApiClient, entry: Entry, settings: Settings): Promise<SetResult> {
  const [home, room, key] = keyPathOf(entry);
  const result = await api.send<SetResult>('POST', '/rest/state', { [home]: { [room]: { [key]: settings } } });
  if (result.failed > 0 || result.errors.length > 0) throw failureOf(result, `${home}/${room}/${key}.`);
  return result;
}

/** The API's fixed sentences (§7.4) → exit codes: a batch's errors carry no codes of their own. */
const SENTENCES: readonly (readonly [RegExp, ExitCode, string])[] = [
  [/accessory unreachable/i, EXIT.unreachable, 'accessory_unreachable'],
  [/relay not connected/i, EXIT.unreachable, 'relay_not_connected'],
  [/not writable|is read-only/i, EXIT.refused, 'characteristic_not_writable'],
  [/invalid value/i, EXIT.usage, 'invalid_value'],
  [/unknown property/i, EXIT.usage, 'characteristic_not_found'],
  [/not found/i, EXIT.notFound, 'accessory_not_found'],
];

/** @param place where the accessory stands in the tree: whoever typed its name needs no second one. */
function failureOf({ changes, errors, message }: SetResult, place: string): CliError {
  const reasons = errors.map((error) => (error.startsWith(place) ? error.slice(place.length) : error));
  const [first = message] = reasons;
  const [, exitCode, code] = SENTENCES.find(([pattern]) => pattern.test(first)) ?? [null, EXIT.failed, 'failed'];
  const done = changes.length > 0 ? [`Done all the same: ${changes.join('; ')}`] : [];
  return new CliError(exitCode, code, [...(reasons.length > 0 ? reasons : [message]), ...done].join('\n'));
}
