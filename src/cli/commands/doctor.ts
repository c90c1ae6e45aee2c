import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { type Config, loadConfig, locateDataDir } from '../../config/config.ts';
import { ConfigError } from '../../config/settings-reader.ts';
import { type Cli, type CommandContext, examples } from '../action.ts';
import { ApiClient } from '../api-client.ts';
import { checkDaemon, checkFreePort, checkOwnPort } from '../doctor/daemon-checks.ts';
import { type Finding, fail, ok } from '../doctor/finding.ts';
import { checkClock, checkInterfaces, checkNode, checkUser, listInterfaces } from '../doctor/host-checks.ts';
import { checkMdnsPort, checkMulticast } from '../doctor/multicast.ts';
import { EXIT } from '../exit-codes.ts';
import type { CommandOutput } from '../output.ts';
import { settingOptions } from './start.ts';

/** `hearthd doctor`: checks common problems and explains the fixes. Works with and without a daemon. */
export function doctorCommand(cli: Cli): Command {
  const command = new Command('doctor')
    .description('check directory, ports, multicast, clock, permissions and what Matter needs')
    .addHelpText(
      'after',
      [
        '',
        'Use the same options as for hearthd start.',
        examples('sudo hearthd doctor', 'hearthd doctor --port 8080 --json'),
      ].join('\n'),
    )
    .action(
      cli.run(async (context) => {
        const findings = await examine(context);
        context.output.result(findings, () => print(findings, context.output));
        return findings.some(({ status }) => status === 'fail') ? EXIT.failed : EXIT.ok;
      }),
    );
  for (const option of settingOptions()) command.addOption(option);
  return command;
}

async function examine(context: CommandContext): Promise<readonly Finding[]> {
  // They load SQLite and mDNS, which of the other commands only start needs.
  const { checkDirectory } = await import('../doctor/directory-checks.ts');
  const { checkAdvertised } = await import('../doctor/advertisement.ts');
  const { checkPublishing } = await import('../doctor/publishing-checks.ts');
  const first = checkNode(process.versions.node);
  const config = configOrFaults(context);
  if (!('dataDir' in config)) return [first, ...config];
  const { dataDir, interfaces } = config;
  const api = new ApiClient(dataDir);
  const directory = checkDirectory(dataDir);
  const { running } = directory;
  const present = listInterfaces();
  const used = present.filter(({ name, internal }) =>
    interfaces.length === 0 ? !internal : interfaces.includes(name),
  );
  return [
    first,
    ok('settings', 'the configuration is valid'),
    ...directory.findings,
    ...(running ? await checkDaemon(api) : []),
    running ? await checkOwnPort(api, config) : await checkFreePort(config),
    ...checkInterfaces(present, interfaces),
    await checkMdnsPort(),
    ...(await Promise.all(used.map(checkMulticast))),
    ...(running && config.advertise ? await checkAdvertised(api, used) : []),
    ...(await checkPublishing(
      running ? api : undefined,
      used.map(({ name }) => name),
    )),
    checkClock(Date.now(), directory.lastWritten),
    checkUser(process.geteuid?.(), running),
  ];
}

function configOrFaults({ flags, variables, output }: CommandContext): Config | readonly Finding[] {
  try {
    const dataDir = locateDataDir(flags, variables, existsSync);
    return loadConfig({ ...flags, dataDir }, variables, output.terminal.isTty);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((problem) => fail('settings', problem, 'Correct this setting.'));
  }
}

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

function print(findings: readonly Finding[], output: CommandOutput): void {
  const width = Math.max(...findings.map(({ check }) => check.length));
  for (const { status, check, message, fix } of findings) {
    const mark = output.style(COLOURS[status], status.padEnd(4));
    output.terminal.out(`${mark}  ${check.padEnd(width)}  `);
    output.line(message);
    if (fix) output.line(`${' '.repeat(width + 8)}${fix}`);
  }
}
