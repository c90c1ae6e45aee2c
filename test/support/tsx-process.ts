import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Runs a TypeScript file in a process of its own, with an IPC channel; its stdout and stderr are ours by default. */
export function forkTypeScript(
  file: string,
  { args = [], stdout = 'inherit' }: { readonly args?: readonly string[]; readonly stdout?: 'inherit' | 'ignore' } = {},
): ChildProcess {
  // Resolved here: the child would look for it from its working directory.
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return fork(file, args, { execArgv: ['--import', loader], stdio: ['ignore', stdout, 'inherit', 'ipc'] });
}
