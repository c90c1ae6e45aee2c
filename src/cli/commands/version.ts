import { VERSION } from '../../kernel/version.ts';
import type { CommandContext } from '../action.ts';
import { defineCommand } from '../define-command.ts';
import { CliError } from '../exit-codes.ts';

/**
 * `hearthd version`: the versions of this program and of the running daemon, which differ between an upgrade and the
 * restart.
 */
export const versionCommand = defineCommand({
  name: 'version',
  description: 'show the version of this program and of the running daemon',
  examples: ['hearthd version', 'hearthd version --json'],
  async run(context) {
    const daemon = await daemonVersion(context);
    const { output } = context;
    output.result({ version: VERSION, node: process.versions.node, daemon }, () => {
      output.line(`hearthd ${VERSION} (Node ${process.versions.node})`);
      if (daemon !== null && daemon !== VERSION)
        output.line(`The running daemon has version ${daemon}. Restart it to finish the upgrade.`);
    });
  },
});

/** @returns `null` if no daemon is available, which is not an error here. */
async function daemonVersion(context: CommandContext): Promise<string | null> {
  try {
    return (await context.api.get<{ version: string }>('/health')).version;
  } catch (error) {
    if (error instanceof CliError) return null;
    throw error;
  }
}
