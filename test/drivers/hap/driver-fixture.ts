/**
 * A whole HAP driver over real SQLite and real sockets, on a network that the test scripts, and all its reports to the
 * home.
 */
import { createHapDriver } from '../../../src/drivers/hap/create-hap-driver.ts';
import type { HapDriver } from '../../../src/drivers/hap/hap-driver.ts';
import { PairingStore } from '../../../src/drivers/hap/pairing/pairing-store.ts';
import { PublishedServers } from '../../../src/drivers/hap/published-servers.ts';
import type { DescribedAccessory, DriverSink, DriverWrite, ReportedValue } from '../../../src/home/accessory-driver.ts';
import type { CharacteristicValue, HapId } from '../../../src/home/model.ts';
import type { PairedDevice } from '../../../src/home/pairing-driver.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { type Database, openDatabase } from '../../../src/storage/database.ts';
import { createControllerKeys, pairingKeys } from '../../support/accessories/identity.ts';
import { type RawAccessory, type RawOptions, startRawAccessory } from '../../support/accessories/raw-accessory.ts';
import { lampAccessory } from '../../support/accessories/sample-databases.ts';
import { ScriptedDiscovery } from '../../support/scripted-discovery.ts';
import { quickClock, until } from './session/session-fixture.ts';

export const HOME = '11111111-1111-4111-8111-111111111111';
export const OTHER_HOME = '22222222-2222-4222-8222-222222222222';
const CONTROLLER = createControllerKeys();
/** Waits that are part of what is tested pass four times as fast. */
const CLOCK = quickClock(4);

/** Keeps the last reported value, and all of them in order. */
export class RecordingSink implements DriverSink {
  readonly described = new Map<string, readonly DescribedAccessory[]>();
  readonly reachable = new Map<string, boolean>();
  readonly connected = new Map<string, boolean>();
  readonly values: (ReportedValue & { source: string })[] = [];
  readonly calls: string[] = [];

  describe(homeId: string, source: string, accessories: readonly DescribedAccessory[]): void {
    this.calls.push(`describe ${source} in ${homeId}`);
    this.described.set(source, accessories);
  }

  report(source: string, values: readonly ReportedValue[]): void {
    for (const value of values) this.values.push({ ...value, source });
  }

  setReachable(source: string, reachable: boolean, aid?: HapId): void {
    this.reachable.set(aid === undefined ? source : `${source}/${aid}`, reachable);
  }

  forget(source: string): void {
    this.calls.push(`forget ${source}`);
    this.described.delete(source);
  }

  setConnected(homeId: string, connected: boolean): void {
    this.connected.set(homeId, connected);
  }
}

export class DriverFixture {
  readonly database: Database = openDatabase(':memory:');
  readonly discovery = new ScriptedDiscovery();
  readonly homes = [
    { id: HOME, paused: false },
    { id: OTHER_HOME, paused: false },
  ];
  /** Of servers that publish the home. */
  readonly ownDeviceIds = new Set<string>();
  sink = new RecordingSink();
  pairings: PairingStore;
  driver: HapDriver;
  readonly #accessories: RawAccessory[] = [];

  constructor() {
    for (const { id } of this.homes) {
      this.database.prepare('INSERT INTO homes (id, name, name_key, created_at) VALUES (?, ?, ?, 0)').run(id, id, id);
    }
    this.pairings = this.#openPairings();
    this.driver = this.#build();
  }

  /** What a daemon that starts again finds: the database, and nothing in memory. */
  async restart(): Promise<void> {
    await this.driver.stop();
    this.sink = new RecordingSink();
    this.pairings = this.#openPairings();
    this.driver = this.#build();
    this.driver.start();
  }

  async accessory(options: Partial<RawOptions> = {}): Promise<RawAccessory> {
    const accessory = await startRawAccessory({ database: [lampAccessory('Lamp')], mdns: false, ...options });
    this.#accessories.push(accessory);
    return accessory;
  }

  /** One that announces itself and is not paired. */
  async nearby(options: Partial<RawOptions> = {}): Promise<RawAccessory> {
    const accessory = await this.accessory(options);
    this.announce(accessory);
    return accessory;
  }

  /** One that announces itself and was paired into the home before the driver was started. */
  async paired(homeId = HOME, options: Partial<RawOptions> = {}): Promise<RawAccessory> {
    const accessory = await this.accessory({
      paired: [{ id: CONTROLLER.id, publicKey: CONTROLLER.publicKey }],
      ...options,
    });
    this.announce(accessory);
    const keys = pairingKeys(CONTROLLER, accessory);
    this.pairings.begin({ keys, homeId, name: accessory.name, model: 'Raw', category: 5, pairedAt: 1 });
    this.pairings.complete(keys.deviceId, keys);
    return accessory;
  }

  announce({ deviceId, name, port, pairing }: RawAccessory): void {
    this.discovery.announce({ deviceId, name, port, statusFlags: pairing.controllers.size > 0 ? 0 : 1 });
  }

  /** The paired device, as the driver presents it. */
  device(deviceId: string): PairedDevice | undefined {
    return this.driver.listPaired().find((device) => device.deviceId === deviceId);
  }

  untilStatus(accessory: { deviceId: string }, status: PairedDevice['status']): Promise<void> {
    const { deviceId } = accessory;
    return until(() => this.device(deviceId)?.status === status, `${deviceId} to be ${status}`);
  }

  pair(accessory: RawAccessory, device = accessory.deviceId, steps: string[] = []): Promise<PairedDevice> {
    const { setupCode } = accessory;
    return this.driver.pair({ device, homeId: HOME, setupCode }, (step) => steps.push(step));
  }

  /** The last reported value of it. */
  value({ deviceId }: { deviceId: string }, iid: number, aid = 1): CharacteristicValue | undefined {
    return this.sink.values.findLast(
      (value) => value.source === deviceId && value.aid === String(aid) && value.iid === String(iid),
    )?.value;
  }

  rows(table: string): number {
    return this.database.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? -1;
  }

  async close(): Promise<void> {
    await this.driver.stop();
    await Promise.all(this.#accessories.map((accessory) => accessory.stop()));
    this.database.close();
  }

  #openPairings(): PairingStore {
    const pairings = new PairingStore(this.database, null, silentLogger);
    pairings.open();
    return pairings;
  }

  #build(): HapDriver {
    const { database, discovery, pairings, sink, ownDeviceIds } = this;
    return createHapDriver({
      published: new PublishedServers({ discovery, ownDeviceIds, arePairable: false }),
      database,
      discovery,
      pairings,
      sink,
      clock: CLOCK,
      logger: silentLogger,
      homes: () => this.homes,
    });
  }
}

export function writeTo(source: string, iid: number, value: CharacteristicValue, aid = 1): DriverWrite {
  return { address: { source, aid: String(aid) }, iid: String(iid), value };
}
