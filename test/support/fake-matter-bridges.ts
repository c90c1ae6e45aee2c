/** Matter bridges without a process: what a publication hands to its bridge, and what it sends to it. */
import type {
  MatterBridge,
  MatterBridgeDeps,
  MatterBridgeStatus,
  MatterClusters,
  MatterEndpoint,
  MatterFabric,
  MatterPress,
  OpenMatterBridge,
} from '../../src/home/matter-port.ts';

/** When windows are opened. */
export const OPENED_AT = 1_800_000_000_000;

export class FakeMatterBridge implements MatterBridge {
  readonly deps: MatterBridgeDeps;
  /** What it was sent, in order. */
  readonly values: { readonly key: string; readonly clusters: MatterClusters }[] = [];
  readonly presses: { readonly key: string; readonly press: MatterPress }[] = [];
  readonly removed: number[] = [];
  windowS: number | undefined;
  port = 5_540;
  status: MatterBridgeStatus = { state: 'stopped' };
  endpointChanges = 0;

  constructor(deps: MatterBridgeDeps) {
    this.deps = deps;
  }

  start(): void {
    this.setFabrics([]);
  }

  /** Takes a moment, as the end of a process does. */
  async stop(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.status = { state: 'stopped' };
  }

  setFabrics(fabrics: readonly MatterFabric[]): void {
    const { discriminator } = this.deps.identity;
    const [manualCode, qrCode] = [`manual ${discriminator}`, `MT:${discriminator}`];
    const windowEndsAt = fabrics.length === 0 ? Number.POSITIVE_INFINITY : null;
    this.status = { state: 'open', port: this.port, manualCode, qrCode, windowEndsAt, fabrics };
    this.deps.onStatus();
  }

  /** @throws if there is none of this name */
  named(name: string): MatterEndpoint {
    const found = this.deps.content.endpoints().find((endpoint) => endpoint.name === name);
    if (!found) throw new Error(`${name} is not published`);
    return found;
  }

  endpointsChanged(): void {
    this.endpointChanges += 1;
  }

  valuesChanged(key: string, clusters: MatterClusters): void {
    this.values.push({ key, clusters });
  }

  pressed(key: string, press: MatterPress): void {
    this.presses.push({ key, press });
  }

  async openWindow(durationS: number): Promise<void> {
    this.windowS = durationS;
    this.#setWindowEnd(OPENED_AT + durationS * 1_000);
  }

  async closeWindow(): Promise<void> {
    this.windowS = undefined;
    this.#setWindowEnd(null);
  }

  #setWindowEnd(windowEndsAt: number | null): void {
    if (this.status.state !== 'open') return;
    this.status = { ...this.status, windowEndsAt };
    this.deps.onStatus();
  }

  async removeFabric(index: number): Promise<void> {
    this.removed.push(index);
    if (this.status.state === 'open') this.setFabrics(this.status.fabrics.filter((one) => one.index !== index));
  }
}

export class FakeMatterBridges {
  readonly all: FakeMatterBridge[] = [];
  /** How many were open at one time. */
  mostAtOnce = 0;

  readonly open: OpenMatterBridge = (deps) => {
    const bridge = new FakeMatterBridge(deps);
    this.all.push(bridge);
    const open = this.all.filter(({ status }) => status.state === 'open');
    this.mostAtOnce = Math.max(this.mostAtOnce, open.length + 1);
    return bridge;
  };

  /** The one that was opened last. */
  get last(): FakeMatterBridge {
    const bridge = this.all.at(-1);
    if (!bridge) throw new Error('No Matter bridge was opened');
    return bridge;
  }
}
