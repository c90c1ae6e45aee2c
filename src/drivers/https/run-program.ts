/**
 * Runs another program once: with a deadline, without a shell, and without our environment, which may hold secrets.
 * What does not end when asked to is killed, with what it started.
 */
import { type ChildProcess, spawn } from 'node:child_process';

/** Where packages put programs. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/snap/bin:/opt/homebrew/bin';
/** The rest is read and thrown away. */
const MAX_OUTPUT_BYTES = 1_000_000;
/** Between asking it to end and killing it. */
const GRACE_MS = 5_000;

export interface ProgramRun {
  /** `null` if it did not end by itself. */
  readonly code: number | null;
  /** It could not be started, or was broken off: `ENOENT`, `EACCES`, `ABORT_ERR`. */
  readonly failure: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly graceMs?: number;
}

/** Never rejects. */
export function runProgram(
  program: string,
  args: readonly string[],
  { timeoutMs, signal, graceMs = GRACE_MS }: RunOptions,
): Promise<ProgramRun> {
  if (signal?.aborted) return Promise.resolve({ code: null, failure: 'ABORT_ERR', stdout: '', stderr: '' });
  // A process group of its own: it is ended as a whole.
  const child = spawn(program, args, { env: { PATH }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  return new Promise((resolve) => {
    let failure: string | null = null;
    let killing: NodeJS.Timeout | undefined;
    let closing: NodeJS.Timeout | undefined;
    const end = (why: string | null): void => {
      failure ??= why;
      signalGroup(child, 'SIGTERM');
      killing ??= setTimeout(() => {
        signalGroup(child, 'SIGKILL');
        finish(null);
      }, graceMs);
    };
    const onAbort = (): void => end('ABORT_ERR');
    const deadline = setTimeout(() => end(null), timeoutMs);
    const finish = (code: number | null): void => {
      clearTimeout(deadline);
      clearTimeout(killing);
      clearTimeout(closing);
      signal?.removeEventListener('abort', onAbort);
      for (const pipe of [child.stdout, child.stderr]) pipe.destroy();
      resolve({ code: killing === undefined ? code : null, failure, stdout: stdout(), stderr: stderr() });
    };
    signal?.addEventListener('abort', onAbort);
    child.on('error', (error: NodeJS.ErrnoException) => {
      failure ??= error.code ?? error.message;
      finish(null);
    });
    // What it left behind may hold its output for ever.
    child.on('exit', (code) => {
      closing = setTimeout(() => finish(code), graceMs);
    });
    child.on('close', finish);
  });
}

/** @returns what came so far */
function collect(pipe: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  pipe.on('data', (chunk: Buffer) => {
    if (bytes < MAX_OUTPUT_BYTES) chunks.push(chunk.subarray(0, MAX_OUTPUT_BYTES - bytes));
    bytes += chunk.length;
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // All of it has ended.
  }
}
