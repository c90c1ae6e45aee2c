/**
 * Notices that the npm which started us is gone. `npm run` passes a signal to its shell, which dies of it without a
 * signal to its child, so that a demo stopped through npm would go on for ever. Linux only; elsewhere nothing is
 * noticed.
 */
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 250;

/** Calls `onGone` once, when the process of `npm run` ends. Nothing to watch where we were started otherwise. */
export function watchNpm(onGone: () => void): void {
  const npm = process.env.npm_lifecycle_event === undefined ? undefined : findNpm(process.ppid);
  if (npm === undefined) return;
  const timer = setInterval(() => {
    if (isRunning(npm)) return;
    clearInterval(timer);
    onGone();
  }, LOOK_EVERY_MS);
  timer.unref();
}

/** The nearest ancestor that is npm. It calls itself `npm run demo`. */
function findNpm(pid: number): number | undefined {
  for (let ancestor = pid; ancestor > 1; ) {
    const command = readProcess(ancestor, 'cmdline');
    if (command === undefined) return undefined;
    if (/^npm\b|\bnpm-cli\.js\b/.test(command.replaceAll('\0', ' '))) return ancestor;
    ancestor = Number(/^PPid:\s*(\d+)/m.exec(readProcess(ancestor, 'status') ?? '')?.[1] ?? 0);
  }
  return undefined;
}

function readProcess(pid: number, file: 'cmdline' | 'status'): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
