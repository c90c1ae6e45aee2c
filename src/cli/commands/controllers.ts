import { Command } from 'commander';
import { type Cli, examples } from '../action.ts';
import type { ControllerResource } from '../api-resources.ts';
import { EXIT, usageError } from '../exit-codes.ts';
import { findPairing } from './pairings.ts';

const DEVICE_ARGUMENT = ['<device>', 'device id or name from hearthd pairings'] as const;

/** `hearthd controllers …`: the other controllers of a paired device (HAP list, add and remove pairing). */
export function controllersCommand(cli: Cli): Command {
  const command = new Command('controllers')
    .description('list, add or remove the controllers that a device accepts')
    .addHelpText(
      'after',
      examples('hearthd controllers list "Front Door"', 'hearthd controllers remove "Front Door" 9C3F…'),
    );
  command
    .command('list')
    .description('list the controllers of a device')
    .argument(...DEVICE_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string) => {
        const path = await pathOf(api, text);
        const controllers = await api.get<ControllerResource[]>(path);
        const rows = controllers.map(({ id, admin, self, publicKey }) => [
          id,
          admin ? 'admin' : 'user',
          self ? 'this relay' : '',
          publicKey,
        ]);
        output.result(controllers, () =>
          output.table(['Id', 'Role', '', 'Public key'], rows, 'The device lists no controllers.'),
        );
        return EXIT.ok;
      }),
    );
  command
    .command('add')
    .description('add a controller')
    .argument(...DEVICE_ARGUMENT)
    .argument('<id>', 'the controller’s pairing id')
    .argument('<public-key>', 'its Ed25519 public key, 64 hex digits')
    .option('--admin', 'allow it to add and remove controllers')
    .action(
      cli.run(async ({ api, output }, text: string, id: string, publicKey: string, { admin }: { admin?: boolean }) => {
        if (!/^[0-9a-f]{64}$/i.test(publicKey)) throw usageError('The public key must have 64 hex digits.');
        const answer = await api.send('POST', await pathOf(api, text), { id, publicKey, admin: admin ?? false });
        output.result(answer ?? { success: true }, () => output.line(`${id} may now control ${text}.`));
        return EXIT.ok;
      }),
    );
  command
    .command('remove')
    .description('remove a controller')
    .argument(...DEVICE_ARGUMENT)
    .argument('<id>', 'the controller’s pairing id')
    .action(
      cli.run(async ({ api, output }, text: string, id: string) => {
        const answer = await api.send('DELETE', `${await pathOf(api, text)}/${encodeURIComponent(id)}`);
        output.result(answer ?? { success: true }, () => output.line(`${id} may no longer control ${text}.`));
        return EXIT.ok;
      }),
    );
  return command;
}

async function pathOf(api: Parameters<typeof findPairing>[0], text: string): Promise<string> {
  return `/rest/pairings/${encodeURIComponent((await findPairing(api, text)).deviceId)}/controllers`;
}
