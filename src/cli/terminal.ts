import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** The user or script that runs a command: two outputs, an input, and whether the output is interactive. */
export interface Terminal {
  /** Whether stdout is a terminal: tables and live views on a terminal, plain text elsewhere. */
  readonly isTty: boolean;
  readonly colour: boolean;
  /** The user's IANA time zone. */
  readonly timeZone: string;
  /** Prints results. `text` is written unchanged. */
  out(text: string): void;
  /** Prints errors, progress and explanations. */
  err(text: string): void;
  /** The first line of stdin; `undefined` at its end. */
  readLine(): Promise<string | undefined>;
  /** Whether the terminal can show a prompt. */
  readonly canAsk: boolean;
  /** Prompts for a text without echo. @returns `undefined` if the user cancels. */
  askSecret(question: string, fault: (text: string) => string | undefined): Promise<string | undefined>;
  /** Aborts when the user presses Ctrl-C. Ctrl-C ends the process unless a command uses this signal. */
  untilInterrupted(): AbortSignal;
}

export function processTerminal(noColor: boolean): Terminal {
  const { stdin, stdout, stderr } = process;
  // A reader that has enough closes the pipe (`| head`): discard the remaining output.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return {
    isTty: stdout.isTTY ?? false,
    // Asked for on demand: the tables of dates take 5 MB, which the daemon need not hold as long as it runs.
    get timeZone() {
      return new Intl.DateTimeFormat().resolvedOptions().timeZone;
    },
    colour: (stdout.isTTY ?? false) && !noColor,
    canAsk: (stdin.isTTY ?? false) && (stderr.isTTY ?? false),
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    async readLine() {
      const lines = createInterface({ input: stdin });
      const line: unknown[] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
      lines.close();
      return typeof line[0] === 'string' ? line[0] : undefined;
    },
    async askSecret(question, fault) {
      // Loaded on demand: most commands have no prompt, and loading is slow on a Raspberry Pi.
      const { isCancel, password } = await import('@clack/prompts');
      const answer = await password({ message: question, validate: (text) => fault(text ?? ''), output: stderr });
      return isCancel(answer) ? undefined : answer;
    },
    untilInterrupted() {
      const controller = new AbortController();
      process.once('SIGINT', () => controller.abort());
      return controller.signal;
    },
  };
}

/**
 * Removes characters that could control a terminal. Names come from devices, and a hostile one could otherwise move the
 * cursor, hide lines or reverse the reading direction.
 */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}
