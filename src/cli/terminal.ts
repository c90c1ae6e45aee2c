import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** The person or script on the other side of a command: two outputs, an input, and whether somebody is looking. */
export interface Terminal {
  /** Whether stdout is a terminal: tables and live views there, plain text elsewhere. */
  readonly isTty: boolean;
  readonly colour: boolean;
  /** Results. `text` is written as it is. */
  out(text: string): void;
  /** Errors, progress and explanations. */
  err(text: string): void;
  /** The first line of stdin; `undefined` at its end. */
  readLine(): Promise<string | undefined>;
  /** Whether a question can be asked. */
  readonly canAsk: boolean;
  /** Asks for a text that is not shown while typed. @returns `undefined` if the person thought better of it. */
  askSecret(question: string, fault: (text: string) => string | undefined): Promise<string | undefined>;
  /** Aborts when the person presses Ctrl-C. Only what asks for it keeps Ctrl-C from ending the process. */
  untilInterrupted(): AbortSignal;
}

export function processTerminal(noColor: boolean): Terminal {
  const { stdin, stdout, stderr } = process;
  // A reader that has enough closes the pipe (`| head`): what is left to say is then for nobody.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return {
    isTty: stdout.isTTY ?? false,
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
      // Loaded where needed: most commands ask nothing, and a Pi takes a while to load it.
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
 * Without what could drive a terminal: names come from devices, and a hostile one could otherwise move the cursor, hide lines
 * or turn the reading direction around.
 */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}
