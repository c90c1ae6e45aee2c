import { readFileSync } from 'node:fs';
import type { ImportedDevice } from '../../contract/pairings.ts';
import { HOME_OPTION } from '../action.ts';
import { defineCommand } from '../define-command.ts';
import { CliError, EXIT, usageError } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';

const OUTCOMES: Readonly<Record<string, string>> = {
  imported: 'imported',
  new: 'would be imported',
  already_here: 'already here',
  unreachable: 'imported, offline',
  refused: 'refused',
  unsupported: 'not possible',
  invalid: 'malformed',
};
const FAILED = ['refused', 'unsupported', 'invalid'];

/** `hearthd import <file>`: takes over the pairings of another controller, so that no device needs a reset. */
export const importCommand = defineCommand({
  name: 'import',
  description: 'import the pairings of another controller',
  arguments: [
    ['<file>', 'pairing.json of aiohomekit, core.config_entries of Home Assistant, or data of hap-controller'],
  ],
  options: [HOME_OPTION, ['--dry-run', 'only show what would be imported']],
  notes: [
    'Home Assistant keeps its file in its configuration directory: .storage/core.config_entries.',
    'First stop the other program or disable its integration. Do not remove the devices there: that ends the pairing.',
    'Devices on Bluetooth or Thread cannot be imported.',
  ],
  examples: ['hearthd import pairing.json --dry-run', 'hearthd import core.config_entries --home Cottage'],
  async run({ api, output }, file, options) {
    const data = relevant(readJson(file));
    const home = options.home === undefined ? undefined : (await loadInventory(api)).home(options.home);
    const answer = await api.send<{ devices: readonly ImportedDevice[] }>('POST', '/rest/pairings/import', {
      homeId: home?.id,
      data,
      dryRun: options.dryRun ?? false,
    });
    const rows = answer.devices.map(({ name, deviceId, outcome, detail }) => [
      name,
      deviceId,
      OUTCOMES[outcome] ?? outcome,
      detail,
    ]);
    output.result(answer, () => output.table(['Name', 'Device', 'Outcome', 'Note'], rows, 'Nothing.'));
    return answer.devices.some(({ outcome }) => FAILED.includes(outcome)) ? EXIT.failed : EXIT.ok;
  },
});

function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(EXIT.notFound, 'not_found', `Cannot read ${file} (${code}).`, { cause: error });
  }
  try {
    return JSON.parse(text);
  } catch {
    throw usageError(`${file} is not JSON.`);
  }
}

/** Home Assistant's file contains the secrets of all its integrations; only the required entries are sent. */
function relevant(data: unknown): unknown {
  const entries = (data as { data?: { entries?: unknown } } | null)?.data?.entries;
  if (!Array.isArray(entries)) return data;
  const ours = entries.filter((entry: { domain?: unknown } | null) => entry?.domain === 'homekit_controller');
  return { data: { entries: ours } };
}
