/**
 * The command line. `start` runs the daemon; every other command is a client of its API over the Unix socket in the
 * data directory. `commands/` has one file per command; this file assembles them and converts every result to an exit
 * code.
 */

import { Command, CommanderError } from 'commander';
import { processVariables, readEnvironment, type Variables } from '../config/env.ts';
import { ConfigError } from '../config/settings-reader.ts';
import { HearthError, messageOf } from '../kernel/errors.ts';
import { VERSION } from '../kernel/version.ts';
import { Cli, examples } from './action.ts';
import { accessoriesCommand } from './commands/accessories.ts';
import { accessoryCommand } from './commands/accessory.ts';
import { activityCommand } from './commands/activity.ts';
import { adaptiveLightingCommand } from './commands/adaptive-lighting.ts';
import { appCommand } from './commands/app.ts';
import { automationCommand } from './commands/automation.ts';
import { backupCommand } from './commands/backup.ts';
import { collectionCommand } from './commands/collection.ts';
import { completionCommand } from './commands/completion.ts';
import { controllersCommand } from './commands/controllers.ts';
import { deviceCommand } from './commands/device.ts';
import { discoverCommand } from './commands/discover.ts';
import { doctorCommand } from './commands/doctor.ts';
import { energyCommand } from './commands/energy.ts';
import { groupCommand } from './commands/group.ts';
import { historyCommand } from './commands/history.ts';
import { homeCommand } from './commands/home.ts';
import { httpsCommand } from './commands/https.ts';
import { identifyCommand } from './commands/identify.ts';
import { importCommand } from './commands/import.ts';
import { logsCommand } from './commands/logs.ts';
import { memberCommand } from './commands/member.ts';
import { metricsCommand } from './commands/metrics.ts';
import { mqttCommand } from './commands/mqtt.ts';
import { notificationCommand } from './commands/notification.ts';
import { pairCommand } from './commands/pair.ts';
import { pairingsCommand } from './commands/pairings.ts';
import { personCommand } from './commands/person.ts';
import { publishCommand } from './commands/publish.ts';
import { restoreCommand } from './commands/restore.ts';
import { roomCommand } from './commands/room.ts';
import { roomGroupCommand, zoneCommand } from './commands/room-sets.ts';
import { sceneCommand } from './commands/scene.ts';
import { serviceCommand } from './commands/service.ts';
import { sessionCommand } from './commands/session.ts';
import { setCommand } from './commands/set.ts';
import { settingsCommand } from './commands/settings.ts';
import { setupCodeCommand } from './commands/setup-code.ts';
import { shareCommand } from './commands/share.ts';
import { startCommand } from './commands/start.ts';
import { stateCommand } from './commands/state.ts';
import { statusCommand } from './commands/status.ts';
import { tokenCommand } from './commands/token.ts';
import { unpairCommand } from './commands/unpair.ts';
import { upgradeCommand } from './commands/upgrade.ts';
import { userCommand } from './commands/user.ts';
import { versionCommand } from './commands/version.ts';
import { virtualCommand } from './commands/virtual.ts';
import { webhookCommand } from './commands/webhook.ts';
import { CliError, EXIT, EXIT_MEANINGS, EXIT_OF_ERROR, type ExitCode } from './exit-codes.ts';
import { printable, processTerminal, type Terminal } from './terminal.ts';

type CommandGroups = readonly (readonly [heading: string, commands: readonly ((cli: Cli) => Command)[]])[];

/** The commands in the order of the help, grouped by topic. */
const COMMAND_GROUPS: CommandGroups = [
  ['Control', [stateCommand, setCommand, sceneCommand, accessoriesCommand, accessoryCommand, identifyCommand]],
  ['Automate', [automationCommand, adaptiveLightingCommand, virtualCommand, personCommand, notificationCommand]],
  [
    'Devices',
    [discoverCommand, pairCommand, pairingsCommand, unpairCommand, controllersCommand, deviceCommand, importCommand],
  ],
  [
    'Home',
    [
      homeCommand,
      roomCommand,
      groupCommand,
      zoneCommand,
      roomGroupCommand,
      collectionCommand,
      historyCommand,
      activityCommand,
      energyCommand,
    ],
  ],
  ['People and access', [setupCodeCommand, userCommand, memberCommand, sessionCommand, shareCommand]],
  ['Other programs', [tokenCommand, appCommand, webhookCommand, mqttCommand, publishCommand, metricsCommand]],
  [
    'Relay',
    [
      startCommand,
      statusCommand,
      serviceCommand,
      doctorCommand,
      logsCommand,
      settingsCommand,
      httpsCommand,
      backupCommand,
      restoreCommand,
      upgradeCommand,
      versionCommand,
      completionCommand,
    ],
  ],
];

const START_ALONE: CommandGroups = [['Relay', [startCommand]]];

export interface MainOptions {
  readonly terminal?: Terminal;
  readonly variables?: Variables;
}

/** Runs one command. @param argv without node and script. @returns the exit code; never throws. */
export async function main(argv: readonly string[], options: MainOptions = {}): Promise<number> {
  const variables = options.variables ?? processVariables();
  const terminal = options.terminal ?? processTerminal(readEnvironment(variables).noColor);
  const cli = new Cli(terminal, variables);
  try {
    // The daemon stays: it need not hold the commands beside it.
    const groups = argv[0] === 'start' ? START_ALONE : COMMAND_GROUPS;
    await createProgram(cli, groups).parseAsync(argv, { from: 'user' });
    return cli.exitCode;
  } catch (error) {
    return report(error, terminal, argv.includes('--json'));
  }
}

export function createProgram(cli: Cli, groups = COMMAND_GROUPS): Command {
  const program = new Command('hearthd')
    .description('Local-first home relay: discovers, pairs and controls HomeKit accessories.')
    .version(VERSION, '-V, --version', 'show the version')
    .option('--data-dir <dir>', 'data directory of the daemon')
    .option('--config <file>', 'configuration file (TOML)')
    .option('--json', 'print JSON')
    .addHelpText('after', () => generalHelp())
    .showSuggestionAfterError()
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    // Only `report` prints errors.
    .configureOutput({
      writeOut: (text) => cli.terminal.out(text),
      writeErr: (text) => cli.terminal.err(text),
      outputError: () => undefined,
    });
  for (const [heading, commands] of groups) {
    program.commandsGroup(`${heading}:`);
    for (const create of commands) program.addCommand(inheriting(create(cli), program));
  }
  // Otherwise commander puts it into its own group.
  program.helpCommand('help [command]', 'show help for a command');
  return program;
}

/** Copies the program's settings to the command, which `addCommand` does not do, unlike `command`. */
function inheriting(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inheriting(child, command);
  return command;
}

function generalHelp(): string {
  const codes = EXIT_MEANINGS.map(([code, meaning]) => `  ${String(code).padEnd(4)}${meaning}`);
  return [
    examples(
      'hearthd start --data-dir ~/hearthd',
      'hearthd discover',
      'hearthd pair AA:BB:CC:DD:EE:FF --room "Living Room"',
      'hearthd set "Living Room/Lamp" on=on brightness=40',
    ),
    '',
    'Exit codes:',
    ...codes,
  ].join('\n');
}

function report(error: unknown, terminal: Terminal, json: boolean): ExitCode {
  // Help and version are already printed.
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
  const { exitCode, code, message } = describe(error);
  if (json) terminal.out(`${JSON.stringify({ error: message, code, exitCode }, null, 2)}\n`);
  else if (message) terminal.err(`${message.split('\n').map(printable).join('\n')}\n`);
  return exitCode;
}

function describe(error: unknown): { exitCode: ExitCode; code: string; message: string } {
  if (error instanceof CommanderError) {
    // The help that replaces a missing subcommand is already on the screen.
    const message = error.code === 'commander.help' ? '' : error.message.replace(/^error: /, '');
    return { exitCode: EXIT.usage, code: 'usage', message };
  }
  if (error instanceof CliError) return error;
  if (error instanceof ConfigError) return { exitCode: EXIT.config, code: error.code, message: error.message };
  if (error instanceof HearthError)
    return { exitCode: EXIT_OF_ERROR[error.code], code: error.code, message: error.message };
  return { exitCode: EXIT.failed, code: 'internal', message: `hearthd failed: ${messageOf(error)}` };
}
