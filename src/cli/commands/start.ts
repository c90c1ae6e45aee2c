import { Command, Option } from 'commander';
import { loadConfig } from '../../config/config.ts';
import { readEnvironment } from '../../config/env.ts';
import { flagOf, SETTINGS } from '../../config/settings.ts';
import { type Cli, examples, repeated } from '../action.ts';

/** The time for handles to close after a stop; a handle that remains then is a leak, so the process exits anyway. */
const LINGER_MS = 2_000;

/** `hearthd start`: runs the daemon in the foreground until a signal ends it. */
export function startCommand(cli: Cli): Command {
  const command = new Command('start')
    .description('run the daemon in the foreground')
    .addHelpText(
      'after',
      [
        '',
        'Every option is also an environment variable (--log-level: HEARTHD_LOG_LEVEL) and a key of the configuration file (log_level).',
        `Secrets have no option: ${SETTINGS.filter(({ isSecret }) => isSecret)
          .map(({ name }) => name)
          .join(', ')}.`,
        'Options override variables, which override the file: --config, or hearthd.toml in the data directory.',
        examples('hearthd start --data-dir ~/hearthd --port 5656', 'hearthd start --interface eth0 --interface wlan0'),
      ].join('\n'),
    )
    .action(
      cli.run(async ({ flags, variables, output }) => {
        const config = loadConfig(flags, variables, output.terminal.isTty);
        // Loaded on demand: every other command starts faster without them.
        const [{ runDaemon }, { createRelay }] = await Promise.all([import('../daemon.ts'), import('../../relay.ts')]);
        const exitCode = await runDaemon(config, readEnvironment(variables), (given, log) =>
          createRelay(given, { log }),
        );
        setTimeout(() => process.exit(exitCode), LINGER_MS).unref();
        return exitCode;
      }),
    );
  for (const option of settingOptions()) command.addOption(option);
  return command;
}

/** One option per setting. The data directory and the file are global options; secrets have none. */
export function settingOptions(): readonly Option[] {
  return SETTINGS.filter(({ name, isSecret }) => name !== 'data_dir' && !isSecret).map(
    ({ name, placeholder, meaning, fallback, list }) => {
      const option = new Option(
        `${flagOf(name)} <${placeholder}>`,
        `${meaning}${list ? ' (repeatable)' : ''} (default: ${fallback})`,
      );
      return list ? option.argParser<readonly string[]>(repeated) : option;
    },
  );
}
