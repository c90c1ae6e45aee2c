/** Commands as rows: what commander makes of the arguments and options, and how a row about a resource acts. */
import { describe, expect, it } from 'vitest';
import { Cli, repeated } from '../../src/cli/action.ts';
import { type CommandBuilder, defineCommand, REQUIRED } from '../../src/cli/define-command.ts';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { createTerminal } from './running-daemon.ts';

async function execute(build: CommandBuilder, args: readonly string[]) {
  const terminal = createTerminal();
  const cli = new Cli(terminal, {});
  const command = build(cli)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  await command.parseAsync(args, { from: 'user' });
  return { exitCode: cli.exitCode, out: terminal.written.out };
}

describe('a command defined by a row', () => {
  const received: unknown[] = [];
  const command = defineCommand({
    name: 'paint',
    description: 'paint walls',
    arguments: [['<colour>', 'colour', ['red', 'blue']], ['[walls...]']],
    options: [
      ['--coats <number>', 'coats', Number],
      ['--brush-size <size>', 'size', '20 mm'],
      ['--finish <finish>', 'finish', ['matt', 'gloss']],
      ['--room <room>', 'rooms (repeatable)', repeated],
      ['--by <name>', 'painter', REQUIRED],
      ['-f, --fast', 'fast'],
      ['--no-primer', 'without primer'],
    ],
    async run({ output }, colour, walls, { coats, brushSize, finish, room, by, fast, primer }) {
      received.splice(0, received.length, colour, walls, coats, brushSize, finish, room, by, fast, primer);
      output.done({ colour }, `Painted ${walls.length} walls ${colour}.`);
      return coats === 0 ? EXIT.failed : undefined;
    },
  });

  it('receives its arguments and options, parsed and with their defaults', async () => {
    expect(await execute(command, ['red', 'north', 'south', '--by', 'Ada'])).toEqual({
      exitCode: EXIT.ok,
      out: 'Painted 2 walls red.\n',
    });
    expect(received).toEqual([
      'red',
      ['north', 'south'],
      undefined,
      '20 mm',
      'matt',
      undefined,
      'Ada',
      undefined,
      true,
    ]);
    const options = ['--coats', '2', '--brush-size', '50 mm', '--finish', 'gloss', '--room', 'Hall', '--room', 'Attic'];
    await execute(command, ['blue', '--by', 'Ada', ...options, '-f', '--no-primer']);
    expect(received).toEqual(['blue', [], 2, '50 mm', 'gloss', ['Hall', 'Attic'], 'Ada', true, false]);
  });

  it('ends with the exit code that it returns', async () => {
    expect((await execute(command, ['red', '--by', 'Ada', '--coats', '0'])).exitCode).toBe(EXIT.failed);
  });

  it.each([
    [['green', '--by', 'Ada'], 'commander.invalidArgument'],
    [['red'], 'commander.missingMandatoryOptionValue'],
    [['red', '--by', 'Ada', '--finish', 'silk'], 'commander.invalidArgument'],
    [['--by', 'Ada'], 'commander.missingArgument'],
  ])('refuses %j', async (args, code) => {
    await expect(execute(command, args)).rejects.toMatchObject({ code });
  });
});
