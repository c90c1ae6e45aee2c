/** Runs another program once: with a deadline, without a shell, and without our environment, which may hold secrets. */
import { execFile } from 'node:child_process';

/** Where packages put programs. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/snap/bin:/opt/homebrew/bin';
const MAX_OUTPUT_BYTES = 1_000_000;

export interface ProgramRun {
  /** `null` if it did not end by itself. */
  readonly code: number | null;
  /** It could not be started: `ENOENT`, `EACCES`. */
  readonly failure: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Never rejects. */
export function runProgram(
  program: string,
  args: readonly string[],
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
): Promise<ProgramRun> {
  const options = { timeout: timeoutMs, maxBuffer: MAX_OUTPUT_BYTES, env: { PATH }, ...(signal && { signal }) };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      resolve({
        code: typeof code === 'number' ? code : null,
        failure: typeof code === 'string' ? code : null,
        stdout,
        stderr,
      });
    });
  });
}
