import { setTimeout as pause } from 'node:timers/promises';
import type { LogLine } from '../../contract/relay.ts';
import type { CommandContext } from '../action.ts';
import { defineCommand } from '../define-command.ts';

interface LogsOptions {
  readonly follow?: true;
  readonly level?: string;
  readonly limit?: string;
}

/** The polling interval while following the log. */
const LOOK_EVERY_MS = 1_000;

/** `hearthd logs`: the last lines of the daemon's log, and new ones. */
export const logsCommand = defineCommand({
  name: 'logs',
  description: 'show the log of the daemon',
  options: [
    ['-f, --follow', 'show new lines until Ctrl-C'],
    ['--level <level>', 'minimum level: debug, info, warn, error'],
    ['--limit <count>', 'number of lines, 1 to 1000 (default: 200)'],
  ],
  examples: ['hearthd logs', 'hearthd logs --follow --level warn'],
  async run(context, options) {
    const lines = await read(context, options, 0);
    if (options.follow) await follow(context, options, lines);
    else context.output.result(lines, () => print(context, lines));
  },
});

function read({ api }: CommandContext, { level, limit }: LogsOptions, after: number): Promise<LogLine[]> {
  return api.get<LogLine[]>('/rest/relay/logs', {
    ...(after > 0 && { after: String(after) }),
    ...(level !== undefined && { level }),
    ...(limit !== undefined && { limit }),
  });
}

/** With `--json` one document per line, because an endless list cannot be closed. */
async function follow(context: CommandContext, options: LogsOptions, first: readonly LogLine[]): Promise<void> {
  const { output } = context;
  const interrupted = output.terminal.untilInterrupted();
  let lines = first;
  let last = 0;
  while (!interrupted.aborted) {
    if (output.json) for (const line of lines) output.terminal.out(`${JSON.stringify(line)}\n`);
    else print(context, lines);
    last = lines.at(-1)?.seq ?? last;
    await pause(LOOK_EVERY_MS, undefined, { signal: interrupted }).catch(() => undefined);
    lines = interrupted.aborted ? [] : await read(context, options, last);
  }
}

const COLOURS = { debug: 'dim', info: 'green', warn: 'yellow', error: 'red' } as const;

function print({ output }: CommandContext, lines: readonly LogLine[]): void {
  for (const { at, level, message, fields } of lines) {
    const presented = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    const mark = output.style(COLOURS[level], level.padEnd(5));
    output.terminal.out(`${mark} `);
    output.line([output.when(at), message, ...presented].join(' '));
  }
}
