import { writeFileSync } from 'node:fs';
import type { DeviceDiagnostics } from '../../contract/device-diagnostics.ts';
import type { Pairing } from '../../contract/pairings.ts';
import { messageOf } from '../../kernel/errors.ts';
import { defineCommand } from '../define-command.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { findPairing } from './pairings.ts';

/** `hearthd device …`: one paired device. */
export const deviceCommand = defineCommand({
  name: 'device',
  description: 'connect to a paired device again, or diagnose it',
  examples: ['hearthd device reconnect "Hue Bridge"', 'hearthd device diagnostics "Hue Bridge" --file hue.json'],
  commands: [
    defineCommand({
      name: 'reconnect',
      description: 'drop the connection to a device and connect at once',
      arguments: [['<device>', 'device id or name from hearthd pairings']],
      notes: ['It skips the wait for the next attempt. If the device does not answer, the attempts go on.'],
      async run({ api, output }, text) {
        const { deviceId, name } = await findPairing(api, text);
        const device = await api.send<Pairing>('POST', `/rest/pairings/${encodeURIComponent(deviceId)}/reconnect`);
        output.done(device, `Connected to ${name}.`);
      },
    }),
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
