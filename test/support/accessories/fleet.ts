/**
 * Accessories by the hundred, for benchmarks: raw accessory servers in processes of their own, so that their work does
 * not count as the daemon's, paired beforehand, so that no test waits for SRP. They can all be lost at once and come
 * back.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { lastingPorts } from '../free-port.ts';
import { forkTypeScript } from '../typescript-process.ts';
import { createDeviceId, createSigningKeys, type KnownController } from './identity.ts';
import type { Id } from './served-database.ts';

export interface FleetOptions {
  readonly count: number;
  /** Who is paired with all of them. */
  readonly controllers: readonly KnownController[];
  /** Makes each a bridge with so many children; 0, a lamp of 24 characteristics, by default. HAP allows 149. */
  readonly children?: number;
  /** Advertise over mDNS on loopback; `false` by default: ciao answers hundreds at once badly. */
  readonly mdns?: boolean;
  /** Calls `onWrite` with each write; costs a message each. */
  readonly onWrite?: (write: FleetWrite) => void;
  /** Every answer comes so much later: devices take tens of milliseconds. */
  readonly replyDelayMs?: number;
  /** 1 by default. */
  readonly processes?: number;
}

export interface FleetMember {
  readonly deviceId: string;
  readonly name: string;
  readonly port: number;
  /** Ed25519, 32 bytes. */
  readonly accessoryPublicKey: Buffer;
}

export interface FleetWrite {
  readonly deviceId: string;
  readonly aid: string;
  readonly iid: string;
  readonly value: unknown;
  /** Milliseconds on the clock that all processes share: `performance.timeOrigin + performance.now()`. */
  readonly at: number;
}

export interface FleetCounts {
  /** Open TCP connections. */
  readonly connections: number;
  /** Accessories with a subscriber. */
  readonly subscribed: number;
  readonly requests: number;
}

/** Between `fleet.ts` and its processes. */
export interface FleetShare {
  readonly members: readonly { deviceId: string; name: string; seed: string; port: number; children: number }[];
  readonly controllers: readonly { id: string; publicKey: string }[];
  readonly mdns: boolean;
  readonly replyDelayMs: number;
  readonly reportWrites: boolean;
}

export type FleetOrder =
  | { type: 'start'; share: FleetShare }
  | { type: 'set'; deviceId: string; aid: string; iid: string; value: unknown }
  | { type: 'count' };

export type FleetReport =
  | { type: 'started' }
  | { type: 'set'; at: number }
  | ({ type: 'counts' } & FleetCounts)
  | ({ type: 'write' } & FleetWrite);

interface Identity {
  readonly deviceId: string;
  readonly name: string;
  readonly seed: Buffer;
  readonly publicKey: Buffer;
  readonly port: number;
}

const CHILD = join(import.meta.dirname, 'fleet-child.ts');

/** Starts them and waits until all listen. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const fleet = new Fleet(options, await lastingPorts(options.count));
  await fleet.restore();
  return fleet;
}

export class Fleet {
  readonly #options: FleetOptions;
  readonly #identities: readonly Identity[];
  #children: readonly ChildProcess[] = [];

  constructor(options: FleetOptions, ports: readonly number[]) {
    this.#options = options;
    this.#identities = ports.map((port, index) => {
      return { deviceId: createDeviceId(), name: `Fleet ${index + 1}`, ...createSigningKeys(), port };
    });
  }

  get members(): readonly FleetMember[] {
    return this.#identities.map(({ deviceId, name, port, publicKey }) => ({
      deviceId,
      name,
      port,
      accessoryPublicKey: publicKey,
    }));
  }

  /** Changes a value from the accessory's side. @returns when, on the clock that all processes share. */
  async set(deviceId: string, aid: Id, iid: Id, value: unknown): Promise<number> {
    const child = this.#childOf(deviceId);
    const done = reportOf(child, 'set');
    notify(child, { type: 'set', deviceId, aid: String(aid), iid: String(iid), value });
    return (await done).at;
  }

  async counts(): Promise<FleetCounts> {
    const reports = await Promise.all(
      this.#children.map((child) => {
        const counted = reportOf(child, 'counts');
        notify(child, { type: 'count' });
        return counted;
      }),
    );
    const sum = (field: keyof FleetCounts) => reports.reduce((total, report) => total + report[field], 0);
    return { connections: sum('connections'), subscribed: sum('subscribed'), requests: sum('requests') };
  }

  /** Total loss: all are gone at this moment, as after a power cut. */
  async lose(): Promise<void> {
    const gone = this.#children.map((child) => once(child, 'exit'));
    for (const child of this.#children) child.kill('SIGKILL');
    await Promise.all(gone);
    this.#children = [];
  }

  /** All are back, with the same keys and on the same ports. */
  async restore(): Promise<void> {
    const { processes = 1 } = this.#options;
    const children = Array.from({ length: processes }, () => forkTypeScript(CHILD, { stdout: 'ignore' }));
    // Each question that is open listens for its own answer.
    for (const child of children) child.setMaxListeners(0);
    this.#children = children;
    await Promise.all(children.map((child, index) => this.#startShare(child, this.#share(index))));
  }

  stop(): Promise<void> {
    return this.lose();
  }

  #share(index: number): readonly Identity[] {
    const { processes = 1 } = this.#options;
    return this.#identities.filter((_, position) => position % processes === index);
  }

  #childOf(deviceId: string): ChildProcess {
    const { processes = 1 } = this.#options;
    const child = this.#children[this.#identities.findIndex((identity) => identity.deviceId === deviceId) % processes];
    if (!child) throw new Error(`The fleet has no running accessory ${deviceId}`);
    return child;
  }

  async #startShare(child: ChildProcess, identities: readonly Identity[]): Promise<void> {
    const { controllers, children = 0, mdns = false, replyDelayMs = 0, onWrite } = this.#options;
    if (onWrite) {
      child.on('message', (report: FleetReport) => {
        if (report.type === 'write') onWrite(report);
      });
    }
    const started = reportOf(child, 'started');
    const share: FleetShare = {
      members: identities.map(({ deviceId, name, seed, port }) => ({
        deviceId,
        name,
        port,
        children,
        seed: seed.toString('hex'),
      })),
      controllers: controllers.map(({ id, publicKey }) => ({ id, publicKey: publicKey.toString('hex') })),
      mdns,
      replyDelayMs,
      reportWrites: onWrite !== undefined,
    };
    notify(child, { type: 'start', share });
    await started;
  }
}

function notify(child: ChildProcess, order: FleetOrder): void {
  child.send(order);
}

/** The next report of a kind. @throws if the process ends first. */
function reportOf<T extends FleetReport['type']>(
  child: ChildProcess,
  type: T,
): Promise<Extract<FleetReport, { type: T }>> {
  return new Promise((resolve, reject) => {
    const end = () => {
      child.off('message', onReport);
      child.off('exit', onExit);
    };
    const onReport = (report: FleetReport) => {
      if (report.type !== type) return;
      end();
      resolve(report as Extract<FleetReport, { type: T }>);
    };
    const onExit = () => {
      end();
      reject(new Error(`A fleet process ended before it reported '${type}'`));
    };
    child.on('message', onReport);
    child.once('exit', onExit);
  });
}
