/** One run: a home, a daemon that lives many lives, the plan of faults, and what is found. */
import { mkdirSync } from 'node:fs';
import { AutomationClient } from '../e2e/automation-fixture.ts';
import { REGISTERS, typeOf } from '../e2e/chaos-fixture.ts';
import { buildProgram } from '../support/built-daemon.ts';
import type { Answer } from '../support/e2e-relay.ts';
import { lastingPorts } from '../support/free-port.ts';
import { retainedOn, TestBroker } from '../support/mqtt-broker.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { strike } from './device-faults.ts';
import { ANNOUNCED, DEVICES, type Device, EnduranceHome } from './home.ts';
import { Ledger } from './ledger.ts';
import { Lives } from './lives.ts';
import { DEVICE_FAULTS, type Fault, isOneOf, MOVING_FAULTS, makePlan, planRestarts } from './plan.ts';
import { Receiver } from './receiver.ts';
import type { Findings } from './report.ts';
import { SmallDisk } from './small-disk.ts';
import { Things } from './things.ts';
import { Waiting } from './waiting.ts';
import { WallClock } from './wall-clock.ts';

export interface RunOptions {
  readonly seed: number;
  /** How long faults of every kind befall it. */
  readonly durationMs: number;
  /** In place of them: so many ends of the daemon, one after the other. */
  readonly restarts?: number | undefined;
  /** Ends it early. */
  readonly signal: AbortSignal;
  /** Lines about how it goes. */
  readonly print: (line: string) => void;
}

const HANDS = 6;
const SLOTS = 6;
const BETWEEN_WRITES_MS = 300;
const BETWEEN_SETTINGS_MS = 150;
const BETWEEN_TEXTS_MS = 1_000;
const ARRIVES_WITHIN_MS = 240_000;
const BACK_WITHIN_MS = 180_000;
/** What was written before may have left room in the database's files. */
const FULL_WITHIN_MS = 30_000;
/** Events that wait for room are saved at the next try, of which there is one in ten seconds. */
const SAVED_WITHIN_MS = 15_000;
const CHECKED_TOKENS = 10;
const FLAGS = ['--webhooks-allow-loopback', 'true', '--automation-runs-per-minute', '100'];

/** @throws where the run itself fails */
export async function endure(options: RunOptions): Promise<Findings> {
  using directory = createTempDirectory('endurance');
  using program = buildProgram();
  const data = directory.file('data');
  mkdirSync(data, { mode: 0o700 });
  using disk = SmallDisk.mount(data);
  if (!disk) options.print('The disk can not be full: this user may not mount one');
  const ledger = new Ledger();
  const dataDirectory = { ...directory, file: (...names: string[]) => directory.file('data', ...names) };
  const home = await EnduranceHome.start(directory, dataDirectory, ledger);
  try {
    return await withReceivers(options, { directory, disk, home, ledger, program });
  } finally {
    await home.stop();
  }
}

interface Setting {
  readonly directory: TempDirectory;
  readonly disk: SmallDisk | undefined;
  readonly home: EnduranceHome;
  readonly ledger: Ledger;
  readonly program: ReturnType<typeof buildProgram>;
}

async function withReceivers(
  options: RunOptions,
  { directory, disk, home, ledger, program }: Setting,
): Promise<Findings> {
  const [brokerPort = 0, receiverPort = 0] = await lastingPorts(2);
  const receiver = new Receiver(receiverPort, (body) => ledger.arrived(String(JSON.parse(body).data.value)));
  await receiver.start();
  const broker = await TestBroker.start({ port: brokerPort });
  const clock = new WallClock(directory.file('clock'));
  const { nodeFlags, variables } = clock.daemonOptions;
  const toBroker = { ...variables, HEARTHD_MQTT_URL: `mqtt://127.0.0.1:${brokerPort}` };
  const lives = new Lives({ program, directory, flags: FLAGS, nodeFlags, variables: toBroker }, ledger);
  const run = new Run(options, { home, ledger, lives, receiver, broker, disk, clock });
  try {
    return await run.whole();
  } finally {
    await lives.stop();
    await receiver.stop();
    await run.broker.stop();
  }
}

interface Parts {
  readonly home: EnduranceHome;
  readonly ledger: Ledger;
  readonly lives: Lives;
  readonly receiver: Receiver;
  readonly broker: TestBroker;
  readonly disk: SmallDisk | undefined;
  readonly clock: WallClock;
}

class Run {
  broker: TestBroker;
  readonly #options: RunOptions;
  readonly #home: EnduranceHome;
  readonly #ledger: Ledger;
  readonly #lives: Lives;
  readonly #receiver: Receiver;
  readonly #disk: SmallDisk | undefined;
  readonly #clock: WallClock;
  readonly #client: AutomationClient;
  readonly #waiting: Waiting;
  readonly #things: Things;
  readonly #done: Fault[] = [];
  readonly #devicesBack: number[] = [];
  readonly #homeBack: number[] = [];
  readonly #diskBack: number[] = [];
  readonly #tokens: { readonly id: string; readonly token: string }[] = [];
  /** Ids of the accessories whose markers are looked at, by device. */
  readonly #markerIds = new Map<Device, string>();
  #courier = '';
  #isOver = false;
  #nextValue = 1;
  /** The last life of which all that it kept was looked at. */
  #checkedLife = 0;
  #settingsSaved = 0;

  constructor(options: RunOptions, { home, ledger, lives, receiver, broker, disk, clock }: Parts) {
    this.#options = options;
    this.#home = home;
    this.#ledger = ledger;
    this.#lives = lives;
    this.#receiver = receiver;
    this.broker = broker;
    this.#disk = disk;
    this.#clock = clock;
    this.#client = new AutomationClient(lives);
    this.#waiting = new Waiting(lives, options.signal);
    this.#things = new Things({ client: this.#client, clock, ledger, waiting: this.#waiting });
  }

  async whole(): Promise<Findings> {
    const { seed, durationMs, restarts, signal, print } = this.#options;
    const from = performance.now();
    await this.#furnish();
    const files = { first: this.#lives.files(), last: 0 };
    const accessories = (await this.#lives.ask('GET', '/rest/accessories')).length;
    const howLong = restarts === undefined ? `${Math.round(durationMs / 60_000)} minutes` : `${restarts} restarts`;
    print(`${accessories} accessories; ${howLong}, seed ${seed}`);
    const plan =
      restarts === undefined
        ? makePlan({ seed, durationMs, devices: DEVICES, announced: ANNOUNCED })
        : planRestarts(seed, restarts);
    const work = this.#work();
    // It is waited for below.
    work.catch(() => {});
    const stopPrinting = this.#printNowAndThen(plan.length);
    if (restarts === undefined) await this.#befall(plan);
    else await this.#restart(plan);
    this.#isOver = true;
    await work;
    if (!signal.aborted) {
      print('Peace: looking at what is true');
      await this.#peace();
    }
    stopPrinting();
    files.last = signal.aborted ? files.first : this.#lives.files();
    const { writes, timers, deliveries, wrongs } = this.#ledger;
    return {
      ...{ seed, accessories, writes, timers, deliveries, wrongs, files },
      refusedByDisk: this.#ledger.refusedByDisk,
      ranMs: performance.now() - from,
      lives: this.#lives.count,
      faults: this.#done,
      devicesBack: this.#devicesBack,
      daemonReady: this.#lives.ready,
      homeBack: this.#homeBack,
      diskBack: this.#diskBack,
      samples: this.#lives.samples,
      isInterrupted: signal.aborted,
    };
  }

  /** What a home has of its own, and ids. */
  async #furnish(): Promise<void> {
    const from = performance.now();
    await this.#untilConnected(from);
    await this.#client.begin();
    await this.#client.virtual('Note', 'input_text');
    this.#courier = await this.#client.virtual('Courier', 'input_text');
    await this.#client.virtual('Lever', 'input_boolean');
    const room = await this.#client.ask('POST', '/rest/rooms', { homeId: this.#client.homeId, name: 'Room 0' });
    await this.#client.ask('POST', '/rest/webhooks', {
      ...{ name: 'Hook', url: `http://127.0.0.1:${this.#receiver.port}/hook`, eventTypes: ['state.changed'] },
      ...{ accessoryIds: [this.#courier], maxRetries: 10, rateLimitPerMinute: null },
    });
    this.#rooms.set('room', room.id);
    for (const [name, text] of await this.#readSettings()) {
      this.#ledger.set(name, text);
      this.#ledger.isSet(name);
    }
    this.#checkedLife = this.#lives.count;
    const list: Answer['body'][] = await this.#lives.ask('GET', '/rest/accessories');
    for (const device of this.#home.devices) {
      const { deviceId } = device.accessory;
      const shown = list.find((one) => one.deviceId === deviceId && String(one.aid) === String(device.marker.aid));
      if (!shown) throw new Error(`${device.name} is not shown`);
      this.#markerIds.set(device, shown.id);
    }
  }

  readonly #rooms = new Map<string, string>();

  /** Everything that is asked of the home meanwhile. Resolves when all of it has ended. */
  async #work(): Promise<void> {
    await Promise.all([
      ...Array.from({ length: HANDS }, () => this.#loop(() => this.#write(), BETWEEN_WRITES_MS)),
      ...Array.from({ length: SLOTS }, () => this.#loop(() => this.#things.one(), 0)),
      this.#keepSettings(),
      this.#loop(() => this.#sendText(), BETWEEN_TEXTS_MS),
    ]);
  }

  /** Again and again until the run is over. What fails because the daemon has died is left as it is. */
  async #loop(act: () => Promise<void>, betweenMs: number): Promise<void> {
    while (!this.#isOver) {
      await this.#lives.up;
      await act().catch(() => {});
      await this.#waiting.pause(Math.random() * betweenMs);
    }
  }

  async #write(): Promise<void> {
    const { name } = pick(this.#home.registers);
    const { iid } = pick(REGISTERS);
    const value = this.#nextValue++;
    this.#ledger.give(value, name, String(iid));
    const flat = { home: 'Test Home', room: 'Default Room', accessory: name, [typeOf(iid)]: value };
    const { body } = await this.#lives.asSystem('POST', '/rest/state', flat);
    if (body.updated === 1) this.#ledger.acknowledge(value);
  }

  /** The value of an accessory that a webhook is for. */
  async #sendText(): Promise<void> {
    const text = `Text ${this.#nextValue++}`;
    this.#ledger.send(text);
    await this.#client.operate('Courier', 'set', text);
    this.#ledger.isSent(text);
  }

  /** A room's name and a virtual text, changed in turns; read again after each life. */
  async #keepSettings(): Promise<void> {
    while (!this.#isOver) {
      try {
        await this.#lives.up;
        const life = this.#lives.count;
        if (life !== this.#checkedLife) {
          await this.#checkLife();
          this.#checkedLife = life;
        }
        await this.#changeSetting(pick(this.#ledger.settings), `Setting ${this.#nextValue++}`);
        this.#settingsSaved += 1;
      } catch (error) {
        // Or the daemon died meanwhile: the next one is asked what it kept.
        if (/disk is full/.test((error as Error).message)) this.#ledger.refusedByDisk += 1;
      }
      await this.#waiting.pause(BETWEEN_SETTINGS_MS);
    }
  }

  async #changeSetting(name: string, text: string): Promise<void> {
    this.#ledger.set(name, text);
    if (name === 'text') await this.#client.operate('Note', 'set', text);
    else await this.#client.ask('PATCH', `/rest/rooms/${this.#rooms.get(name)}`, { name: text });
    this.#ledger.isSet(name);
  }

  async #readSettings(): Promise<ReadonlyMap<string, string>> {
    const rooms: Answer['body'][] = await this.#client.ask('GET', `/rest/rooms?home=${this.#client.homeId}`);
    const room = rooms.find(({ id }) => id === this.#rooms.get('room'))?.name;
    return new Map([
      ['room', String(room)],
      ['text', String(await this.#client.valueOf('Note'))],
    ]);
  }

  /** What was acknowledged in the lives before is there. */
  async #checkLife(): Promise<void> {
    for (const [name, text] of await this.#readSettings()) this.#ledger.found(name, text);
    const pairings: Answer['body'][] = await this.#lives.ask('GET', '/rest/pairings');
    const kept = new Set(pairings.map(({ deviceId }) => deviceId));
    for (const id of this.#home.deviceIds) if (!kept.has(id)) this.#ledger.wrong('lostPairing', id);
    const { url } = await this.#lives.up;
    for (const { token } of this.#tokens) {
      const { status } = await fetch(`${url}/rest/homes`, { headers: { Authorization: `Bearer ${token}` } });
      if (status !== 200) this.#ledger.wrong('lostSetting', `a token is answered with ${status}`);
    }
    const made = await this.#client.ask('POST', '/rest/tokens', { name: `Life ${this.#lives.count}` });
    this.#tokens.push({ id: made.accessToken.id, token: made.token });
    const oldest = this.#tokens.length > CHECKED_TOKENS ? this.#tokens.shift() : undefined;
    if (oldest) await this.#client.ask('DELETE', `/rest/tokens/${oldest.id}`);
  }

  /** The plan, in its time. What concerns one device, or the daemon, waits for what came before. */
  async #befall(plan: readonly Fault[]): Promise<void> {
    const from = performance.now();
    const chains = new Map<string, Promise<void>>();
    for (const fault of plan) {
      await this.#waiting.pause(from + fault.at - performance.now());
      if (this.#waiting.isCutShort) break;
      const target = this.#targetOf(fault);
      const before = chains.get(target) ?? Promise.resolve();
      chains.set(
        target,
        before.then(() => this.#suffer(fault)),
      );
    }
    await this.#waiting.pause(from + this.#options.durationMs - performance.now());
    await Promise.all(chains.values());
  }

  /** What happens to the same thing happens in turns. A daemon is not ended while its disk is full. */
  #targetOf({ kind, device }: Fault): string {
    if (isOneOf(MOVING_FAULTS, kind) || isOneOf(DEVICE_FAULTS, kind)) return `device ${device}`;
    if (kind === 'clock-ahead' || kind === 'clock-back') return 'clock';
    return kind === 'broker-away' || kind === 'receiver-away' ? kind : 'daemon';
  }

  async #suffer(fault: Fault): Promise<void> {
    if (this.#waiting.isCutShort) return;
    if (fault.kind === 'full-disk' && !this.#disk) return;
    this.#done.push(fault);
    try {
      await this.#carryOut(fault);
    } catch (error) {
      this.#ledger.wrong('failure', `${fault.kind}: ${(error as Error).message}`);
    }
  }

  async #carryOut(fault: Fault): Promise<void> {
    switch (fault.kind) {
      case 'kill':
      case 'restart':
        return this.#endLife(fault.kind);
      case 'receiver-away':
        await this.#receiver.stop();
        await this.#waiting.pause(fault.lastsMs);
        return this.#receiver.start();
      case 'broker-away': {
        const { port } = this.broker;
        await this.broker.stop();
        await this.#waiting.pause(fault.lastsMs);
        this.broker = await TestBroker.start({ port });
        return;
      }
      case 'full-disk':
        return this.#fillDisk(fault);
      case 'clock-ahead':
      case 'clock-back': {
        const byMs = fault.kind === 'clock-ahead' ? fault.wrongByMs : -fault.wrongByMs;
        this.#clock.set(byMs);
        await this.#waiting.pause(fault.lastsMs);
        return this.#clock.set(-byMs);
      }
      default:
        return this.#strike(fault);
    }
  }

  /** Until a change was refused, and for a while from then on. Then a change is saved again. */
  async #fillDisk({ lastsMs }: Fault): Promise<void> {
    const disk = this.#disk as SmallDisk;
    const refused = this.#ledger.refusedByDisk;
    disk.fill();
    try {
      await this.#waiting.comes(async () => this.#ledger.refusedByDisk > refused, FULL_WITHIN_MS);
      await this.#waiting.pause(lastsMs);
    } finally {
      disk.makeRoom();
    }
    const from = performance.now();
    const saved = this.#settingsSaved;
    const isBack = await this.#waiting.comes(async () => this.#settingsSaved > saved, BACK_WITHIN_MS);
    if (isBack) this.#diskBack.push(performance.now() - from);
    else if (!this.#waiting.isCutShort) this.#ledger.wrong('notBack', 'nothing is saved after a full disk');
    await this.#waiting.pause(SAVED_WITHIN_MS);
  }

  /** One life after the other, each as soon as what the one before kept was looked at. */
  async #restart(plan: readonly Fault[]): Promise<void> {
    for (const fault of plan) {
      await this.#waiting.pause(fault.lastsMs);
      await this.#suffer(fault);
    }
  }

  /** Begins the next life, and waits until the devices are connected and what it kept was looked at. */
  async #endLife(kind: 'kill' | 'restart'): Promise<void> {
    const from = performance.now();
    this.#ledger.ends(kind);
    await this.#lives.next(kind === 'kill' ? 'SIGKILL' : 'SIGTERM');
    await this.#untilConnected(from);
    const life = this.#lives.count;
    const isChecked = await this.#waiting.comes(async () => this.#checkedLife === life, BACK_WITHIN_MS);
    if (!isChecked && !this.#waiting.isCutShort) this.#ledger.wrong('notBack', `what life ${life} kept can't be read`);
  }

  /** All devices that are well are connected. */
  async #untilConnected(from: number): Promise<void> {
    const areBack = await this.#waiting.comes(async () => {
      const list: Answer['body'][] = await this.#lives.ask('GET', '/rest/pairings');
      const connected = new Set(list.filter(({ status }) => status === 'connected').map(({ deviceId }) => deviceId));
      const inFault = this.#home.devices.filter(({ isInFault }) => isInFault);
      const excused = new Set(inFault.map(({ accessory }) => accessory.deviceId));
      return this.#home.deviceIds.every((id) => connected.has(id) || excused.has(id));
    }, BACK_WITHIN_MS);
    if (areBack) this.#homeBack.push(performance.now() - from);
    else if (!this.#waiting.isCutShort) this.#ledger.wrong('notBack', 'not all devices are connected');
  }

  async #strike(fault: Fault): Promise<void> {
    const device = this.#home.devices[fault.device] as Device;
    device.isInFault = true;
    try {
      await strike(device, fault, (ms) => this.#waiting.pause(ms));
    } finally {
      device.isInFault = false;
    }
    const from = performance.now();
    const value = device.mark();
    const isBack = await this.#waiting.comes(async () => (await this.#shownMarker(device)) === value, BACK_WITHIN_MS);
    if (isBack) this.#devicesBack.push(performance.now() - from);
    else if (!this.#waiting.isCutShort) this.#ledger.wrong('notBack', `${device.name} after ${fault.kind}`);
  }

  async #shownMarker(device: Device): Promise<unknown> {
    const { services } = await this.#lives.ask('GET', `/rest/accessories/${this.#markerIds.get(device)}`);
    const all: Answer['body'][] = services.flatMap(({ characteristics }: Answer['body']) => characteristics);
    return all.find(({ id }) => String(id).endsWith(`.${device.marker.iid}`))?.value;
  }

  /** All is well again: now everything shown must be true, and everything sent must have arrived. */
  async #peace(): Promise<void> {
    for (const device of this.#home.devices) device.calm();
    await this.#untilConnected(performance.now());
    await this.#checkLife();
    this.#options.print('All are connected; waiting for the deliveries');
    const hooks: Answer['body'][] = await this.#client.ask('GET', '/rest/webhooks');
    for (const { id } of hooks) {
      // A longer wait for the next attempt may have begun: resuming sits it out no longer.
      await this.#client.ask('POST', `/rest/webhooks/${id}/pause`);
      await this.#client.ask('POST', `/rest/webhooks/${id}/resume`);
    }
    await this.#waiting.comes(async () => this.#ledger.missingDeliveries.length === 0, ARRIVES_WITHIN_MS);
    this.#options.print('Comparing what is shown with what the devices hold');
    await this.#checkStates();
    this.#options.print('Comparing what the broker keeps');
    await this.#checkBroker();
    if (!this.#waiting.isCutShort) this.#ledger.close();
  }

  async #checkStates(): Promise<void> {
    const list: Answer['body'][] = await this.#lives.ask('GET', '/rest/accessories');
    await Promise.all(list.map((one) => this.#checkState(one)));
  }

  async #checkState({ id, name }: Answer['body']): Promise<void> {
    const look = async () => this.#home.untruths(await this.#lives.ask('GET', `/rest/accessories/${id}`));
    let last = '';
    const isTrue = await this.#waiting.comes(async () => {
      const found = (await look()).join(', ');
      if (found !== '' && found !== last) this.#options.print(found);
      last = found;
      return found === '';
    }, BACK_WITHIN_MS);
    if (isTrue || this.#waiting.isCutShort) return;
    const why = await look().catch((error: Error) => [error.message]);
    this.#ledger.wrong('wrongState', `${name}: ${why.join(', ')}`);
  }

  /** What a new client of the broker gets of each lamp is what the lamps hold. */
  async #checkBroker(): Promise<void> {
    const bridge = this.#home.devices.find(({ isRegister }) => !isRegister) as Device;
    const list: Answer['body'][] = await this.#lives.ask('GET', '/rest/accessories');
    const lamps = list.filter(({ deviceId, aid }) => deviceId === bridge.accessory.deviceId && String(aid) !== '1');
    let wrong: readonly string[] = [];
    const isTrue = await this.#waiting.comes(async () => {
      const retained = await retainedOn(this.broker);
      wrong = lamps.flatMap(({ id, aid, name }) => {
        const topic = [...retained.keys()].find(
          (one) => one.startsWith('homecast/') && one.endsWith(`-${id.slice(0, 4)}`),
        );
        const shown = topic === undefined ? undefined : JSON.parse(retained.get(topic) ?? '{}').brightness;
        const truth = bridge.accessory.get(aid, 10);
        return shown === truth ? [] : [`${name} is ${String(truth)}, on the broker ${String(shown)}`];
      });
      return wrong.length === 0;
    }, BACK_WITHIN_MS);
    if (this.#waiting.isCutShort) return;
    if (!isTrue && wrong.length === 0) wrong = ['the broker does not get everything'];
    for (const what of wrong) this.#ledger.wrong('wrongState', what);
  }

  #printNowAndThen(planned: number): () => void {
    let printed = 0;
    const timer = setInterval(() => {
      for (const { kind, what } of this.#ledger.wrongs.slice(printed)) this.#options.print(`${kind}: ${what}`);
      printed = this.#ledger.wrongs.length;
      const { wrongs, writes, timers } = this.#ledger;
      const what = `${this.#done.length} of ${planned} faults, ${this.#lives.count} lives, ${writes.acknowledged} writes`;
      this.#options.print(`${what}, ${timers.counted} timers; ${wrongs.length} wrong`);
    }, 30_000);
    return () => clearInterval(timer);
  }
}

function pick<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)] as T;
}
