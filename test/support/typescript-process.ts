import { type ChildProcess, fork } from 'node:child_process';

/** Node's options for a child that runs a TypeScript file, in any working directory. */
export const TYPESCRIPT = ['--import', new URL('./typescript/register.js', import.meta.url).href] as const;

/** Runs a TypeScript file in a process of its own, with an IPC channel; its stdout and stderr are ours by default. */
export function forkTypeScript(
  file: string,
  { args = [], stdout = 'inherit' }: { readonly args?: readonly string[]; readonly stdout?: 'inherit' | 'ignore' } = {},
): ChildProcess {
  return fork(file, args, { execArgv: [...TYPESCRIPT], stdio: ['ignore', stdout, 'inherit', 'ipc'] });
}
