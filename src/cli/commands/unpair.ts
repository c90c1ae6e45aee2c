import { withQuery } from '../api-client.ts';
import { defineCommand } from '../define-command.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { findPairing } from './pairings.ts';

/** `hearthd unpair <device>`: removes a device's pairing, so that it can be paired elsewhere. */
export const unpairCommand = defineCommand({
  name: 'unpair',
  description: 'unpair a device',
  arguments: [['<device>', 'device id or name from hearthd pairings']],
  options: [['--force', 'unpair here even if the device does not respond (then reset the device by hand)']],
  examples: ['hearthd unpair AA:BB:CC:DD:EE:FF', 'hearthd unpair "Old Lamp" --force'],
  async run({ api, output }, text, { force }) {
    const { deviceId, name } = await findPairing(api, text);
    const path = withQuery(`/rest/pairings/${encodeURIComponent(deviceId)}`, { force: force ? 'true' : undefined });
    const answer = await api.send('DELETE', path).catch((error: unknown) => {
      throw withHint(error, name);
    });
    output.done(answer, `Unpaired ${name} (${deviceId}).`);
  },
});

function withHint(error: unknown, name: string): unknown {
  if (!(error instanceof CliError) || error.exitCode !== EXIT.unreachable) return error;
  const hint = `To unpair ${name} here anyway, add --force. Then reset the device by hand before you pair it again.`;
  return new CliError(error.exitCode, error.code, `${error.message}\n${hint}`);
}
