import { Command } from 'commander';
import { type Cli, examples } from '../action.ts';
import { withQuery } from '../api-client.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { findPairing } from './pairings.ts';

/** `hearthd unpair <device>`: removes a device's pairing, so that it can be paired elsewhere. */
export function unpairCommand(cli: Cli): Command {
  return new Command('unpair')
    .description('unpair a device')
    .argument('<device>', 'device id or name from hearthd pairings')
    .option('--force', 'unpair here even if the device does not respond (then reset the device by hand)')
    .addHelpText('after', examples('hearthd unpair AA:BB:CC:DD:EE:FF', 'hearthd unpair "Old Lamp" --force'))
    .action(
      cli.run(async ({ api, output }, text: string, { force }: { force?: boolean }) => {
        const { deviceId, name } = await findPairing(api, text);
        const path = withQuery(`/rest/pairings/${encodeURIComponent(deviceId)}`, { force: force ? 'true' : undefined });
        const answer = await api.send('DELETE', path).catch((error: unknown) => {
          throw withHint(error, name);
        });
        output.result(answer, () => output.line(`Unpaired ${name} (${deviceId}).`));
        return EXIT.ok;
      }),
    );
}

function withHint(error: unknown, name: string): unknown {
  if (!(error instanceof CliError) || error.exitCode !== EXIT.unreachable) return error;
  const hint = `To unpair ${name} here anyway, add --force. Then reset the device by hand before you pair it again.`;
  return new CliError(error.exitCode, error.code, `${error.message}\n${hint}`);
}
