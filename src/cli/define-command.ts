/** Defines a command by its words and one function, whose parameters are typed by the arguments and options. */
import { Argument, Command, Option } from 'commander';
import { type Cli, type CommandContext, examples } from './action.ts';
import type { ExitCode } from './exit-codes.ts';

/** Marks an option that the user must pass. */
export const REQUIRED = Symbol('required');

type Parse = (value: string, before: never) => unknown;

/** `['<name>', 'new name']`; in square brackets if optional, with three dots if there may be several. */
export type ArgumentRow = readonly [flags: string, description?: string, choices?: readonly string[]];
/**
 * `['--home <home>', 'only in this home']`; the third part is a parser, the default, choices with the default first, or
 * `REQUIRED`.
 */
export type OptionRow = readonly [flags: string, description: string, third?: Parse | Preset];
type Preset = string | readonly string[] | typeof REQUIRED;

/** The arguments as the command receives them. */
export type Arguments<A extends readonly ArgumentRow[]> = {
  -readonly [K in keyof A]: A[K] extends readonly [string, string, readonly (infer Choice)[]]
    ? Choice
    : A[K] extends readonly [infer Flags, ...unknown[]]
      ? ArgumentOf<Flags>
      : never;
};
type ArgumentOf<Flags> = Flags extends `${string}...${string}`
  ? readonly string[]
  : Flags extends `[${string}`
    ? string | undefined
    : string;

/** The options as the command receives them, by their names in camel case. */
export type Options<O extends readonly OptionRow[]> = {
  readonly [R in O[number] as R extends Always ? never : KeyOf<R[0]>]?: ValueOf<R>;
} & { readonly [R in O[number] as R extends Always ? KeyOf<R[0]> : never]: string };
/** A required option, or one with a default. */
type Always = readonly [string, string, Preset];
type ValueOf<R extends OptionRow> = R extends readonly [string, string, (...given: never) => infer Value]
  ? Value
  : R[0] extends `${string}<${string}`
    ? string
    : R[0] extends `--no-${string}`
      ? boolean
      : true;
type KeyOf<Flags extends string> = Flags extends `${string}--${infer Long}` ? Camel<WithoutNo<FirstWord<Long>>> : never;
type FirstWord<Text extends string> = Text extends `${infer Word} ${string}` ? Word : Text;
type WithoutNo<Name extends string> = Name extends `no-${infer Rest}` ? Rest : Name;
type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

export interface CommandRow<A extends readonly ArgumentRow[], O extends readonly OptionRow[]> {
  readonly name: string;
  readonly description: string;
  readonly arguments?: A;
  readonly options?: O;
  /** Paragraphs of the help before the examples. */
  readonly notes?: readonly string[];
  readonly examples?: readonly string[];
  readonly commands?: readonly CommandBuilder[];
  /** @returns the exit code; `EXIT.ok` if omitted. */
  run?(context: CommandContext, ...given: [...Arguments<A>, Options<O>]): Promise<ExitCode | undefined> | Promise<void>;
}

export type CommandBuilder = (cli: Cli) => Command;

export function defineCommand<
  const A extends readonly ArgumentRow[] = readonly [],
  const O extends readonly OptionRow[] = readonly [],
>(row: CommandRow<A, O>): CommandBuilder {
  return (cli) => {
    const command = new Command(row.name).description(row.description);
    for (const argument of row.arguments ?? []) command.addArgument(argumentOf(argument));
    for (const option of row.options ?? []) command.addOption(optionOf(option));
    const notes = row.notes ? ['', ...row.notes] : [];
    const help = [...notes, ...(row.examples ? [examples(...row.examples)] : [])];
    if (help.length > 0) command.addHelpText('after', help.join('\n'));
    for (const build of row.commands ?? []) command.addCommand(build(cli));
    const { run } = row;
    return run ? command.action(cli.run(run)) : command;
  };
}

function argumentOf([flags, description, choices]: ArgumentRow): Argument {
  const argument = new Argument(flags, description);
  return choices ? argument.choices(choices) : argument;
}

function optionOf([flags, description, third]: OptionRow): Option {
  const option = new Option(flags, description);
  if (typeof third === 'function') return option.argParser(third as (value: string, before: unknown) => unknown);
  if (typeof third === 'string') return option.default(third);
  return typeof third === 'object'
    ? option.choices(third).default(third[0])
    : option.makeOptionMandatory(third === REQUIRED);
}
