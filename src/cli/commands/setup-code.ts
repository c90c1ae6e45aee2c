import { Command } from 'commander';
import type { SetupCode } from '../../contract/users.ts';
import { type Cli, examples } from '../action.ts';
import { EXIT } from '../exit-codes.ts';
import { qrLines } from '../output.ts';

/** `hearthd setup-code`: prints a new code to claim the relay, and the page that accepts it. */
export function setupCodeCommand(cli: Cli): Command {
  return new Command('setup-code')
    .description('create the setup code for the owner account of this relay')
    .addHelpText('after', examples('hearthd setup-code'))
    .action(
      cli.run(async ({ api, output }) => {
        const answer = await api.send<SetupCode>('POST', '/rest/setup-code');
        const qr = output.json ? [] : await qrOf(answer.addresses);
        output.result(answer, () => {
          output.note(whereToType(answer));
          if (qr.length > 0) output.note(qr.join('\n'));
          output.note(`Enter this code there before ${output.when(answer.expiresAt)}:`);
          output.line(answer.code);
        });
        return EXIT.ok;
      }),
    );
}

/** For the first address: the one that devices in the home most likely reach. */
async function qrOf([first]: readonly string[]): Promise<readonly string[]> {
  return first === undefined ? [] : qrLines(first);
}

function whereToType({ url, addresses }: SetupCode): string {
  if (addresses.length === 0) return `Open ${url} in a browser on this computer.`;
  const [choice, qr] = addresses.length === 1 ? ['this address', ''] : ['one of these addresses', ' of the first'];
  const lines = addresses.map((address) => `  ${address}`);
  return [`Open ${choice} in a browser, or scan the QR code${qr}:`, ...lines].join('\n');
}
