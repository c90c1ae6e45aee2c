/** A bridge and controllers in two network namespaces, joined by a cable: Matter’s mDNS skips loopback. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MatterChild, SpawnMatterChild } from '../../../src/drivers/matter/child-process.ts';
import { MatterSupervisor, type MatterSupervisorDeps } from '../../../src/drivers/matter/supervisor.ts';
import type { MatterBridgeStatus } from '../../../src/home/matter-port.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { builtOnce, ROOT } from '../../support/built-once.ts';
import { eventually } from '../../support/e2e-relay.ts';
import { connect, type NamespaceChild, NetworkNamespace } from '../../support/network-namespace.ts';
import type { ControllerRequest, EndpointSummary } from './controller-child.ts';
import { IDENTITY } from './fake-home.ts';

const SOURCES = ['src/drivers/matter', 'src/rolldown.config.js', 'package-lock.json', 'tsconfig.json'];

export class MatterNetwork {
  readonly #bridge = NetworkNamespace.create({ ipv6: true });
  readonly #controllers = NetworkNamespace.create({ ipv6: true });
  readonly #running = new Set<Controller>();
  readonly #bridges = new Set<OpenedBridge>();

  static async create(): Promise<MatterNetwork> {
    const network = new MatterNetwork();
    connect(network.#bridge, network.#controllers, 'v0');
    network.#bridge.setUp('v0', '10.77.0.1/24');
    network.#controllers.setUp('v0', '10.77.0.2/24');
    for (const namespace of [network.#bridge, network.#controllers]) {
      namespace.ip('route', 'add', '224.0.0.0/4', 'dev', 'v0');
      await eventually(() => {
        const addresses = namespace.ip('-6', 'addr', 'show', 'dev', 'v0');
        return addresses.includes('fe80') && !addresses.includes('tentative');
      }, 'an IPv6 address');
    }
    return network;
  }

  /** Put before a command, lets it run on the bridge's computer. */
  get before(): readonly string[] {
    return ['ip', 'netns', 'exec', this.#bridge.name];
  }

  /** A bridge that is open. */
  async bridge(options: BridgeOptions): Promise<OpenedBridge> {
    const bridge = new OpenedBridge({
      identity: IDENTITY,
      preferredPort: undefined,
      yieldsMatterPort: false,
      onStatus: () => {},
      spawn: this.spawn,
      networkInterface: null,
      version: '1.2.3',
      clock: systemClock,
      logger: silentLogger,
      ...options,
    });
    this.#bridges.add(bridge);
    bridge.start();
    await bridge.opened();
    return bridge;
  }

  /** The bundled program, in the bridge's namespace. */
  readonly spawn: SpawnMatterChild = () => this.run(bundledChild());

  run(file: string): MatterChild {
    const process_ = spawn('ip', ['netns', 'exec', this.#bridge.name, process.execPath, file], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    return { process: process_, stderr: () => '' };
  }

  /** Runs a TypeScript file on the bridge's computer. */
  runBeside<T>(file: string, argument: unknown): NamespaceChild<T> {
    return this.#bridge.run<T>(file, argument);
  }

  /** Another program has a UDP port of the bridge's computer. @returns what ends it */
  async occupy(port: number): Promise<() => void> {
    const script = `require('dgram').createSocket('udp6').bind(${port}, () => console.log('bound'))`;
    const child = spawn('ip', ['netns', 'exec', this.#bridge.name, process.execPath, '-e', script]);
    await once(child.stdout, 'data');
    return () => void child.kill('SIGKILL');
  }

  async controller(label: string): Promise<Controller> {
    const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
    const file = join(import.meta.dirname, 'controller-child.ts');
    const child = spawn(
      'ip',
      ['netns', 'exec', this.#controllers.name, process.execPath, '--import', loader, file, label],
      { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
    );
    await once(child, 'message');
    const controller = new Controller(child);
    this.#running.add(controller);
    return controller;
  }

  async remove(): Promise<void> {
    await Promise.all([...this.#running, ...this.#bridges].map((one) => one.stop()));
    await this.#bridge.remove();
    await this.#controllers.remove();
  }
}

/** The program as it is installed. */
export function bundledChild(): string {
  return join(builtOnce('matter-child', SOURCES, bundle), 'matter-child.js');
}

function bundle(folder: string): void {
  execFileSync(join(ROOT, 'node_modules/.bin/rolldown'), ['-c', 'src/rolldown.config.js', '--dir', folder], {
    cwd: ROOT,
  });
}

type BridgeOptions = Pick<MatterSupervisorDeps, 'content' | 'storage'> & Partial<MatterSupervisorDeps>;
type OpenStatus = Extract<MatterBridgeStatus, { readonly state: 'open' }>;

export class OpenedBridge extends MatterSupervisor {
  /** @throws when it is not open */
  get open(): OpenStatus {
    if (this.status.state !== 'open') throw new Error(`The bridge is ${JSON.stringify(this.status)}`);
    return this.status;
  }

  async opened(): Promise<OpenStatus> {
    await eventually(() => this.status.state === 'open', 'the bridge to open');
    return this.open;
  }
}

export class Controller {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  #nextId = 1;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', ({ id, value, error }: { id: number; value?: unknown; error?: string }) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(value);
      else waiting?.reject(new Error(error));
    });
  }

  async commission(code: string): Promise<void> {
    await this.#ask({ do: 'commission', code });
  }

  async endpoints(): Promise<readonly EndpointSummary[]> {
    return (await this.#ask({ do: 'endpoints' })) as readonly EndpointSummary[];
  }

  /** Attributes as its subscription reported them. */
  async state(endpoint: number, cluster: string): Promise<Record<string, unknown>> {
    return (await this.#ask({ do: 'state', endpoint, cluster })) as Record<string, unknown>;
  }

  /** Attributes as the bridge answers now. */
  async read(endpoint: number, cluster: string): Promise<Record<string, unknown>> {
    return (await this.#ask({ do: 'read', endpoint, cluster })) as Record<string, unknown>;
  }

  async invoke(endpoint: number, cluster: string, command: string, fields?: object): Promise<unknown> {
    return this.#ask({ do: 'invoke', endpoint, cluster, command, ...(fields ? { fields } : {}) });
  }

  async write(endpoint: number, cluster: string, values: object): Promise<void> {
    await this.#ask({ do: 'write', endpoint, cluster, values });
  }

  async events(endpoint: number, cluster: string): Promise<readonly { readonly name: string }[]> {
    return (await this.#ask({ do: 'events', endpoint, cluster })) as readonly { readonly name: string }[];
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }

  #ask(request: ControllerRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, request });
    });
  }
}
