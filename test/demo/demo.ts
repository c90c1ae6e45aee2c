/**
 * A home of real HAP accessories and the real daemon on loopback, found, paired and furnished through the public
 * interfaces alone. Needs the build, and nothing but loopback. Started by `main.ts`.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '../../src/cli/api-client.ts';
import { startParts } from '../support/accessories/demo-home.ts';
import { freePort, isPortFree } from '../support/free-port.ts';
import { toJsonLine, toText } from './announce.ts';
import { DaemonProcess } from './daemon-process.ts';
import { furnish } from './furnish.ts';
import { type DemoOptions, parseOptions, USAGE } from './options.ts';
import { findInterface, type PublishedOn, publish } from './publish.ts';

const DEFAULT_PORT = 5656;
const POLL_MS = 100;
/** For handles that libraries keep; by then everything of ours is closed. */
const LINGER_MS = 1_000;
/** A daemon that got the signal which ends the demo may be the first to go. */
const SIGNAL_GRACE_MS = 300;

// Output of a library is no part of the result.
console.log = console.error;
console.info = console.error;
console.warn = console.error;
// A reader that has what it wants may close the pipe.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.exitCode = await main(process.argv.slice(2));
if (process.connected) process.disconnect();
setTimeout(() => process.exit(), LINGER_MS).unref();

async function main(args: readonly string[]): Promise<number> {
  let options: DemoOptions;
  try {
    options = parseOptions(args);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  return runUntilSignalled(options);
}

/** @returns 0 after Ctrl-C or SIGTERM, 1 if something failed or the daemon ended by itself. */
async function runUntilSignalled(options: DemoOptions): Promise<number> {
  const ending = new AbortController();
  // Every signal after the first is ignored: npm and the terminal may both send one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort());
  // The process that started us is gone.
  process.on('disconnect', () => ending.abort());
  const cleanup: (() => unknown)[] = [];
  try {
    await run(options, ending.signal, cleanup);
    return 0;
  } catch (error) {
    if (ending.signal.aborted) return 0;
    process.stderr.write(`\nThe demo failed: ${(error as Error).message}\n`);
    return 1;
  } finally {
    ending.abort();
    for (const step of cleanup.reverse()) await step();
  }
}

/** Starts all, prints how to reach it and waits for the end. `cleanup` collects what undoes each step. */
async function run(options: DemoOptions, signal: AbortSignal, cleanup: (() => unknown)[]): Promise<void> {
  const progress = (line: string) => void process.stderr.write(`${line}\n`);
  const publishOn = options.publish === undefined ? undefined : findInterface(options.publish);
  const dataDir = prepareDirectory(options, cleanup);
  progress('Starting the home …');
  const home = await startParts({ directory: join(dataDir, 'demo-house') });
  cleanup.push(() => home.stop());
  signal.throwIfAborted();
  progress('Starting hearthd …');
  const port = await choosePort(options);
  const wsPort = (await isPortFree(port + 1)) ? port + 1 : 0;
  const daemon = new DaemonProcess({ dataDir, port, wsPort, flags: flagsOn(publishOn) });
  cleanup.push(() => daemon.stop());
  await whileRunning(daemon, signal, async () => {
    const api = new ApiClient(dataDir);
    await answering(api, signal);
    const furnished = await furnish({ api, demoHome: home, signal, progress });
    progress('Publishing the home …');
    const codes = await publish(api);
    const ready = { url: daemon.url, dataDir, demoHome: home, furnished, codes, publishOn };
    process.stdout.write(options.json ? `${toJsonLine(ready)}\n` : await toText(ready));
    await aborted(signal);
  });
}

/** Further flags of the daemon: it serves loopback in any case. */
function flagsOn(publishOn: PublishedOn | undefined): readonly string[] {
  if (!publishOn) return [];
  return ['--interface', publishOn.name, ...publishOn.addresses.flatMap((address) => ['--host', address])];
}

function prepareDirectory({ dataDir }: DemoOptions, cleanup: (() => unknown)[]): string {
  if (dataDir !== undefined) {
    const path = resolve(dataDir);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  }
  const scratch = mkdtempSync(join(tmpdir(), 'hearthd-demo-'));
  cleanup.push(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));
  return scratch;
}

async function choosePort({ port }: DemoOptions): Promise<number> {
  return port ?? ((await isPortFree(DEFAULT_PORT)) ? DEFAULT_PORT : freePort());
}

/** Waits until the daemon is up. Before that, its socket has no listener. */
async function answering(api: ApiClient, signal: AbortSignal): Promise<void> {
  while (true) {
    try {
      await api.get('/health');
      return;
    } catch {
      await delay(POLL_MS, undefined, { signal });
    }
  }
}

/** @throws `Error` with the end of the log, if the daemon ends before `work` does without a request. */
async function whileRunning(daemon: DaemonProcess, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const died = daemon.exited.then(async (how) => {
    await delay(SIGNAL_GRACE_MS);
    signal.throwIfAborted();
    throw new Error(`hearthd ${how}. The end of its log:\n\n${daemon.logTail()}`);
  });
  await Promise.race([work(), died, aborted(signal)]);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
