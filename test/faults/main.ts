/** `npm run faults`: what the faults of a device do to hearthd and to other controllers, side by side. */
import { parseArgs } from 'node:util';
import { DEVICE_FAULTS, MOVING_FAULTS } from '../endurance/plan.ts';
import { buildProgram } from '../support/built-daemon.ts';
import { commandOptions } from '../support/command-options.ts';
import type { StartController } from './controller.ts';
import { hapController } from './hap-controller.ts';
import { hearthd } from './hearthd.ts';
import { fare } from './rounds.ts';
import { isAllWell, type Row, toMarkdown } from './table.ts';

const OTHERS: Readonly<Record<string, StartController>> = { 'hap-controller': hapController };
const USAGE = `Usage: npm run faults -- [--against ${Object.keys(OTHERS).join('|')}] [--rounds N] [--seed S]

Faults of each kind befall a device, and the same ones another device for each other controller. Prints a table in
Markdown. Ends with 1 if anything was wrong with hearthd.

  --against NAME  the other controller; may be given several times
  --rounds N      of each kind of fault (default: 10)
  --seed S        how long the faults last (default: 1)
`;

process.exitCode = await main();

async function main(): Promise<number> {
  const options = commandOptions(parse, USAGE);
  if (typeof options === 'number') return options;
  const { against, rounds, seed } = options;
  using program = buildProgram();
  const controllers = [
    { name: 'hearthd', start: hearthd(program) },
    ...against.map((name) => ({ name, start: OTHERS[name] as StartController })),
  ];
  const kinds = [...DEVICE_FAULTS, ...MOVING_FAULTS];
  const rows: Row[] = [];
  for (const kind of kinds) {
    rows.push({ kind, fared: await Promise.all(controllers.map(({ start }) => fare({ kind, rounds, seed, start }))) });
    process.stderr.write(`${kind} is done\n`);
  }
  const names = controllers.map(({ name }) => name);
  process.stdout.write(toMarkdown(names, rows));
  return rows.every(({ fared }) => fared[0] && isAllWell(fared[0])) ? 0 : 1;
}

function parse(args: readonly string[]): {
  readonly against: string[];
  readonly rounds: number;
  readonly seed: number;
  readonly help: boolean;
} {
  const { values } = parseArgs({
    args: [...args],
    options: {
      against: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const unknown = values.against.find((name) => OTHERS[name] === undefined);
  if (unknown !== undefined) throw new Error(`--against knows no '${unknown}'`);
  const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds takes a whole number, not '${values.rounds}'`);
  if (!Number.isInteger(seed)) throw new Error(`--seed takes a whole number, not '${values.seed}'`);
  return { against: values.against, rounds, seed, help: values.help };
}
