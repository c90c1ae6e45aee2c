import { styleText } from 'node:util';
import Table from 'cli-table3';
import { printable, type Terminal } from './terminal.ts';
import { whenText } from './when.ts';

export type Cell = string | number | boolean | null | undefined;

/**
 * The output of a command. With `--json` exactly one JSON document goes to stdout; otherwise tables on a terminal and
 * plain aligned text elsewhere. Explanations go to stderr, so that stdout can be piped.
 */
export class CommandOutput {
  readonly json: boolean;
  readonly terminal: Terminal;

  constructor(terminal: Terminal, json: boolean) {
    this.terminal = terminal;
    this.json = json;
  }

  /** @param human prints the same in readable form. */
  result(value: unknown, human: () => void): void {
    if (this.json) this.terminal.out(`${JSON.stringify(value, null, 2)}\n`);
    else human();
  }

  /** Prints the answer to a change, or the sentence about it. */
  done(answer: unknown, sentence: string): void {
    this.result(answer, () => this.line(sentence));
  }

  /** @param cells of one item, by column. */
  list<T>(items: readonly T[], cells: (item: T) => Readonly<Record<string, Cell>>, empty: string): void {
    this.result(items, () => {
      const rows = items.map(cells);
      this.table(Object.keys(rows[0] ?? {}), rows.map(Object.values<Cell>), empty);
    });
  }

  line(text: string): void {
    this.terminal.out(`${printable(text)}\n`);
  }

  /** Prints a note on a terminal only. */
  note(text: string): void {
    if (!this.json) this.terminal.err(`${text.split('\n').map(printable).join('\n')}\n`);
  }

  table(head: readonly string[], rows: readonly (readonly Cell[])[], empty: string): void {
    if (rows.length === 0) this.note(empty);
    else this.terminal.out(formatTable(head, rows, this.terminal.isTty));
  }

  /**
   * Formats a time in the time zone of a home, otherwise of the user. `--json` has it in ISO 8601.
   * @param at ISO 8601; the result is empty for `null`.
   * @param zone the IANA time zone of its home.
   */
  when(at: string | null, zone?: string | null): string {
    return at === null ? '' : whenText(at, zone, this.terminal.timeZone);
  }

  style(format: 'bold' | 'dim' | 'green' | 'red' | 'yellow', text: string): string {
    return this.terminal.colour ? styleText(format, text, { validateStream: false }) : text;
  }
}

/** The QR code of a link, line by line. */
export async function qrLines(link: string): Promise<readonly string[]> {
  // Loaded on demand: most commands do not need it.
  const { renderUnicodeCompact } = await import('uqr');
  return renderUnicodeCompact(link, { border: 2 }).split('\n');
}

export function formatTable(head: readonly string[], rows: readonly (readonly Cell[])[], isTty: boolean): string {
  const cells = rows.map((row) => row.map((cell) => printable(String(cell ?? ''))));
  if (isTty) {
    const table = new Table({ head: [...head], style: { head: [], border: [], compact: true } });
    table.push(...cells);
    return `${table.toString()}\n`;
  }
  const lines = [head.map((title) => title.toUpperCase()), ...cells];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ''))));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

function widthOf(text: string): number {
  return [...text].length;
}
