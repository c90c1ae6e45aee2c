import { writeFileSync } from 'node:fs';
import type { DeviceDiagnostics } from '../../contract/device-diagnostics.ts';
import { messageOf } from '../../kernel/errors.ts';
import { defineCommand } from '../define-command.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { findPairing } from './pairings.ts';

/** `hearthd device …`: what is known about one paired device. */
export const deviceCommand = defineCommand({
  name: 'device',
  description: 'diagnose a paired device',
  examples: ['hearthd device diagnostics "Hue Bridge" --file hue.json'],
  commands: [
    defineCommand({
      name: 'diagnostics',
      description: 'write the diagnostics file of a device, for a report',
      arguments: [['<device>', 'device id or name from hearthd pairings']],
      options: [['--file <path>', 'write to this file instead of stdout']],
      notes: [
        'The file has the services, values, connections and errors of the device.',
        'Names, serial numbers, ids, keys and addresses are left out.',
      ],
      async run({ api, output }, text, { file }) {
        const { deviceId, name } = await findPairing(api, text);
        const path = `/rest/pairings/${encodeURIComponent(deviceId)}/diagnostics`;
        const content = `${JSON.stringify(await api.get<DeviceDiagnostics>(path), null, 2)}\n`;
        if (file === undefined) {
          output.terminal.out(content);
          return;
        }
        try {
          writeFileSync(file, content);
        } catch (error) {
          const detail = `Cannot write ${file}: ${messageOf(error)}.`;
          throw new CliError(EXIT.failed, 'not_written', detail, { cause: error });
        }
        output.done({ file }, `Wrote the diagnostics of ${name} to ${file}.`);
      },
    }),
  ],
});
