/** A bridge and controllers in two network namespaces, joined by a cable: Matter’s mDNS skips loopback. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { MatterChild, SpawnMatterChild } from '../../../src/drivers/matter/child-process.ts';
import { MatterSupervisor, type MatterSupervisorDeps } from '../../../src/drivers/matter/supervisor.ts';
import type { MatterBridgeStatus } from '../../../src/home/matter-port.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { AskedProcess, startAsked } from '../../support/asked-process.ts';
import { builtOnce, ROOT } from '../../support/built-once.ts';
import { eventually } from '../../support/e2e-relay.ts';
import { connect, type NamespaceChild, NetworkNamespace } from '../../support/network-namespace.ts';
import type { ControllerRequest, EndpointSummary } from './controller-child.ts';
import { IDENTITY, STEADY_NETWORK } from './fake-home.ts';

/** The bridge's interface, and the controllers' end of the same cable. */
const CABLE = 'v0';
/** The controllers' interface. */
const SWITCH = 'br0';

const SOURCES = ['src/drivers/matter', 'src/rolldown.config.js', 'package-lock.json', 'tsconfig.json'];

export class MatterNetwork {
  readonly #bridge = NetworkNamespace.create({ ipv6: true });
  readonly #controllers = NetworkNamespace.create({ ipv6: true });
  readonly #running = new Set<{ stop(): Promise<void> }>();
  readonly #bridges = new Set<OpenedBridge>();

  static async create(): Promise<MatterNetwork> {
    const network = new MatterNetwork();
    const controllers = network.#controllers;
    controllers.ip('link', 'add', SWITCH, 'type', 'bridge', 'mcast_snooping', '0');
    controllers.setUp(SWITCH, '10.77.0.2/24');
    controllers.ip('route', 'add', '224.0.0.0/4', 'dev', SWITCH);
    await network.plugIn('10.77.0.1');
    await untilIpv6(controllers, SWITCH);
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
      network: STEADY_NETWORK,
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
    return this.keep(new Controller(await this.startOutside(join(import.meta.dirname, 'controller-child.ts'), label)));
  }

  /** Runs a TypeScript file on the controllers' computer. @returns it when it has sent its first message */
  startOutside(file: string, ...args: readonly string[]): Promise<ChildProcess> {
    return startAsked(['ip', 'netns', 'exec', this.#controllers.name], file, ...args);
  }

  /** Is stopped with the network. */
  keep<T extends { stop(): Promise<void> }>(running: T): T {
    this.#running.add(running);
    return running;
  }

  /** The bridge's computer is off the network; its interface stays. */
  setDown(): void {
    this.#bridge.ip('link', 'set', CABLE, 'down');
  }

  async setUp(): Promise<void> {
    this.#bridge.ip('link', 'set', CABLE, 'up');
    await this.#untilUp();
  }

  /** The interface of the bridge's computer is gone. */
  unplug(): void {
    this.#bridge.ip('link', 'delete', CABLE);
  }

  /** Another interface of the same name is there, with another hardware address. */
  async plugIn(address: string): Promise<void> {
    connect(this.#bridge, this.#controllers, CABLE);
    // The controllers' end is a port of their switch: their own addresses stay when the cable is gone.
    this.#controllers.ip('link', 'set', CABLE, 'addrgenmode', 'none');
    this.#controllers.ip('link', 'set', CABLE, 'master', SWITCH);
    this.#controllers.ip('link', 'set', CABLE, 'up');
    this.#bridge.setUp(CABLE, `${address}/24`);
    await this.#untilUp();
  }

  async #untilUp(): Promise<void> {
    this.#bridge.ip('route', 'replace', '224.0.0.0/4', 'dev', CABLE);
    await untilIpv6(this.#bridge, CABLE);
  }

  async remove(): Promise<void> {
    await Promise.all([...this.#running, ...this.#bridges].map((one) => one.stop()));
    await this.#bridge.remove();
    await this.#controllers.remove();
  }
}

async function untilIpv6(namespace: NetworkNamespace, device: string): Promise<void> {
  await eventually(() => {
    const addresses = namespace.ip('-6', 'addr', 'show', 'dev', device);
    return addresses.includes('fe80') && !addresses.includes('tentative');
  }, 'an IPv6 address');
}

/** The program as it is installed. */
export function bundledChild(): string {
  const built = builtOnce({ label: 'matter-child', dist: 'dist/daemon', sources: SOURCES, build: bundle });
  return join(built, 'matter-child.js');
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

export class Controller extends AskedProcess<ControllerRequest> {
  async commission(code: string): Promise<void> {
    await this.ask({ do: 'commission', code });
  }

  /** @returns the lengths of the aggregator's list of endpoints, as reported since the last time; begins to listen */
  async lists(): Promise<readonly number[]> {
    return (await this.ask({ do: 'lists' })) as readonly number[];
  }

  async endpoints(): Promise<readonly EndpointSummary[]> {
    return (await this.ask({ do: 'endpoints' })) as readonly EndpointSummary[];
  }

  /** Attributes as its subscription reported them. */
  async state(endpoint: number, cluster: string): Promise<Record<string, unknown>> {
    return (await this.ask({ do: 'state', endpoint, cluster })) as Record<string, unknown>;
  }

  /** Attributes as the bridge answers now. */
  async read(endpoint: number, cluster: string): Promise<Record<string, unknown>> {
    return (await this.ask({ do: 'read', endpoint, cluster })) as Record<string, unknown>;
  }

  async invoke(endpoint: number, cluster: string, command: string, fields?: object): Promise<unknown> {
    return this.ask({ do: 'invoke', endpoint, cluster, command, ...(fields ? { fields } : {}) });
  }

  async write(endpoint: number, cluster: string, values: object): Promise<void> {
    await this.ask({ do: 'write', endpoint, cluster, values });
  }

  async events(endpoint: number, cluster: string): Promise<readonly { readonly name: string }[]> {
    return (await this.ask({ do: 'events', endpoint, cluster })) as readonly { readonly name: string }[];
  }
}
