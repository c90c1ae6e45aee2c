import { Command } from 'commander';
import { type Cli, examples } from '../action.ts';
import type { SetupCodeResource } from '../api-resources.ts';
import { EXIT } from '../exit-codes.ts';
import { whenText } from '../output.ts';

/** `hearthd setup-code`: a new code to claim the relay with. */
export function setupCodeCommand(cli: Cli): Command {
  return new Command('setup-code')
    .description('make a code with which the first person claims this relay')
    .addHelpText('after', examples('hearthd setup-code'))
    .action(
      cli.run(async ({ api, output }) => {
        const answer = await api.send<SetupCodeResource>('POST', '/rest/setup-code');
        output.result(answer, () => {
          output.note(`Open ${answer.url} and type this code, until ${whenText(answer.expiresAt)}:`);
          output.line(answer.code);
        });
        return EXIT.ok;
      }),
    );
}
