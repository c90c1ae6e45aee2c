/** HAP servers without a network: what a publication hands to its servers, and what it sends to them. */
import type { BridgeConnection, BridgeServer, BridgeServerDeps, OpenBridge } from '../../src/home/publication-port.ts';

export interface SentValue {
  readonly aid: string;
  readonly iid: string;
  readonly value: unknown;
}

export class FakeBridge implements BridgeServer {
  readonly deps: BridgeServerDeps;
  readonly #fleet: FakeBridges;
  /** Events in order. */
  readonly sent: SentValue[] = [];
  /** The configuration numbers advertised, the first one included. */
  readonly configNumbers: number[] = [];
  connected: readonly BridgeConnection[] = [];
  controllersChangedCount = 0;
  port: number | undefined;

  constructor(deps: BridgeServerDeps, fleet: FakeBridges) {
    this.deps = deps;
    this.#fleet = fleet;
  }

  async start(): Promise<void> {
    await this.#fleet.beforeStart(this);
    this.port = this.#fleet.takePort(this.deps.preferredPort);
    this.configNumbers.push(this.deps.content.configNumber());
    this.#fleet.running.push(this);
  }

  stop(): void {
    this.port = undefined;
    this.#fleet.running = this.#fleet.running.filter((one) => one !== this);
  }

  connections(): readonly BridgeConnection[] {
    return this.connected;
  }

  valueChanged(aid: string, iid: string, value: SentValue['value']): void {
    this.sent.push({ aid, iid, value });
  }

  databaseChanged(): void {
    this.configNumbers.push(this.deps.content.configNumber());
  }

  controllersChanged(): void {
    this.controllersChangedCount += 1;
  }
}

export class FakeBridges {
  /** In the order of starting. */
  running: FakeBridge[] = [];
  #lastPort = 50_000;
  /** Replaced by tests of servers that can't start. */
  beforeStart: (bridge: FakeBridge) => void | Promise<void> = () => {};

  readonly open: OpenBridge = (deps) => new FakeBridge(deps, this);

  takePort(preferred: number | undefined): number {
    if (preferred !== undefined && this.running.every(({ port }) => port !== preferred)) return preferred;
    this.#lastPort += 1;
    return this.#lastPort;
  }

  named(name: string): FakeBridge {
    const found = this.running.find(({ deps }) => deps.identity.name === name);
    if (!found) throw new Error(`No bridge named ${name} is open`);
    return found;
  }
}
