/**
 * Runs the relay as a process: starts it, notifies systemd, waits for a signal and stops it. It does not depend on the
 * components of the relay.
 */

import type { Config } from '../config/config.ts';
import type { Environment } from '../config/env.ts';
import { systemClock } from '../kernel/clock.ts';
import { HearthError, messageOf } from '../kernel/errors.ts';
import { createLog, type Log, type Logger } from '../kernel/logger.ts';
import { DirectoryInUseError } from '../storage/data-directory.ts';
import { CliError, EXIT, type ExitCode } from './exit-codes.ts';
import { freeStartMemory } from './free-start-memory.ts';
import { warnOfFewFiles } from './open-files.ts';
import { SystemdNotify } from './systemd-notify.ts';

/** The result of `createRelay`. */
export interface RunnableRelay {
  start(): Promise<void>;
  stop(): Promise<void>;
  readonly url: string;
  readonly wsPort: number;
  /** Resolves if the relay could not start again after a restore. */
  readonly lost: Promise<unknown>;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const SIGNAL_NUMBERS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;
/** systemd's own default is 90 s; a stop that takes longer than this hangs. */
const STOP_DEADLINE_MS = 20_000;
/** Files of this process are private, regardless of the shell's umask. */
const PRIVATE_UMASK = 0o077;

/**
 * @returns the exit code after a graceful stop. A second signal ends the process at once.
 * @throws `CliError` the relay failed to start: one line, and the exit code that controls whether systemd retries.
 */
export async function runDaemon(
  config: Config,
  environment: Environment,
  createRelay: (config: Config, log: Log) => RunnableRelay,
): Promise<ExitCode> {
  process.umask(PRIVATE_UMASK);
  const log = createLog({ level: config.logLevel, format: config.logFormat });
  const { logger } = log;
  const systemd = new SystemdNotify(environment, logger);
  const ending = watchForEnd(logger);
  const fewFiles = warnOfFewFiles();
  if (fewFiles !== null) logger.warn({}, fewFiles);
  try {
    const relay = createRelay(config, log);
    await startOrRefuse(relay);
    logger.info(
      { url: relay.url, wsPort: relay.wsPort, dataDir: config.dataDir, pid: process.pid },
      'hearthd is running',
    );
    systemd.ready(`Serving ${relay.url}`);
    const cancelFreeing = freeStartMemory(systemClock);
    const lost = relay.lost.then(() => ({ exitCode: EXIT.later, why: 'it could not restart' }));
    const { exitCode, why } = await Promise.race([ending.first, lost]);
    cancelFreeing();
    logger.info({ why }, 'hearthd is stopping');
    systemd.stopping();
    return (await stopInTime(relay, logger)) ? exitCode : EXIT.failed;
  } finally {
    systemd.close();
    ending.close();
  }
}

/**
 * A signal, or an uncaught error: after an uncaught error the process's state is unknown, so it ends and systemd
 * restarts it.
 */
function watchForEnd(logger: Logger): { first: Promise<{ exitCode: ExitCode; why: string }>; close(): void } {
  let report: (end: { exitCode: ExitCode; why: string }) => void = () => {};
  const first = new Promise<{ exitCode: ExitCode; why: string }>((resolve) => {
    report = resolve;
  });
  let signalled = false;
  const onSignal = (signal: (typeof SIGNALS)[number]): void => {
    if (signalled) process.exit(128 + SIGNAL_NUMBERS[signal]);
    signalled = true;
    report({ exitCode: EXIT.ok, why: signal });
  };
  const onUncaught = (error: unknown): void => {
    const stack = error instanceof Error ? error.stack : undefined;
    logger.error({ error: messageOf(error), stack }, 'Unexpected error: hearthd stops');
    report({ exitCode: EXIT.failed, why: 'an unexpected error' });
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.on('uncaughtException', onUncaught);
  process.on('unhandledRejection', onUncaught);
  return {
    first,
    close() {
      for (const signal of SIGNALS) process.off(signal, onSignal);
      process.off('uncaughtException', onUncaught);
      process.off('unhandledRejection', onUncaught);
    },
  };
}

async function startOrRefuse(relay: RunnableRelay): Promise<void> {
  try {
    await relay.start();
  } catch (error) {
    await relay.stop();
    if (!(error instanceof HearthError)) throw error;
    const busy = error instanceof DirectoryInUseError || codeOf(error.cause) === 'EADDRINUSE';
    throw new CliError(busy ? EXIT.later : EXIT.config, error.code, error.message, { cause: error });
  }
}

async function stopInTime(relay: RunnableRelay, logger: Logger): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), STOP_DEADLINE_MS);
  });
  const stopped = await Promise.race([relay.stop().then(() => true), late]);
  clearTimeout(timer);
  if (!stopped) logger.error({ deadlineMs: STOP_DEADLINE_MS }, 'hearthd did not stop in time; the process exits now');
  return stopped;
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
