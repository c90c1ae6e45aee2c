/**
 * A home in turmoil: raw accessories that restart, move, fall silent, forget, stumble and lie, while commands flow to
 * them through a real relay. Every value written is used once, so that what each device wrote down proves how often a
 * command was carried out, where, and in which order. `chaos.test.ts` runs it for seconds; the same fixture runs for as
 * long as one likes.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import type { RawRequest } from '../support/accessories/raw-wire.ts';
import { informationService } from '../support/accessories/sample-databases.ts';
import type { AccessoryJson } from '../support/accessories/served-database.ts';
import { E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { lastingPorts } from '../support/free-port.ts';
import { ScriptedDiscovery } from '../support/scripted-discovery.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

/** Plain ones, one that takes timed writes only, and one that can't be read. */
export const REGISTERS = [
  { iid: 20, perms: ['pr', 'pw', 'ev'] },
  { iid: 21, perms: ['pr', 'pw', 'ev'] },
  { iid: 22, perms: ['pr', 'pw', 'ev'] },
  { iid: 23, perms: ['pr', 'pw', 'ev', 'tw'] },
  { iid: 24, perms: ['pw'] },
] as const;
/** Only the device changes it. */
export const SENSOR = 25;
export const BUSY = -70403;

/** Commands this much apart reach the relay in their order, over any connection, even where a busy machine stalls. */
const ORDERED_MS = 300;

export interface Command {
  readonly device: RawAccessory;
  readonly iid: number;
  readonly value: number;
  readonly givenAt: number;
  /** Milliseconds until the answer. */
  took: number;
  /** Whether the relay reported that it was carried out. */
  confirmed: boolean;
}

export interface ChaosOptions {
  readonly devices: number;
  /** Deadlines, back-off and graces pass so many times faster. */
  readonly haste: number;
  readonly seed: number;
}

export class ChaosFixture {
  readonly relay: E2eRelay;
  readonly devices: readonly RawAccessory[];
  readonly commands: Command[] = [];
  restarts = 0;
  readonly #directory: TempDirectory;
  readonly #discovery: ScriptedDiscovery;
  readonly #random: () => number;
  /** Devices that are off at this moment. */
  readonly #off = new Set<RawAccessory>();
  #nextValue = 1;

  private constructor(
    relay: E2eRelay,
    devices: readonly RawAccessory[],
    directory: TempDirectory,
    discovery: ScriptedDiscovery,
    random: () => number,
  ) {
    this.relay = relay;
    this.devices = devices;
    this.#directory = directory;
    this.#discovery = discovery;
    this.#random = random;
  }

  static async open({ devices: count, haste, seed }: ChaosOptions): Promise<ChaosFixture> {
    const directory = createTempDirectory('chaos');
    const discovery = new ScriptedDiscovery();
    const devices = await Promise.all(
      (await lastingPorts(count)).map((port, index) =>
        startRawAccessory({
          port,
          database: [registerAccessory(`Device ${index}`)],
          name: `Device ${index}`,
          paired: [KNOWN_CONTROLLER],
          mdns: false,
        }),
      ),
    );
    sharePairings(directory, devices);
    for (const { deviceId, name, port } of devices) discovery.announce({ deviceId, name, port });
    const relay = await E2eRelay.start({ directory, overrides: { discovery, clock: hastyClock(haste) } });
    const fixture = new ChaosFixture(relay, devices, directory, discovery, seededRandom(seed));
    await fixture.#untilAllConnected();
    return fixture;
  }

  async close(): Promise<void> {
    await this.relay[Symbol.asyncDispose]();
    await Promise.all(this.devices.map((device) => device.stop()));
    this.#directory.remove();
  }

  /** Commands from several clients, until the test stops them. @returns once each has had its answer */
  async command(hands: number, until: () => boolean): Promise<void> {
    const hand = async (): Promise<void> => {
      while (!until()) {
        await this.#give(this.#pick(this.devices), this.#pick(REGISTERS).iid);
        await delay(this.#random() * 40);
      }
    };
    await Promise.all(Array.from({ length: hands }, hand));
  }

  async #give(device: RawAccessory, iid: number): Promise<void> {
    const value = this.#nextValue++;
    const givenAt = performance.now();
    const command: Command = { device, iid, value, givenAt, took: Number.POSITIVE_INFINITY, confirmed: false };
    this.commands.push(command);
    const { body } = await this.relay.post('/rest/state', {
      home: 'Test Home',
      room: 'Default Room',
      accessory: device.name,
      [typeOf(iid)]: value,
    });
    command.took = performance.now() - givenAt;
    command.confirmed = body.updated === 1;
    if (body.updated + body.failed !== 1) throw new Error(`No clear answer: ${JSON.stringify(body)}`);
  }

  /** One misfortune after the other befalls the device. */
  async torment(device: RawAccessory, until: () => boolean): Promise<void> {
    while (!until()) {
      await delay(this.#random() * 400);
      await this.#misfortune(device);
    }
  }

  async #misfortune(device: RawAccessory): Promise<void> {
    const on = isCommand;
    switch (this.#below(12)) {
      case 0:
        return this.#restart(device, device.port);
      case 1:
        return this.#swapPorts(device, this.#pick(this.devices));
      case 2:
      case 3:
        return this.#restart(device, await this.#freshPort());
      case 4:
        return device.disconnectAll();
      case 5:
        return device.forgetSessions();
      case 6:
        return device.play({ on, cutAt: this.#below(50), cutWith: this.#random() < 0.5 ? 'close' : 'reset' });
      case 7:
        return device.play({ on, ...(this.#random() < 0.5 ? { corruptAt: this.#below(40) } : { silence: true }) });
      case 8:
        return device.play({ on, delayMs: this.#random() * 300, eventBefore: [{ aid: 1, iid: 9, value: true }] });
      case 9:
      case 10:
        device.fail({ aid: 1, iid: this.#pick(REGISTERS).iid, status: BUSY, on: 'write', times: 1 + this.#below(2) });
        return;
      default:
        device.set(1, SENSOR, this.#nextValue++);
    }
  }

  /** Gone for a moment, values changing meanwhile. Announced late if it moved. */
  async #restart(device: RawAccessory, port: number): Promise<void> {
    if (this.#off.has(device)) return;
    const before = device.port;
    await this.#turnOff(device);
    await device.restart({ port });
    this.#off.delete(device);
    if (port === before && this.#random() < 0.5) return;
    await delay(this.#random() * 150);
    this.#discovery.announce({ deviceId: device.deviceId, port: device.port });
  }

  /** Each comes back at the address of the other one, at first without an announcement. */
  async #swapPorts(one: RawAccessory, other: RawAccessory): Promise<void> {
    if (one === other || this.#off.has(one) || this.#off.has(other)) return;
    const ports = { one: one.port, other: other.port };
    await Promise.all([this.#turnOff(one), this.#turnOff(other)]);
    await Promise.all([one.restart({ port: ports.other }), other.restart({ port: ports.one })]);
    this.#off.delete(one);
    this.#off.delete(other);
    await delay(this.#random() * 300);
    for (const { deviceId, port } of [one, other]) this.#discovery.announce({ deviceId, port });
  }

  /** One that no outgoing connection can sit on while the device is off. */
  async #freshPort(): Promise<number> {
    const [port = 0] = await lastingPorts(1);
    return this.devices.some((device) => device.port === port) ? this.#freshPort() : port;
  }

  async #turnOff(device: RawAccessory): Promise<void> {
    this.restarts += 1;
    this.#off.add(device);
    await device.goOffline();
    device.setSilently(1, SENSOR, this.#nextValue++);
    await delay(this.#random() * 150);
  }

  /** All is well again, and stays so. */
  async peace(): Promise<void> {
    for (const device of this.devices) {
      device.clearTricks();
      this.#discovery.announce({ deviceId: device.deviceId, port: device.port, stateNumber: this.#nextValue++ });
    }
    await this.#untilAllConnected();
  }

  /** What the relay shows is what the devices hold, each over one connection. */
  async untilTrue(): Promise<void> {
    for (const device of this.devices) {
      await eventually(async () => (await this.#untruths(device)).length === 0, `the truth about ${device.name}`).catch(
        async (error: Error) => {
          throw new Error(`${error.message}: ${(await this.#untruths(device)).join(', ')}`);
        },
      );
      await eventually(() => device.connections() === 1, `one connection to ${device.name}`);
    }
  }

  async #untruths(device: RawAccessory): Promise<readonly string[]> {
    const { services } = await this.relay.accessory(device.name);
    const shown = new Map<number, unknown>();
    for (const { characteristics } of services) {
      for (const { id, value, canRead } of characteristics) {
        if (canRead) shown.set(Number(id.split('.').at(-1)), value);
      }
    }
    return [...shown].flatMap(([iid, value]) => {
      const truth = device.get(1, iid);
      return value === truth ? [] : [`${iid} is ${truth}, shown ${value}`];
    });
  }

  /** Everything that is wrong with how commands fared; empty, one hopes. */
  faults(): readonly string[] {
    const faults: string[] = [];
    for (const { device, iid, value, confirmed } of this.commands) {
      const times = device.writes.filter((write) => write.value === value && write.iid === String(iid)).length;
      if (times > 1) faults.push(`${device.name}.${iid} = ${value} was carried out ${times} times`);
      if (confirmed && times === 0) faults.push(`${device.name}.${iid} = ${value} was confirmed and never carried out`);
    }
    for (const device of this.devices) faults.push(...this.#strangers(device), ...this.#disorder(device));
    return faults;
  }

  /** Values that were meant for another device or characteristic. */
  #strangers(device: RawAccessory): readonly string[] {
    const meant = new Set(
      this.commands.filter((command) => command.device === device).map(({ iid, value }) => `${iid}=${value}`),
    );
    return device.writes
      .filter(({ iid, value }) => !meant.has(`${iid}=${value}`))
      .map(({ iid, value }) => `${device.name}.${iid} = ${value} was meant for something else`);
  }

  /** An older command that was carried out after a newer one. */
  #disorder(device: RawAccessory): readonly string[] {
    const given = new Map(this.commands.map(({ value, givenAt }) => [value, givenAt]));
    const faults: string[] = [];
    for (const { iid } of REGISTERS) {
      let newest = { value: 0, at: Number.NEGATIVE_INFINITY };
      for (const write of device.writes.filter((one) => one.iid === String(iid))) {
        const value = Number(write.value);
        const at = given.get(value) ?? 0;
        if (at + ORDERED_MS < newest.at) faults.push(`${device.name}.${iid} = ${value} came after ${newest.value}`);
        if (at > newest.at) newest = { value, at };
      }
    }
    return faults;
  }

  async #untilAllConnected(): Promise<void> {
    for (const device of this.devices) {
      await this.relay.untilStatus(device.deviceId, 'connected').catch(async (error: Error) => {
        const reported = JSON.stringify(await this.relay.pairing(device.deviceId));
        throw new Error(`${error.message}, at ${device.port} with ${device.connections()} connections: ${reported}`);
      });
    }
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#below(items.length)] as T;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

/** Resident memory in bytes once everything that can be has been collected. */
export function settledMemory(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage.rss();
}

/** The machine's clock, running so many times faster: for waits that are part of what is tested. */
export function hastyClock(haste: number): Clock {
  return {
    now: () => systemClock.now(),
    monotonic: () => systemClock.monotonic() * haste,
    after: (delayMs, callback) => systemClock.after(delayMs / haste, callback),
  };
}

/** A device that takes any number. */
export function registerAccessory(name: string): AccessoryJson {
  const number = { format: 'uint32', value: 0 };
  return {
    aid: 1,
    services: [
      informationService(name, `C-${name}`, 'Registers'),
      {
        iid: 8,
        type: '49',
        characteristics: [
          { iid: 9, type: '25', format: 'bool', perms: ['pr', 'pw', 'ev'], value: true },
          ...REGISTERS.map(({ iid, perms }) => ({ ...number, iid, type: typeOf(iid), perms: [...perms] })),
          { ...number, iid: SENSOR, type: typeOf(SENSOR), perms: ['pr', 'ev'] },
        ],
      },
    ],
  };
}

/** The type of a register, which is not a standard one, and so the name under which it is written. */
export function typeOf(iid: number): string {
  return `C4A05000-0000-4000-8000-0000000000${iid}`;
}

/** A write of a value: not a subscription, and not a read. */
export function isCommand(request: RawRequest): boolean {
  return request.method === 'PUT' && request.body.includes('"value"');
}

/** Mulberry32: the same seed, the same numbers from 0 to 1. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
