/**
 * Automations on the built daemon: how long a sensor's event takes until another accessory has what a flow does about
 * it, against the raw event and the raw write that it can't do without and against the smallest program that does the
 * same; and what a thousand flows cost while five
 * hundred accessories talk.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type Fleet, type FleetMember, type FleetWrite, startFleet } from '../support/accessories/fleet.ts';
import { BenchDaemon, CONTROLLER } from './bench-daemon.ts';
import { compileChild } from './compiled-child.ts';
import { LoopProbe } from './loop-probe.ts';
import { processorMs } from './process-stats.ts';
import { rawClient, rawMember } from './raw-hap-controller.ts';
import { median, printFinding, quantile } from './report.ts';

const WARM_UP = 1_000;
/** Before each measurement, for all sides alike: as in a home, nothing is left to do of the one before. */
const PAUSE_MS = 4;
/** They take turns: a device that reports more than 200 times a second is held back, as no sensor does. */
const SENSORS = 12;
const ROUNDS = 600;
/** Brightness, which the flow sets, and hue, which the sensor's stand-in reports. */
const ACTUATOR_IID = 10;
const SENSOR_IID = 11;
/** The bench asks for more than any user should. */
const UNBOUNDED = ['--automation-runs-per-minute', '10000'];

const ACCESSORIES = 500;
const FLOWS = 1_000;
const EVENTS_A_SECOND = 500;
const LOAD_SECONDS = 20;
const MAX_LOOP_P99_MS = 20;

const now = (): number => performance.timeOrigin + performance.now();
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Three pairs alike: the daemon's, the smallest automation's, and raw hap-controller's in this process. */
export async function benchReaction(): Promise<void> {
  let arrived: (write: FleetWrite) => void = () => {};
  const count = SENSORS + 5;
  const fleet = await startFleet({ count, controllers: [CONTROLLER], onWrite: (write) => arrived(write) });
  const [actuator, rawSensor, rawActuator, mirrorSensor, mirrorActuator, ...sensors] = fleet.members;
  if (!actuator || !rawSensor || !rawActuator || !mirrorSensor || !mirrorActuator) throw new Error('no fleet');
  const daemon = await BenchDaemon.start([actuator, ...sensors], { flags: UNBOUNDED });
  const mirror = await startMirror(mirrorSensor, mirrorActuator);
  const [events, writes] = [rawClient(rawSensor), rawClient(rawActuator)];
  /** @param act returns when it began. @returns how long after that some accessory had a write. */
  const nextWrite = async (act: () => Promise<number>): Promise<number> => {
    const arrival = new Promise<number>((resolve) => {
      arrived = ({ at }) => resolve(at);
    });
    const startedAt = await act();
    return (await arrival) - startedAt;
  };
  try {
    await daemon.untilConnected(SENSORS + 1);
    await saveMirror(daemon, sensors, actuator);
    let received: (at: number) => void = () => {};
    events.on('event', () => received(now()));
    await events.subscribeCharacteristics([`1.${SENSOR_IID}`]);

    const times = { ours: [] as number[], mirror: [] as number[], event: [] as number[], put: [] as number[] };
    const readCpu = (): readonly [number, number] => [daemon.processorMs(), processorMs(mirror.pid)];
    let cpu = readCpu();
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      if (round === WARM_UP) cpu = readCpu();
      const hue = (Math.floor(round / SENSORS) % 100) + 1;
      const sensor = sensors[round % SENSORS] as FleetMember;
      await wait(PAUSE_MS);
      times.ours.push(await nextWrite(() => fleet.set(sensor.deviceId, 1, SENSOR_IID, hue)));
      const own = (round % 100) + 1;
      await wait(PAUSE_MS);
      times.mirror.push(await nextWrite(() => fleet.set(mirrorSensor.deviceId, 1, SENSOR_IID, own)));
      await wait(PAUSE_MS);
      const event = new Promise<number>((resolve) => {
        received = resolve;
      });
      const sentAt = await fleet.set(rawSensor.deviceId, 1, SENSOR_IID, own);
      times.event.push((await event) - sentAt);
      await wait(PAUSE_MS);
      times.put.push(
        await nextWrite(async () => {
          const start = now();
          await writes.setCharacteristics({ [`1.${ACTUATOR_IID}`]: own });
          return start;
        }),
      );
    }
    const [ourCpu, mirrorCpu] = readCpu().map((ms, side) => (ms - (cpu[side] ?? 0)) / ROUNDS);
    const measured = (values: readonly number[]): readonly number[] => values.slice(WARM_UP);
    const [ours, least] = [measured(times.ours), measured(times.mirror)];
    const [event, put] = [measured(times.event), measured(times.put)];
    printFinding({
      what: 'sensor’s event → the other accessory has the write, against the raw event and the raw write',
      ours: median(ours),
      baseline: median(event) + median(put),
      unit: 'ms',
      target: { at: 'most', value: 1.3 },
      note: `raw event ${median(event).toFixed(2)} ms and raw write ${median(put).toFixed(2)} ms; p99 ${quantile(ours, 0.99).toFixed(2)} against ${(quantile(event, 0.99) + quantile(put, 0.99)).toFixed(2)} ms`,
    });
    printFinding({
      what: '… against the smallest automation, in a process of its own too',
      ours: median(ours),
      baseline: median(least),
      unit: 'ms',
      note: `p99 ${quantile(ours, 0.99).toFixed(2)} against ${quantile(least, 0.99).toFixed(2)} ms; processor time ${ourCpu?.toFixed(2)} against ${mirrorCpu?.toFixed(2)} ms, with what is written down afterwards`,
    });
  } finally {
    mirror.kill();
    await events.close();
    await writes.close();
    await daemon.stop();
    await fleet.stop();
  }
}

async function startMirror(sensor: FleetMember, actuator: FleetMember): Promise<ChildProcess> {
  const child = fork(await compileChild('mirror-child'), { execArgv: [] });
  child.send({
    sensor: rawMember(sensor),
    reported: `1.${SENSOR_IID}`,
    actuator: rawMember(actuator),
    written: `1.${ACTUATOR_IID}`,
  });
  await once(child, 'message');
  return child;
}

/** A thousand flows of which each watches one accessory and one in ten has something to do. */
export async function benchLoad(): Promise<void> {
  const fleet = await startFleet({ count: ACCESSORIES, controllers: [CONTROLLER], processes: 2 });
  const probe = new LoopProbe();
  const daemon = await BenchDaemon.start(fleet.members, {
    variables: probe.variables,
  });
  try {
    await daemon.untilConnected(ACCESSORIES);
    await saveFlows(daemon, fleet.members);
    await wait(2_000);
    const idle = probe.read();
    const p99s: number[] = [];
    const sent = await sendEvents(fleet, () => p99s.push(probe.read().p99));
    printFinding({
      what: `${FLOWS} flows, ${ACCESSORIES} accessories, ${sent.toFixed(0)} events a second: event loop, p99`,
      ours: Math.max(...p99s.slice(1)),
      unit: 'ms',
      target: { at: 'most', value: MAX_LOOP_P99_MS },
      note: `the worst of ${p99s.length - 1} seconds, median ${median(p99s).toFixed(1)} ms; idle ${idle.p99.toFixed(1)} ms; ${daemon.residentMb().toFixed(0)} MB resident`,
    });
  } finally {
    await daemon.stop();
    await fleet.stop();
    probe.remove();
  }
}

/** @param eachSecond called as often. @returns events a second that were really sent */
async function sendEvents(fleet: Fleet, eachSecond: () => void): Promise<number> {
  const { members } = fleet;
  const started = performance.now();
  let sent = 0;
  for (let second = 1; second <= LOAD_SECONDS; second += 1) {
    while (sent < second * EVENTS_A_SECOND) {
      const due = ((performance.now() - started) / 1_000) * EVENTS_A_SECOND;
      if (sent >= due) await wait(1);
      const batch: Promise<number>[] = [];
      for (; sent < Math.min(due, second * EVENTS_A_SECOND); sent += 1) {
        const member = members[sent % members.length] as FleetMember;
        batch.push(fleet.set(member.deviceId, 1, SENSOR_IID, (Math.floor(sent / members.length) % 300) + 1));
      }
      await Promise.all(batch);
    }
    eachSecond();
  }
  return sent / ((performance.now() - started) / 1_000);
}

interface Listed {
  readonly id: string;
  readonly homeId: string;
  readonly deviceId: string;
}

async function accessoriesOf(daemon: BenchDaemon): Promise<ReadonlyMap<string, Listed>> {
  const { body } = await daemon.asSystem('GET', '/rest/accessories');
  return new Map((body as Listed[]).map((accessory) => [accessory.deviceId.toUpperCase(), accessory]));
}

async function saveFlow(daemon: BenchDaemon, homeId: string, flow: object): Promise<void> {
  const { status, body } = await daemon.asSystem('POST', '/rest/flows', { homeId, ...flow });
  if (status !== 200) throw new Error(`A flow was refused: ${JSON.stringify(body)}`);
}

/** Each hue that a sensor's stand-in reports becomes the actuator's brightness. */
async function saveMirror(daemon: BenchDaemon, sensors: readonly FleetMember[], actuator: FleetMember): Promise<void> {
  const known = await accessoriesOf(daemon);
  const find = ({ deviceId }: FleetMember): Listed => {
    const accessory = known.get(deviceId.toUpperCase());
    if (!accessory) throw new Error('An accessory is not there');
    return accessory;
  };
  const { id: accessoryId, homeId } = find(actuator);
  await saveFlow(daemon, homeId, {
    name: 'Mirror',
    mode: 'parallel',
    triggers: sensors.map((sensor) => ({ type: 'state', accessoryId: find(sensor).id, characteristicType: 'hue' })),
    actions: [
      { type: 'set_characteristic', accessoryId, characteristicType: 'brightness', value: '{{ trigger.to_value }}' },
    ],
  });
}

async function saveFlows(daemon: BenchDaemon, members: readonly FleetMember[]): Promise<void> {
  const accessories = [...(await accessoriesOf(daemon)).values()];
  if (accessories.length !== members.length) throw new Error('Some accessories are not there');
  for (let index = 0; index < FLOWS; index += 1) {
    const watched = accessories[index % accessories.length] as Listed;
    const driven = accessories[(index * 7 + 1) % accessories.length] as Listed;
    const target = { accessoryId: watched.id, characteristicType: 'hue' };
    const trigger =
      index % 10 === 0
        ? { type: 'state', ...target }
        : { type: 'numeric_state', ...target, above: 100 + (index % 200) };
    await saveFlow(daemon, watched.homeId, {
      name: `Flow ${index + 1}`,
      mode: 'restart',
      triggers: [trigger],
      conditions: {
        operator: 'and',
        conditions: [{ type: 'template', expression: 'trigger.to_value > 5 && now() > 0' }],
      },
      actions: [
        {
          type: 'set_characteristic',
          accessoryId: driven.id,
          characteristicType: 'brightness',
          value: (index % 99) + 1,
        },
      ],
    });
  }
}
