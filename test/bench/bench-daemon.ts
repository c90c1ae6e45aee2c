/** The built daemon in a process of its own, paired with a fleet beforehand, for benchmarks. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type DaemonOptions, DaemonProcess, PROGRAM } from '../demo/daemon-process.ts';
import { asSystem, CONTROLLER, eventually, sharePairings } from '../support/e2e-relay.ts';
import { freePort } from '../support/free-port.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { processorMs, residentMb } from './process-stats.ts';

export { CONTROLLER };

type BenchOptions = Pick<DaemonOptions, 'flags' | 'variables' | 'program'>;

interface Member {
  readonly deviceId: string;
  readonly name: string;
  readonly port: number;
  readonly accessoryPublicKey: Buffer;
}

export class BenchDaemon {
  readonly directory: TempDirectory = createTempDirectory('bench');
  #process: DaemonProcess | undefined;
  readonly #options: BenchOptions;
  #token = '';

  constructor(options: BenchOptions = {}) {
    this.#options = options;
  }

  /** @param members to be paired with; the daemon reaches them at their last address, without mDNS. */
  static async start(members: readonly Member[], options: BenchOptions = {}): Promise<BenchDaemon> {
    const daemon = BenchDaemon.pairedWith(members, options);
    await daemon.start();
    return daemon;
  }

  /** The same, not started yet: writing hundreds of pairings takes longer than starting. */
  static pairedWith(members: readonly Member[], options: BenchOptions = {}): BenchDaemon {
    const daemon = new BenchDaemon(options);
    sharePairings(
      daemon.directory,
      members.map((member) => ({ ...member, publicKey: member.accessoryPublicKey })),
    );
    return daemon;
  }

  get url(): string {
    return this.#require().url;
  }

  /** Where WebSockets are taken. */
  get socketUrl(): string {
    return `${this.url.replace(/^http/, 'ws')}/ws`;
  }

  get token(): string {
    return this.#token;
  }

  async start(): Promise<void> {
    await this.spawn();
    await eventually(() => this.answers('/ready'), 'the daemon to answer', 60_000);
    this.#token ||= (await this.asSystem('POST', '/rest/tokens', { name: 'bench' })).body.token;
  }

  /** Starts the process, which answers later. @returns its id */
  async spawn(): Promise<number> {
    const { program = PROGRAM, variables } = this.#options;
    const service = readService(program);
    const daemon = new DaemonProcess({
      ...this.#options,
      nodeFlags: service.nodeFlags,
      variables: { ...service.variables, ...variables },
      dataDir: this.directory.path,
      port: await freePort(),
    });
    this.#process = daemon;
    void daemon.exited.then((how) => {
      if (this.#process === daemon) console.error(`The daemon ${how}:\n${daemon.logTail()}`);
    });
    if (daemon.pid === undefined) throw new Error('The daemon can’t be started');
    return daemon.pid;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what it expects.
  asSystem(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
    return asSystem(this.directory.file('hearthd.sock'), method, path, body);
  }

  /** Of the one home that there is. */
  async homeId(): Promise<string> {
    return (await this.asSystem('GET', '/rest/homes')).body[0].id;
  }

  async connectedCount(): Promise<number> {
    const { body } = await this.asSystem('GET', '/rest/pairings');
    return body.filter(({ status }: { status: string }) => status === 'connected').length;
  }

  /** Resolves when all `count` devices are connected and read. */
  async untilConnected(count: number, patienceMs = 120_000): Promise<void> {
    await eventually(async () => (await this.connectedCount()) === count, `${count} devices`, patienceMs);
  }

  /** Resident memory in MB. Linux only. */
  residentMb(): number {
    return residentMb(this.#require().pid);
  }

  /** Processor time in milliseconds. Linux only. */
  processorMs(): number {
    return processorMs(this.#require().pid);
  }

  async stop(): Promise<void> {
    await this.halt();
    this.directory.remove();
  }

  /** Stops the process; what it stored stays for the next one. */
  async halt(): Promise<void> {
    const daemon = this.#process;
    this.#process = undefined;
    await daemon?.stop();
  }

  /** Whether it answers there, with success. */
  async answers(path: string): Promise<boolean> {
    try {
      return (await fetch(`${this.url}${path}`, { headers: { Authorization: `Bearer ${this.#token}` } })).ok;
    } catch {
      return false;
    }
  }

  #require(): DaemonProcess {
    if (!this.#process) throw new Error('The daemon is not running');
    return this.#process;
  }
}

/** How the service of this build starts Node: what is measured is the relay as it is installed. */
function readService(program: string): Required<Pick<DaemonOptions, 'nodeFlags' | 'variables'>> {
  const unit = readFileSync(resolve(program, '../../systemd/hearthd.service'), 'utf8');
  const [, flags = ''] = /^ExecStart=\S+ ((?:--\S+ )*)\S+hearthd\.js start$/m.exec(unit) ?? [];
  const variables = [...unit.matchAll(/^Environment=(\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value] as const);
  return { nodeFlags: flags.split(' ').filter((flag) => flag !== ''), variables: Object.fromEntries(variables) };
}
