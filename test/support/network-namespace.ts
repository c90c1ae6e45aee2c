/**
 * Networks of their own for children of a test: namespaces joined by virtual cables (veth pairs), which can be pulled,
 * cut and rebuilt without the machine noticing. Needs root and `ip`; where they are missing, `describeWithNamespaces`
 * skips and reports why, unless HEARTHD_REQUIRE_NETNS=1, which makes that a failure.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, it } from 'vitest';
import { TYPESCRIPT } from './typescript-process.ts';

let created = 0;

export class NetworkNamespace {
  readonly name: string;
  readonly #children = new Set<ChildProcess>();

  private constructor(name: string) {
    this.name = name;
  }

  /** A fresh namespace with nothing but loopback, and no IPv6 unless asked for: that chatters by itself. */
  static create({ ipv6 = false }: { readonly ipv6?: boolean } = {}): NetworkNamespace {
    created += 1;
    const namespace = new NetworkNamespace(`hearthd-${process.pid}-${created}`);
    ip('netns', 'add', namespace.name);
    const setting = `echo ${ipv6 ? 0 : 1} > /proc/sys/net/ipv6/conf/all/disable_ipv6`;
    execFileSync('ip', ['netns', 'exec', namespace.name, 'sh', '-c', setting]);
    namespace.ip('link', 'set', 'lo', 'up');
    return namespace;
  }

  /** `ip` inside the namespace. @returns what it printed */
  ip(...args: readonly string[]): string {
    return ip('-n', this.name, ...args);
  }

  /** Gives a device its address and starts it. */
  setUp(device: string, cidr: string): void {
    this.ip('addr', 'add', cidr, 'dev', device);
    this.ip('link', 'set', device, 'up');
  }

  /** Packets sent through a device so far. */
  sentPackets(device: string): number {
    const [link] = JSON.parse(this.ip('-s', '-j', 'link', 'show', device)) as [
      { stats64: { tx: { packets: number } } },
    ];
    return link.stats64.tx.packets;
  }

  /** Runs a TypeScript file inside the namespace; each line that it prints is one JSON value. */
  run<T>(file: string, argument: unknown): NamespaceChild<T> {
    const node = [process.execPath, ...TYPESCRIPT, file, JSON.stringify(argument)];
    const child = spawn('ip', ['netns', 'exec', this.name, ...node], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#children.add(child);
    const lines: T[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line) as T));
    return {
      lines,
      isRunning: () => child.exitCode === null && child.signalCode === null,
      stop: async () => {
        this.#children.delete(child);
        await stop(child);
      },
    };
  }

  /** Stops what runs inside and takes the namespace away. */
  async remove(): Promise<void> {
    await Promise.all([...this.#children].map(stop));
    ip('netns', 'delete', this.name);
  }
}

export interface NamespaceChild<T> {
  /** What it has printed so far. */
  readonly lines: readonly T[];
  isRunning(): boolean;
  stop(): Promise<void>;
}

/** Joins two namespaces by a cable whose ends are both called `device`. Deleting one end takes the other with it. */
export function connect(a: NetworkNamespace, b: NetworkNamespace, device: string): void {
  a.ip('link', 'add', device, 'type', 'veth', 'peer', 'name', device, 'netns', b.name);
}

/** `describe`, where namespaces can be made. */
export function describeWithNamespaces(title: string, body: () => void): void {
  const reason = whyUnavailable();
  if (reason === undefined) {
    describe(title, body);
  } else if (process.env.HEARTHD_REQUIRE_NETNS === '1') {
    it(`${title}: network namespaces`, () => {
      throw new Error(`HEARTHD_REQUIRE_NETNS is set, but ${reason}`);
    });
  } else {
    process.stderr.write(`Skipped: ${title}: ${reason}\n`);
    describe.skip(title, body);
  }
}

function whyUnavailable(): string | undefined {
  if (process.platform !== 'linux') return 'network namespaces are a feature of Linux';
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  try {
    const a = `hearthd-${process.pid}-probe`;
    ip('netns', 'add', a);
    try {
      ip('-n', a, 'link', 'add', 'probe0', 'type', 'veth', 'peer', 'name', 'probe1');
    } finally {
      ip('netns', 'delete', a);
    }
    return undefined;
  } catch (error) {
    return `network namespaces cannot be made: ${String(error).split('\n')[0]}`;
  }
}

function ip(...args: readonly string[]): string {
  return execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
