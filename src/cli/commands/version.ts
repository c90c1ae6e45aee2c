import { Command } from 'commander';
import { VERSION } from '../../kernel/version.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { type Cli, examples, type Session } from '../session.ts';

/** `hearthd version`: of this program, and of the daemon that runs, which differ between an upgrade and the restart. */
export function versionCommand(cli: Cli): Command {
  return new Command('version')
    .description('show the version of this program and of the running daemon')
    .addHelpText('after', examples('hearthd version', 'hearthd version --json'))
    .action(
      cli.run(async (session) => {
        const daemon = await daemonVersion(session);
        const { output } = session;
        output.result({ version: VERSION, node: process.versions.node, daemon }, () => {
          output.line(`hearthd ${VERSION} (Node ${process.versions.node})`);
          if (daemon !== null && daemon !== VERSION)
            output.line(`The running daemon is ${daemon}: restart it to finish the upgrade.`);
        });
        return EXIT.ok;
      }),
    );
}

/** @returns `null` where none can be asked: that is no failure here. */
async function daemonVersion(session: Session): Promise<string | null> {
  try {
    return (await session.api.get<{ version: string }>('/health')).version;
  } catch (error) {
    if (error instanceof CliError) return null;
    throw error;
  }
}
