/**
 * A driver without a network: implements the pairing driver's port over scripted devices. It confirms and reports each
 * write, unless a script changes that; what the test calls happens to the home as if a device had done it.
 */
import type {
  DescribedAccessory,
  DriverSink,
  DriverWrite,
  FailureReason,
  WriteOutcome,
} from '../../src/home/accessory-driver.ts';
import type { PictureSize } from '../../src/home/camera-driver.ts';
import type { AccessoryAddress, CharacteristicValue, HapId } from '../../src/home/model.ts';
import type {
  AdoptionOutcome,
  DeviceTrace,
  DiscoveredDevice,
  ForeignPairing,
  PairedDevice,
  PairingChange,
  PairingDriver,
  PairingRequest,
  PairingStep,
  RegisteredController,
} from '../../src/home/pairing-driver.ts';
import { type Clock, sleep } from '../../src/kernel/clock.ts';
import { HearthError } from '../../src/kernel/errors.ts';

export interface FakeDevice {
  /** `AA:BB:CC:DD:EE:FF` */
  readonly deviceId: string;
  readonly name: string;
  readonly setupCode: string;
  readonly accessories: readonly DescribedAccessory[];
}

/** What a write to a scripted characteristic answers: a refusal, or the value that the device makes of it. */
export type WriteScript = (write: DriverWrite) => FailureReason | { readonly value: CharacteristicValue };

const PAIRING_STEPS: readonly PairingStep[] = [
  'connecting',
  'exchanging',
  'proving',
  'saving',
  'verifying',
  'reading',
  'done',
];

const OURSELVES: RegisteredController = {
  id: 'b4f8a3de-7a0b-4f53-8d51-0f6e8c5b1a77',
  publicKey: '11'.repeat(32),
  admin: true,
  self: true,
};

export class FakeDriver implements PairingDriver {
  readonly #sink: DriverSink;
  readonly #clock: Clock;
  readonly #devices = new Map<string, FakeDevice>();
  readonly #paired = new Map<string, PairedDevice>();
  readonly #manual = new Set<string>();
  readonly #controllers = new Map<string, RegisteredController[]>();
  #writeScript: WriteScript | undefined;
  #unreachable = new Set<string>();
  readonly #listeners = new Set<(change: PairingChange) => void>();

  /** Every call of `write`, in order. */
  readonly writes: (readonly DriverWrite[])[] = [];
  /** Every accessory asked to identify itself; unpaired ones by device id and aid 1. */
  readonly identified: AccessoryAddress[] = [];
  /** Every home paused or resumed, in order. */
  readonly pauses: { readonly homeId: string; readonly paused: boolean }[] = [];
  /** Device ids of servers that publish a home. */
  readonly published = new Set<string>();
  /** How often devices were connected again. */
  reconnects = 0;
  /** How often the network was asked again. */
  refreshes = 0;
  /** How long a write takes. */
  writeDelayMs = 0;

  constructor(sink: DriverSink, clock: Clock) {
    this.#sink = sink;
    this.#clock = clock;
  }

  start(): void {}

  stop(): void {}

  // — the script —

  /** Puts a device on the network. */
  addDevice(device: FakeDevice): void {
    this.#devices.set(device.deviceId, device);
    this.#changed({ of: 'discovery' });
  }

  /** Puts a device on the network and into a home at once: described, connected and reachable. */
  attach(homeId: string, device: FakeDevice): void {
    this.addDevice(device);
    this.#adopt(homeId, device);
  }

  /** The device describes itself again, as after a change of its configuration number. */
  describe(deviceId: string, accessories: readonly DescribedAccessory[]): void {
    const device = this.#device(deviceId);
    this.#devices.set(deviceId, { ...device, accessories });
    const homeId = this.#paired.get(deviceId)?.homeId;
    if (homeId !== undefined) this.#sink.describe(homeId, deviceId, accessories);
  }

  /** The device reports a value by itself. */
  event(deviceId: string, aid: HapId, iid: HapId, value: CharacteristicValue): void {
    this.#sink.report(deviceId, [{ aid, iid, value, via: 'event' }]);
  }

  /** The device, or one accessory of it, drops off the network or comes back. Writes to it fail meanwhile. */
  setReachable(deviceId: string, reachable: boolean, aid?: HapId): void {
    const key = aid === undefined ? deviceId : `${deviceId} ${aid}`;
    if (reachable) this.#unreachable.delete(key);
    else this.#unreachable.add(key);
    this.#sink.setReachable(deviceId, reachable, aid);
  }

  /** Decides what writes answer from now on; `undefined` for plain success. */
  scriptWrites(script: WriteScript | undefined): void {
    this.#writeScript = script;
  }

  // — the port —

  async write(writes: readonly DriverWrite[]): Promise<readonly WriteOutcome[]> {
    this.writes.push(writes);
    if (this.writeDelayMs > 0) await sleep(this.#clock, this.writeDelayMs);
    return writes.map((write) => this.#write(write));
  }

  async identify(address: AccessoryAddress): Promise<void> {
    if (this.#isUnreachable(address)) throw new HearthError('accessory_unreachable', 'Accessory unreachable');
    this.identified.push(address);
  }

  async takePicture(address: AccessoryAddress, { width, height }: PictureSize): Promise<Buffer> {
    if (this.#isUnreachable(address)) throw new HearthError('accessory_unreachable', 'Accessory unreachable');
    return Buffer.from(`${address.source} ${width}×${height}`);
  }

  /** Answers with the question, turned around. */
  async negotiate(address: AccessoryAddress, iid: string, value: string): Promise<string> {
    if (this.#isUnreachable(address)) throw new HearthError('accessory_unreachable', 'Accessory unreachable');
    return `${iid} ${[...value].reverse().join('')}`;
  }

  listDiscovered(): readonly DiscoveredDevice[] {
    return [...this.#devices.values()]
      .map((device) => this.#discovered(device))
      .sort((a, b) => a.name.localeCompare(b.name));
  }

  isPublished(deviceId: string): boolean {
    return this.published.has(deviceId);
  }

  listPaired(): readonly PairedDevice[] {
    return [...this.#paired.values()];
  }

  trace(deviceId: string): DeviceTrace {
    const responses = { count: 1, averageMs: 12, maxMs: 12, recent: [{ at: this.#clock.now(), ms: 12 }] };
    const accessories = this.#device(deviceId).accessories.map(({ aid, services }) => ({ aid, services }));
    return { configNumber: 1, accessories, events: [], responses, statuses: [], failures: [] };
  }

  onChange(listener: (change: PairingChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(change: PairingChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  refreshDiscovery(): void {
    this.refreshes += 1;
  }

  addManual(hostPort: string): void {
    if (!/^\S+:\d+$/.test(hostPort))
      throw new HearthError('invalid_value', 'Give host:port, such as 192.168.1.20:5001.');
    this.#manual.add(hostPort);
  }

  removeManual(hostPort: string): void {
    this.#manual.delete(hostPort);
  }

  /** The entries made by hand. */
  get manualEntries(): readonly string[] {
    return [...this.#manual];
  }

  async pair(
    { device: id, homeId, setupCode }: PairingRequest,
    onProgress: (step: PairingStep) => void,
  ): Promise<PairedDevice> {
    const device = this.#device(id);
    if (this.#paired.has(device.deviceId)) throw new HearthError('conflict', `${device.name} is paired here already.`);
    for (const step of PAIRING_STEPS.slice(0, 2)) onProgress(step);
    if (setupCode !== device.setupCode)
      throw new HearthError('pairing_failed', 'The setup code is wrong. Check it and try again.', {
        reason: 'wrong_code',
      });
    for (const step of PAIRING_STEPS.slice(2)) onProgress(step);
    return this.#adopt(homeId, device);
  }

  async adopt({ deviceId }: ForeignPairing, homeId: string): Promise<AdoptionOutcome> {
    const device = this.#devices.get(deviceId);
    if (!device) return 'unreachable';
    if (this.#paired.has(deviceId)) throw new HearthError('conflict', `${device.name} is paired here already.`);
    this.#adopt(homeId, device);
    return 'connected';
  }

  async unpair(deviceId: string, force: boolean): Promise<void> {
    const paired = this.#paired.get(deviceId);
    if (!paired) throw new HearthError('not_found', 'Not found');
    if (!force && this.#unreachable.has(deviceId))
      throw new HearthError('accessory_unreachable', 'Accessory unreachable');
    this.#paired.delete(deviceId);
    this.#controllers.delete(deviceId);
    this.#sink.forget(deviceId);
    this.#changed({ of: 'pairings', homeId: paired.homeId });
  }

  async reconnect(deviceId: string): Promise<PairedDevice> {
    const paired = this.#paired.get(deviceId);
    if (!paired) throw new HearthError('not_found', 'Not found');
    if (this.#unreachable.has(deviceId)) throw new HearthError('accessory_unreachable', 'Accessory unreachable');
    this.reconnects += 1;
    const device = { ...paired, reconnects: paired.reconnects + 1 };
    this.#paired.set(deviceId, device);
    return device;
  }

  async identifyUnpaired(deviceId: string): Promise<void> {
    const device = this.#device(deviceId);
    if (this.#paired.has(device.deviceId)) throw new HearthError('conflict', `${device.name} is paired already.`);
    this.identified.push({ source: device.deviceId, aid: '1' });
  }

  async listControllers(deviceId: string): Promise<readonly RegisteredController[]> {
    return this.#controllers.get(deviceId) ?? [];
  }

  async addController(deviceId: string, controller: { id: string; publicKey: string; admin: boolean }): Promise<void> {
    this.#controllers.get(deviceId)?.push({ ...controller, self: false });
  }

  async removeController(deviceId: string, controllerId: string): Promise<void> {
    const controllers = this.#controllers.get(deviceId) ?? [];
    this.#controllers.set(
      deviceId,
      controllers.filter(({ id }) => id !== controllerId),
    );
  }

  setHomePaused(homeId: string, paused: boolean): void {
    this.pauses.push({ homeId, paused });
    this.#sink.setConnected(homeId, !paused);
  }

  #adopt(homeId: string, device: FakeDevice): PairedDevice {
    const { deviceId, name, accessories } = device;
    const paired: PairedDevice = {
      deviceId,
      homeId,
      name,
      model: 'Fake',
      category: accessories[0]?.category ?? 1,
      status: 'connected',
      statusDetail: null,
      since: this.#clock.now(),
      address: '127.0.0.1:5001',
      reconnects: 0,
      pairedAt: this.#clock.now(),
      manufacturer: 'Faker',
      serialNumber: deviceId,
      firmware: '1.2.3',
      accessoryCount: accessories.length,
      lastSeenAt: this.#clock.now(),
      latencyMs: 12,
      notifications: 0,
      polls: 0,
      lastError: null,
      lastErrorAt: null,
    };
    this.#paired.set(deviceId, paired);
    this.#changed({ of: 'pairings', homeId });
    this.#controllers.set(deviceId, [OURSELVES]);
    this.#sink.setConnected(homeId, true);
    this.#sink.describe(homeId, deviceId, accessories);
    this.#sink.setReachable(deviceId, true);
    return paired;
  }

  #write(write: DriverWrite): WriteOutcome {
    const { address, iid } = write;
    const answer = this.#isUnreachable(address)
      ? 'unreachable'
      : (this.#writeScript?.(write) ?? { value: write.value });
    if (typeof answer === 'string') return { ok: false, reason: answer, detail: `The fake device says ${answer}.` };
    this.#sink.report(address.source, [{ aid: address.aid, iid, value: answer.value, via: 'write' }]);
    return { ok: true, value: answer.value };
  }

  #isUnreachable({ source, aid }: AccessoryAddress): boolean {
    return this.#unreachable.has(source) || this.#unreachable.has(`${source} ${aid}`);
  }

  #device(deviceId: string): FakeDevice {
    const device = this.#devices.get(deviceId);
    if (!device) throw new HearthError('not_found', 'Not found');
    return device;
  }

  #discovered({ deviceId, name, accessories }: FakeDevice): DiscoveredDevice {
    const paired = this.#paired.get(deviceId);
    return {
      deviceId,
      name,
      model: 'Fake',
      category: accessories[0]?.category ?? 1,
      configNumber: 1,
      pairable: paired === undefined,
      pairedHere: paired !== undefined,
      homeId: paired?.homeId ?? null,
      addresses: ['127.0.0.1'],
      port: 5001,
      via: 'mdns',
      lastSeenAt: this.#clock.now(),
    };
  }
}
