import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { locateDataDir } from '../config/config.ts';
import type { Variables } from '../config/env.ts';
import type { ConfigFlags } from '../config/settings-reader.ts';
import { ApiClient } from './api-client.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { CommandOutput } from './output.ts';
import type { Terminal } from './terminal.ts';

/** The context of a command's action. */
export interface CommandContext {
  readonly output: CommandOutput;
  readonly variables: Variables;
  /** The flags of the command and the global ones. */
  readonly flags: ConfigFlags;
  /** The whole command tree. */
  readonly program: Command;
  /** The daemon of the selected data directory. @throws `ConfigError` */
  readonly api: ApiClient;
}

/** Connects commander's actions with the terminal and the daemon, and stores the exit code of the executed action. */
export class Cli {
  readonly terminal: Terminal;
  readonly variables: Variables;
  exitCode: ExitCode = EXIT.ok;

  constructor(terminal: Terminal, variables: Variables) {
    this.terminal = terminal;
    this.variables = variables;
  }

  /**
   * Turns a command's body into an action.
   * @param body receives the arguments as commander passes them: the command's own, then its options. It returns the
   * exit code.
   */
  run<A extends unknown[]>(
    body: (context: CommandContext, ...args: A) => Promise<ExitCode | undefined> | Promise<void>,
  ): (...args: [...A, Command]) => Promise<void> {
    return async (...all) => {
      const command = all.at(-1) as Command;
      const args = all.slice(0, -1) as A;
      this.exitCode = (await body(this.#context(command), ...args)) ?? EXIT.ok;
    };
  }

  #context(command: Command): CommandContext {
    const flags: ConfigFlags & { json?: boolean } = command.optsWithGlobals();
    const { variables } = this;
    return {
      output: new CommandOutput(this.terminal, flags.json ?? false),
      variables,
      flags,
      program: rootOf(command),
      get api() {
        return new ApiClient(locateDataDir(flags, variables, existsSync));
      },
    };
  }
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}

/** The examples of the help text, in one format for all commands. */
export function examples(...lines: readonly string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  $ ${line}`)].join('\n');
}

/** For commands that create or query something in one home. */
export const HOME_OPTION = ['--home <home>', 'home (required if there are several)'] as const;

/** Collects the values of a repeatable option. */
export function repeated(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
