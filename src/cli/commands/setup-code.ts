import type { SetupCode } from '../../contract/users.ts';
import { defineCommand } from '../define-command.ts';
import { qrLines } from '../output.ts';

/** `hearthd setup-code`: prints a new code to claim the relay, and the page that accepts it. */
export const setupCodeCommand = defineCommand({
  name: 'setup-code',
  description: 'create the setup code for the owner account of this relay',
  examples: ['hearthd setup-code'],
  async run({ api, output }) {
    const answer = await api.send<SetupCode>('POST', '/rest/setup-code');
    const qr = output.json ? [] : await qrOf(answer.addresses);
    output.result(answer, () => {
      output.note(whereToType(answer));
      if (qr.length > 0) output.note(qr.join('\n'));
      output.note(`Enter this code there before ${output.when(answer.expiresAt)}:`);
      output.line(answer.code);
    });
  },
});

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
