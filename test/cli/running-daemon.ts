/**
 * What the command line talks to: the real HTTP API over a home with a fake driver, on a real Unix socket in a data
 * directory of its own; and a terminal that remembers what was written to it.
 */
import { HttpServer } from '../../src/api/server.ts';
import { main } from '../../src/cli/cli.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { createTestApi } from '../support/rest-client.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { createTestHome, type TestHome, type TestHomeOptions } from '../support/test-home.ts';

export interface Answer {
  readonly code: number;
  /** Ids that differ from run to run are replaced by `<id>`. */
  readonly out: string;
  readonly err: string;
}

export interface FakeTerminal extends Terminal {
  readonly written: { out: string; err: string };
  interrupt(): void;
}

export interface TerminalScript {
  readonly isTty?: boolean;
  readonly colour?: boolean;
  /** What is typed at the prompt for a secret; omitted = there is no prompt. */
  readonly secret?: string;
  readonly stdin?: string;
  /** UTC if left out. */
  readonly timeZone?: string;
}

export function createTerminal({
  isTty = false,
  colour = false,
  secret,
  stdin,
  timeZone = 'UTC',
}: TerminalScript = {}): FakeTerminal {
  const written = { out: '', err: '' };
  const interruption = new AbortController();
  return {
    written,
    isTty,
    colour,
    timeZone,
    canAsk: secret !== undefined,
    out(text) {
      written.out += text;
    },
    err(text) {
      written.err += text;
    },
    readLine: async () => stdin,
    askSecret: async (_question, fault) => (fault(secret ?? '') === undefined ? secret : undefined),
    untilInterrupted: () => interruption.signal,
    interrupt: () => interruption.abort(),
  };
}

/** Runs a command with nothing of this machine's environment. */
export async function run(dataDir: string, args: readonly string[], script: TerminalScript = {}): Promise<Answer> {
  const terminal = createTerminal(script);
  const code = await main([...args, '--data-dir', dataDir], { terminal, variables: { HOME: '/nowhere' } });
  return { code, out: withoutIds(terminal.written.out), err: withoutIds(terminal.written.err) };
}

export function withoutIds(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/_[0-9a-f]{4}\b/g, '_<id>');
}

export interface RunningDaemon {
  readonly home: TestHome;
  readonly dataDir: string;
  /** On 127.0.0.1. */
  readonly port: number;
  hearthd(...args: string[]): Promise<Answer>;
  hearthdOn(script: TerminalScript, ...args: string[]): Promise<Answer>;
  stop(): Promise<void>;
}

export async function startDaemon(
  options: TestHomeOptions = { sample: true },
  info: { instanceId?: string } = {},
): Promise<RunningDaemon> {
  const directory = createTempDirectory('cli');
  const home = createTestHome(options);
  const api = createTestApi(home, {
    info: { name: 'hearth', version: '0.0.0-test', instanceId: '0a1b2c3d', ...info },
  });
  const server = new HttpServer({
    fetch: (request, env) => api.fetch(request, env),
    host: ['127.0.0.1'],
    port: 0,
    socketPath: directory.file('hearthd.sock'),
    tls: null,
    logger: silentLogger,
  });
  await server.start();
  return {
    home,
    dataDir: directory.path,
    port: server.port,
    hearthd: (...args) => run(directory.path, args),
    hearthdOn: (script, ...args) => run(directory.path, args, script),
    async stop() {
      await server.stop();
      home.close();
      directory.remove();
    },
  };
}
