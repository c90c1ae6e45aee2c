import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import type { NetworkListener } from '../../../src/drivers/discovery/multicast-network.ts';
import type { FromChild, ToChild, ToChildAnswer } from '../../../src/drivers/matter/messages.ts';
import { MatterSupervisor, type MatterSupervisorDeps } from '../../../src/drivers/matter/supervisor.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { TestClock } from '../../support/test-clock.ts';
import { FakeMatterHome, IDENTITY, MemoryMatterStorage, STEADY_NETWORK } from './fake-home.ts';
import { SAMPLES } from './sample-endpoints.ts';

const LAMP = SAMPLES.onOffLight;
const ONLINE = {
  ...{ type: 'online', port: 5_540, manualCode: '1', qrCode: 'MT:1' },
  ...{ windowEndsAt: null, fabrics: [] },
} as const satisfies FromChild;
const SECOND = 1_000;

/** In place of a process: it answers pings unless it is stuck, and ends when it is stopped or killed. */
class FakeChild extends EventEmitter {
  readonly sent: (ToChild | ToChildAnswer)[] = [];
  connected = true;
  exitCode: number | null = null;
  signalCode: string | null = null;
  residentBytes = 1;
  isStuck = false;

  send(message: ToChild | ToChildAnswer): void {
    this.sent.push(message);
    if (this.isStuck) return;
    if (message.type === 'ping') this.report({ type: 'pong', residentBytes: this.residentBytes });
    if (message.type === 'stop') this.end();
  }

  report(message: FromChild): void {
    this.emit('message', message);
  }

  kill(signal: string): void {
    if (this.connected) this.end(signal);
  }

  end(signal: string | null = null): void {
    this.connected = false;
    this.signalCode = signal;
    setImmediate(() => this.emit('close'));
  }
}

describe('the supervisor of a Matter bridge', () => {
  let clock: TestClock;
  let home: FakeMatterHome;
  let storage: MemoryMatterStorage;
  let children: FakeChild[];
  let bridge: MatterSupervisor;
  let statusChanged: () => void;
  const last = () => children.at(-1) ?? new FakeChild();
  const openedBy = (child: FakeChild) => child.sent.find(({ type }) => type === 'open');

  beforeEach(() => {
    clock = new TestClock();
    home = new FakeMatterHome([LAMP]);
    storage = new MemoryMatterStorage();
    children = [];
    statusChanged = () => {};
    bridge = create();
  });

  function create(deps: Partial<MatterSupervisorDeps> = {}): MatterSupervisor {
    return new MatterSupervisor({
      identity: IDENTITY,
      storage,
      content: home,
      preferredPort: undefined,
      yieldsMatterPort: false,
      onStatus: () => statusChanged(),
      spawn: () => {
        const child = new FakeChild();
        children.push(child);
        return { process: child as unknown as ChildProcess, stderr: () => '' };
      },
      networkInterface: null,
      network: STEADY_NETWORK,
      version: '1.2.3',
      clock,
      logger: silentLogger,
      ...deps,
    });
  }

  it('starts a process with all endpoints and what is stored, and asks for port 5540 first', () => {
    storage.apply([{ type: 'set', context: 'a', key: 'b', value: Buffer.of(1) }]);
    bridge.start();
    expect(openedBy(last())).toMatchObject({
      ports: [5_540, 0],
      endpoints: [LAMP],
      stored: [{ context: 'a', key: 'b' }],
    });
    expect(bridge.status).toEqual({ state: 'starting', error: null });
    last().report(ONLINE);
    expect(bridge.status).toMatchObject({ state: 'open', port: 5_540 });
  });

  it.each([
    [false, [5_540, 5_541, 0]],
    [true, [5_541, 5_540, 0]],
  ])(
    'tries the port of the last start too, first if another bridge has Matter’s own: %s',
    (yieldsMatterPort, ports) => {
      bridge = create({ preferredPort: 5_541, yieldsMatterPort });
      bridge.start();
      expect(openedBy(last())).toMatchObject({ ports });
    },
  );

  it('starts it again after growing waits, up to a minute', async () => {
    bridge.start();
    for (const waitS of [1, 2, 4, 8, 16, 32, 60, 60]) {
      const count = children.length;
      last().end('SIGSEGV');
      await clock.advance(waitS * SECOND - 1);
      expect(children).toHaveLength(count);
      await clock.advance(1);
      expect(children).toHaveLength(count + 1);
    }
  });

  it('waits only a moment again after the process was online for a minute', async () => {
    bridge.start();
    last().end();
    await clock.advance(SECOND);
    last().report(ONLINE);
    await clock.advance(61 * SECOND);
    last().end();
    await clock.advance(SECOND);
    expect(children).toHaveLength(3);
  });

  it('notifies the process of interfaces that come up, at once and when their addresses can be used', async () => {
    const listeners: NetworkListener[] = [];
    const left: NetworkListener[] = [];
    // The first listener is sent what is there, even before `join` returns.
    const join = (listener: NetworkListener) => {
      listeners.push(listener);
      listener.onInterface?.();
    };
    bridge = create({ network: { join, leave: (listener) => left.push(listener) } });
    const change = () => listeners[0]?.onInterface?.();
    const notices = () => last().sent.filter(({ type }) => type === 'network_changed').length;
    bridge.start();
    last().report(ONLINE);
    await clock.advance(10 * SECOND);
    expect(notices()).toBe(0);
    change();
    expect(notices()).toBe(1);
    await clock.advance(10 * SECOND);
    expect(notices()).toBe(2);
    change();
    await bridge.stop();
    await clock.advance(10 * SECOND);
    expect(notices()).toBe(3);
    expect(left).toEqual(listeners);
  });

  it('starts it within a second when an interface came up: without one it may not have been able to', async () => {
    const listeners: NetworkListener[] = [];
    bridge = create({ network: { join: (listener) => listeners.push(listener), leave() {} } });
    bridge.start();
    for (const waitS of [1, 2, 4, 8, 16]) {
      last().end();
      await clock.advance(waitS * SECOND);
    }
    last().end();
    await clock.advance(0);
    const count = children.length;
    listeners[0]?.onInterface?.();
    await clock.advance(SECOND);
    expect(children).toHaveLength(count + 1);
    await clock.advance(60 * SECOND);
    expect(children).toHaveLength(count + 1);
  });

  it('shows why it is not open', async () => {
    bridge.start();
    last().report({ type: 'failed', error: 'No UDP port is free' });
    last().end();
    await clock.advance(0);
    expect(bridge.status).toEqual({ state: 'starting', error: 'No UDP port is free' });
  });

  it('survives that no process can be made', async () => {
    const broken = new MatterSupervisor({
      identity: IDENTITY,
      storage,
      content: home,
      preferredPort: undefined,
      yieldsMatterPort: false,
      onStatus: () => {},
      spawn: () => {
        throw new Error('EAGAIN');
      },
      networkInterface: null,
      network: STEADY_NETWORK,
      version: '1.2.3',
      clock,
      logger: silentLogger,
    });
    broken.start();
    expect(broken.status).toEqual({ state: 'starting', error: 'EAGAIN' });
    await broken.stop();
  });

  it('makes no process while what it needs can’t be read, and one when it can', async () => {
    storage.error = new Error('The disk failed');
    bridge.start();
    expect(children).toHaveLength(0);
    expect(bridge.status).toEqual({ state: 'starting', error: 'The disk failed' });
    storage.error = undefined;
    await clock.advance(SECOND);
    expect(children).toHaveLength(1);
  });

  it('stops while the process that it made could not be run', async () => {
    bridge.start();
    const stopped = bridge.stop();
    last().emit('error', new Error('EAGAIN'));
    await stopped;
    expect(bridge.status).toEqual({ state: 'stopped' });
  });

  it('knows its fabrics from the moment in which it is open', () => {
    const seen: unknown[] = [];
    statusChanged = () => seen.push(bridge.status);
    bridge.start();
    const fabric = { index: 1, label: 'Hub', vendorId: 1, fabricId: 'A', nodeId: 'B' };
    const fabrics = [{ ...fabric, isConnected: false, lastSeenAt: null }];
    last().report({ ...ONLINE, fabrics });
    expect(seen.filter((status) => JSON.stringify(status).includes('"open"'))).toMatchObject([{ fabrics }]);
  });

  it('kills a process that answers no pings', async () => {
    bridge.start();
    last().report(ONLINE);
    last().isStuck = true;
    await clock.advance(70 * SECOND);
    expect(children).toHaveLength(2);
  });

  it('kills a process that does not come online', async () => {
    bridge.start();
    last().isStuck = true;
    await clock.advance(220 * SECOND);
    expect(children).toHaveLength(2);
  });

  it('replaces a process that takes too much memory', async () => {
    bridge.start();
    last().report(ONLINE);
    last().residentBytes = 900 * 1_024 * 1_024;
    await clock.advance(20 * SECOND);
    expect(children).toHaveLength(2);
  });

  it('kills a process that does not stop', async () => {
    bridge.start();
    const [child] = children;
    last().isStuck = true;
    const stopped = bridge.stop();
    await clock.advance(6 * SECOND);
    await stopped;
    expect(child?.signalCode).toBe('SIGKILL');
    expect(bridge.status).toEqual({ state: 'stopped' });
    await clock.advance(120 * SECOND);
    expect(children).toHaveLength(1);
  });

  it('answers what it could not store with the error', () => {
    bridge.start();
    storage.error = new Error('The disk is full');
    last().report({ type: 'store', id: 7, changes: [] });
    expect(last().sent).toContainEqual({ type: 'stored', id: 7, error: 'The disk is full' });
  });

  it('sends only what is different about endpoints', () => {
    bridge.start();
    bridge.endpointsChanged();
    expect(last().sent.filter(({ type }) => type === 'endpoints')).toEqual([]);
    home.change(LAMP.key, { reachable: false });
    home.add(SAMPLES.doorLock);
    bridge.endpointsChanged();
    home.remove(LAMP.key);
    bridge.endpointsChanged();
    expect(last().sent.filter(({ type }) => type === 'endpoints')).toMatchObject([
      { put: [{ key: LAMP.key, reachable: false }, { key: SAMPLES.doorLock.key }], remove: [] },
      { put: [], remove: [LAMP.key] },
    ]);
  });

  it('sends a refused endpoint again when something changes, and not one whose values were refused', () => {
    bridge.start();
    const { key } = LAMP;
    const puts = () => last().sent.filter(({ type }) => type === 'endpoints').length;
    const refuse = (isMissing: boolean) => last().report({ type: 'refused', key, error: 'no', isMissing });
    refuse(false);
    bridge.endpointsChanged();
    expect(puts()).toBe(0);
    refuse(true);
    bridge.endpointsChanged();
    bridge.endpointsChanged();
    expect(puts()).toBe(1);
    refuse(true);
    bridge.valuesChanged(key, { onOff: { onOff: true } });
    expect(last().sent.at(-1)).toMatchObject({ type: 'endpoints', put: [{ key }], remove: [] });
    expect(puts()).toBe(2);
  });

  it('sends the last of many values of one moment', async () => {
    bridge.start();
    for (const onOff of [true, false, true]) bridge.valuesChanged(LAMP.key, { onOff: { onOff } });
    await clock.advance(0);
    expect(last().sent.filter(({ type }) => type === 'values')).toEqual([
      { type: 'values', values: [{ key: LAMP.key, clusters: { onOff: { onOff: true } } }] },
    ]);
  });

  it('does not send the next process an answer that the last one waited for', async () => {
    let answer = (_: 'ok'): void => {};
    home.answer = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    bridge.start();
    last().report({ type: 'write', id: 1, write: { key: LAMP.key, fabricIndex: 1, clusters: {} } });
    await clock.advance(0);
    last().end();
    await clock.advance(SECOND);
    answer('ok');
    await clock.advance(0);
    expect(last().sent.map(({ type }) => type)).toEqual(['open']);
  });

  it('refuses to open a window while it is not open, or when the process ends meanwhile', async () => {
    bridge.start();
    await expect(bridge.openWindow(300)).rejects.toMatchObject({ code: 'conflict' });
    last().report(ONLINE);
    const opening = bridge.openWindow(300);
    const refused = expect(opening).rejects.toMatchObject({ code: 'conflict' });
    last().end();
    await clock.advance(0);
    await refused;
  });
});
