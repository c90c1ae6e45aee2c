/** Starts the process of a Matter bridge. */
import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A bridge with 150 endpoints takes a third of it. Beyond, the process ends and is started again. */
const MAX_HEAP_MIB = 256;
/** What it may write to stderr while it dies: the reason of the engine, and a stack. */
const MAX_STDERR_CHARACTERS = 4_096;

export interface MatterChild {
  readonly process: ChildProcess;
  /** The last of what it wrote to stderr. */
  readonly stderr: () => string;
}

export type SpawnMatterChild = () => MatterChild;

export const spawnMatterChild: SpawnMatterChild = () => {
  const { file, flags } = program();
  const child = fork(file, [], {
    // Messages hold bytes.
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${MAX_HEAP_MIB}`, ...flags],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {},
  });
  let stderr = '';
  child.stderr?.on('data', (data: Buffer) => {
    stderr = (stderr + data.toString()).slice(-MAX_STDERR_CHARACTERS);
  });
  return { process: child, stderr: () => stderr };
};

/** The build puts it beside the daemon as one file; from the sources, tsx runs it. */
function program(): { readonly file: string; readonly flags: readonly string[] } {
  const isBuilt = !import.meta.url.endsWith('.ts');
  if (isBuilt) return { file: fileURLToPath(new URL('./matter-child.js', import.meta.url)), flags: [] };
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return { file: fileURLToPath(new URL('./child/main.ts', import.meta.url)), flags: ['--import', loader] };
}
