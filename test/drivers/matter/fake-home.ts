/** What is behind a bridge in tests: endpoints as plain objects, writes recorded and applied, storage in memory. */
import type {
  MatterBridgeDeps,
  MatterClusters,
  MatterContent,
  MatterEndpoint,
  MatterStorage,
  MatterStorageChange,
  MatterStoredValue,
  MatterWrite,
  MatterWriteResult,
} from '../../../src/home/matter-port.ts';

export class FakeMatterHome implements MatterContent {
  readonly writes: MatterWrite[] = [];
  readonly stops: string[] = [];
  readonly identified: string[] = [];
  version = 1;
  answer: (write: MatterWrite) => MatterWriteResult | Promise<MatterWriteResult> = () => 'ok';
  readonly #endpoints: MatterEndpoint[];

  constructor(endpoints: readonly MatterEndpoint[]) {
    this.#endpoints = [...endpoints];
  }

  endpoints(): readonly MatterEndpoint[] {
    return this.#endpoints;
  }

  configurationVersion(): number {
    return this.version;
  }

  async write(write: MatterWrite): Promise<MatterWriteResult> {
    this.writes.push(write);
    return this.answer(write);
  }

  stopMotion(key: string): void {
    this.stops.push(key);
  }

  identify(key: string): void {
    this.identified.push(key);
  }

  change(key: string, changes: Partial<MatterEndpoint>): void {
    const index = this.#endpoints.findIndex((endpoint) => endpoint.key === key);
    const known = this.#endpoints[index];
    if (known) this.#endpoints[index] = { ...known, ...changes };
  }

  add(endpoint: MatterEndpoint): void {
    this.#endpoints.push(endpoint);
  }

  remove(key: string): void {
    const index = this.#endpoints.findIndex((endpoint) => endpoint.key === key);
    if (index >= 0) this.#endpoints.splice(index, 1);
  }
}

/** Outlives the process. */
export class MemoryMatterStorage implements MatterStorage {
  readonly #values = new Map<string, MatterStoredValue>();
  applied = 0;
  error: Error | undefined;

  load(): readonly MatterStoredValue[] {
    if (this.error) throw this.error;
    return [...this.#values.values()];
  }

  apply(changes: readonly MatterStorageChange[]): void {
    if (this.error) throw this.error;
    this.applied += changes.length;
    for (const change of changes) {
      const { context } = change;
      if (change.type === 'set') this.#values.set(`${context}/${change.key}`, change);
      else if (change.type === 'delete') this.#values.delete(`${context}/${change.key}`);
      else this.#clear(context);
    }
  }

  #clear(context: string): void {
    for (const [name, value] of this.#values) {
      if (context === '' || value.context === context || value.context.startsWith(`${context}.`))
        this.#values.delete(name);
    }
  }
}

export const IDENTITY: MatterBridgeDeps['identity'] = {
  uniqueId: 'hearth-0001',
  serialNumber: 'hearth-0001',
  name: 'Hearth',
  passcode: 48_151_623,
  discriminator: 2_342,
};

let created = 0;

/** An endpoint with what a device type needs at least. */
export function endpoint(
  key: string,
  deviceType: MatterEndpoint['deviceType'],
  clusters: MatterClusters,
  features: MatterEndpoint['features'] = {},
): MatterEndpoint {
  created += 1;
  return {
    key,
    number: 10 + created,
    uniqueId: `unique-${key}`,
    name: `The ${key}`,
    vendor: 'Acme',
    product: 'Thing',
    serialNumber: null,
    deviceType,
    features,
    clusters,
    reachable: true,
  };
}

/** A network that never changes. */
export const STEADY_NETWORK = { join() {}, leave() {} };
