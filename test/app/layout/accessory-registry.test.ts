import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deriveAccessoryId } from '../../../src/app/layout/accessory-id.ts';
import type { HomeEvents } from '../../../src/home/events.ts';
import { isUuid } from '../../../src/kernel/ids.ts';
import { button, lamp, plainSwitch } from '../../support/sample-accessories.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { TestClock } from '../../support/test-clock.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

const DAY_MS = 24 * 60 * 60_000;
const BRIDGE = 'AA:BB:CC:DD:EE:01';
const aids = (...list: string[]) => list.map((aid) => plainSwitch(`Switch ${aid}`, aid));

describe('accessory ids', () => {
  it('are always the same for one device id and aid', () => {
    expect(deriveAccessoryId('AA:BB:CC:DD:EE:FF', '1', new Set())).toBe('49cf6bcc-3ffb-5620-8cf4-be9746237b80');
  });

  it('distinguish aids beyond 2^53', () => {
    const ids = ['9223372036854775809', '9223372036854775808', '18446744073709551615'].map((aid) =>
      deriveAccessoryId(BRIDGE, aid, new Set()),
    );
    expect(new Set(ids).size).toBe(3);
  });

  it('are UUIDs whose last four characters nothing else has', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.stringMatching(/^[0-9A-F]{2}$/), fc.bigInt(1n, 2n ** 64n - 1n)), {
          minLength: 1,
          maxLength: 400,
          selector: ([byte, aid]) => `${byte}/${aid}`,
        }),
        (devices) => {
          const endings = new Set<string>();
          for (const [byte, aid] of devices) {
            const id = deriveAccessoryId(`AA:BB:CC:DD:EE:${byte}`, String(aid), endings);
            expect(isUuid(id) && id === id.toLowerCase()).toBe(true);
            expect(endings.has(id.slice(-4))).toBe(false);
            endings.add(id.slice(-4));
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('derive again until the ending is free, the same way each time', () => {
    const first = deriveAccessoryId(BRIDGE, '1', new Set());
    const taken = new Set([first.slice(-4)]);
    const second = deriveAccessoryId(BRIDGE, '1', taken);
    expect(second).not.toBe(first);
    expect(deriveAccessoryId(BRIDGE, '1', taken)).toBe(second);
    const third = deriveAccessoryId(BRIDGE, '1', new Set([...taken, second.slice(-4)]));
    expect(new Set([first, second, third]).size).toBe(3);
  });

  it('come to an end even where every ending is taken', () => {
    const all = new Set(Array.from({ length: 65_536 }, (_, n) => n.toString(16).padStart(4, '0')));
    expect(isUuid(deriveAccessoryId(BRIDGE, '1', all))).toBe(true);
  });
});

describe('the registry', () => {
  it('a device’s name is shown without hidden characters', () => {
    const test = createTestHome();
    test.registry.describe(test.home.id, BRIDGE, [
      plainSwitch('Front\u202e\u200bdoor', '1'),
      plainSwitch('\u200b\u2066', '2'),
      plainSwitch('می\u200cخانه 👨‍👩‍👧', '3'),
    ]);
    const names = test.state.accessories(test.home.id).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['Frontdoor', 'Unknown', 'می\u200cخانه 👨‍👩‍👧'].toSorted());
    test.close();
  });

  let test: TestHome;
  let events: [name: string, accessoryId: string][];

  beforeEach(() => {
    test = createTestHome();
    events = [];
    const names: (keyof HomeEvents)[] = [
      'accessory.added',
      'accessory.removed',
      'layout.changed',
      'state.changed',
      'button.pressed',
    ];
    for (const name of names) {
      test.bus.on(name, (event) => events.push([name, 'accessoryId' in event ? event.accessoryId : '']));
    }
  });

  afterEach(() => test.close());

  const attach = (...accessories: ReturnType<typeof lamp>[]) =>
    test.driver.attach(test.home.id, { deviceId: BRIDGE, name: 'Bridge', setupCode: '031-45-154', accessories });
  const idOf = (aid: string) => test.state.findByAddress({ source: BRIDGE, aid })?.id ?? '';
  const named = (name: string) => events.filter(([event]) => event === name);

  it('puts what a device describes into the default room under its own name', () => {
    attach(lamp('Lamp'));
    const accessory = test.named('Lamp');
    expect(accessory).toMatchObject({ homeId: test.home.id, reachable: true, category: 5, vanishedAt: null });
    expect(test.state.room(accessory.roomId)?.isDefault).toBe(true);
    expect(events).toEqual([
      ['accessory.added', accessory.id],
      ['layout.changed', ''],
    ]);
  });

  it('calls an accessory without a name Unknown', () => {
    attach({ ...lamp(), name: '  ' });
    expect(test.named('Unknown').category).toBe(5);
  });

  it('reports and writes nothing when a device describes itself as before', () => {
    attach(lamp('Lamp'), plainSwitch('Heater', '2'));
    test.driver.event(BRIDGE, '1', '9', true);
    events.length = 0;
    const { version } = test.state;
    const writes = test.database.prepare('SELECT total_changes()').pluck();
    const before = writes.get();
    test.driver.describe(BRIDGE, [lamp('Lamp'), plainSwitch('Heater', '2')]);
    expect(events).toEqual([]);
    expect(test.state.version).toBe(version);
    expect(writes.get()).toBe(before);
    expect(test.state.characteristic({ accessoryId: idOf('1'), iid: '9' })?.value).toBe(true);
  });

  it('takes in new names, services and values of a device whose description changed', () => {
    attach(lamp('Lamp'));
    test.driver.event(BRIDGE, '1', '10', 70);
    const { id } = test.named('Lamp');
    const changed = lamp('Better Lamp');
    const services = changed.services.map((service) =>
      service.type === '43' ? { ...service, characteristics: service.characteristics.slice(1) } : service,
    );
    test.driver.describe(BRIDGE, [{ ...changed, services }]);
    const accessory = test.named('Better Lamp');
    expect(accessory.id).toBe(id);
    expect(accessory.services[1]?.characteristics.map(({ type, value }) => [type, value])).toEqual([
      ['8', 70],
      ['13', 0],
      ['2F', 0],
    ]);
    expect(accessory.services[0]?.characteristics.find(({ type }) => type === '23')?.value).toBe('Better Lamp');
  });

  it('keeps ids, names and rooms of the others when children come and go two hundred times', () => {
    attach(...aids('2', '3', '4'));
    const room = test.rooms.create(systemCaller, { homeId: test.home.id, name: 'Den' });
    test.accessories.update(systemCaller, idOf('3'), { name: 'Kettle', roomId: room.id });
    const ids = ['2', '3', '4'].map(idOf);
    for (let round = 0; round < 200; round += 1) {
      test.driver.describe(BRIDGE, round % 2 === 0 ? aids('2', '4', '5') : aids('2', '3', '4'));
    }
    expect(['2', '3', '4'].map(idOf)).toEqual(ids);
    expect(test.state.accessory(idOf('3'))).toMatchObject({ name: 'Kettle', roomId: room.id, vanishedAt: null });
    expect(named('accessory.removed')).toEqual([]);
    expect(named('accessory.added')).toHaveLength(4);
  });

  it('shows a vanished child as unreachable, keeps its settings for 30 days, then forgets it', async () => {
    attach(...aids('2', '3'));
    test.accessories.update(systemCaller, idOf('3'), { name: 'Kettle' });
    const id = idOf('3');
    test.driver.describe(BRIDGE, aids('2'));
    expect(test.state.accessory(id)).toMatchObject({ name: 'Kettle', reachable: false, vanishedAt: test.clock.now() });
    test.driver.setReachable(BRIDGE, true);
    expect(test.state.accessory(id)?.reachable).toBe(false);
    await test.clock.advance(30 * DAY_MS);
    expect(test.state.accessory(id)).toBeDefined();
    await test.clock.advance(DAY_MS);
    expect(test.state.accessory(id)).toBeUndefined();
    expect(test.state.accessory(idOf('2'))).toBeDefined();
    expect(named('accessory.removed')).toEqual([['accessory.removed', id]]);
    test.driver.describe(BRIDGE, aids('2', '3'));
    expect(idOf('3')).toBe(id);
  });

  it('does not forget at once what vanished while the clock was wrong', () => {
    attach(...aids('2', '3'));
    test.clock.jumpWallClock(-5 * 365 * DAY_MS);
    test.driver.describe(BRIDGE, aids('2'));
    test.clock.jumpWallClock(5 * 365 * DAY_MS);
    test.layout.housekeeping();
    expect(idOf('3')).not.toBe('');
  });

  it('nor what was unpaired meanwhile', async () => {
    attach(...aids('2'));
    test.accessories.update(systemCaller, idOf('2'), { name: 'Kettle' });
    test.clock.jumpWallClock(-5 * 365 * DAY_MS);
    await test.pairings.unpair(systemCaller, BRIDGE);
    test.clock.jumpWallClock(5 * 365 * DAY_MS);
    test.layout.housekeeping();
    await test.pairings.pair(systemCaller, { device: BRIDGE, setupCode: '031-45-154' });
    expect(test.named('Kettle').address.aid).toBe('2');
  });

  it('gives a device that is paired again its ids, names and rooms back', async () => {
    attach(...aids('2', '3'));
    const room = test.rooms.create(systemCaller, { homeId: test.home.id, name: 'Den' });
    test.accessories.update(systemCaller, idOf('3'), { name: 'Kettle', roomId: room.id });
    const ids = [idOf('2'), idOf('3')];
    test.driver.event(BRIDGE, '3', '9', true);
    test.lastValues.flush();
    await test.pairings.unpair(systemCaller, BRIDGE);
    expect(test.state.accessories()).toEqual([]);
    expect(named('accessory.removed').map(([, id]) => id)).toEqual(ids);
    expect(test.database.prepare('SELECT count(*) FROM last_values').pluck().get()).toBe(0);
    await test.pairings.pair(systemCaller, { device: BRIDGE, setupCode: '031-45-154' });
    expect([idOf('2'), idOf('3')]).toEqual(ids);
    expect(test.state.accessory(idOf('3'))).toMatchObject({ name: 'Kettle', roomId: room.id, reachable: true });
    expect(test.state.characteristic({ accessoryId: idOf('3'), iid: '9' })?.value).toBe(false);
  });

  it('gives the same ids when 30 days have passed, without the settings', async () => {
    attach(...aids('2'));
    test.accessories.update(systemCaller, idOf('2'), { name: 'Kettle' });
    const id = idOf('2');
    await test.pairings.unpair(systemCaller, BRIDGE);
    await test.clock.advance(32 * DAY_MS);
    await test.pairings.pair(systemCaller, { device: BRIDGE, setupCode: '031-45-154' });
    expect(test.state.accessory(id)?.name).toBe('Switch 2');
  });

  it('takes a device that is paired into another home there, with its owner’s names', async () => {
    attach(...aids('2'));
    test.accessories.update(systemCaller, idOf('2'), { name: 'Kettle' });
    const cottage = test.homes.create(systemCaller, { name: 'Cottage' });
    await test.pairings.unpair(systemCaller, BRIDGE);
    await test.pairings.pair(systemCaller, { device: BRIDGE, homeId: cottage.id, setupCode: '031-45-154' });
    expect(test.state.accessories(cottage.id)).toEqual([expect.objectContaining({ name: 'Kettle' })]);
    expect(test.state.accessories(test.home.id)).toEqual([]);
    const [room] = test.state.rooms(cottage.id);
    expect(test.named('Kettle').roomId).toBe(room?.id);
  });

  it('never lets two accessories of a home end alike, those unpaired for now among them', async () => {
    const accessories = Array.from({ length: 300 }, (_, n) => plainSwitch(`S${n}`, String(n + 2)));
    for (const digit of '1234') {
      const deviceId = `AA:BB:CC:DD:FF:0${digit}`;
      test.driver.attach(test.home.id, { deviceId, name: digit, setupCode: '031-45-154', accessories });
      if (digit === '2') await test.pairings.unpair(systemCaller, deviceId);
    }
    await test.pairings.pair(systemCaller, { device: 'AA:BB:CC:DD:FF:02', setupCode: '031-45-154' });
    const endings = test.state.accessories().map(({ id }) => id.slice(-4));
    expect(endings).toHaveLength(1_200);
    expect(new Set(endings).size).toBe(1_200);
  });

  it('does not mistake two children with the same serial number for one', () => {
    attach(...aids('2', '3'));
    expect(idOf('2')).not.toBe(idOf('3'));
  });

  it('answers for an aid listed twice with the first one', () => {
    attach(plainSwitch('First', '2'), plainSwitch('Second', '2'));
    expect(test.state.accessories().map(({ name }) => name)).toEqual(['First']);
  });

  it('carries 64-bit ids exactly into memory, onto the disk and back', () => {
    using directory = createTempDirectory('ids');
    const path = directory.file('relay.db');
    const first = createTestHome({ path });
    const twins = aids('9223372036854775809', '9223372036854775808', '18446744073709551615');
    first.driver.attach(first.home.id, { deviceId: BRIDGE, name: 'B', setupCode: '', accessories: twins });
    const shown = first.state.accessories().map(({ id, address }) => [id, address.aid]);
    first.database.close();
    const second = createTestHome({ path });
    expect(second.state.accessories().map(({ id, address }) => [id, address.aid])).toEqual(shown);
    expect(shown.map(([, aid]) => aid).sort()).toEqual(twins.map(({ aid }) => aid).sort());
    second.close();
  });

  it('counts each press that a button reports by itself, and none that is read', () => {
    attach(button());
    const { id } = test.named('Button');
    for (const via of ['event', 'event', 'read', 'write'] as const) {
      test.registry.report(BRIDGE, [{ aid: '1', iid: '9', value: 0, via }]);
    }
    test.registry.report(BRIDGE, [{ aid: '1', iid: '9', value: null, via: 'event' }]);
    expect(named('button.pressed')).toHaveLength(2);
    expect(test.state.pressesOf(id).get('9')?.value).toBe(0);
    expect(named('state.changed')).toEqual([]);
  });

  it('does not show what was written to something that can’t be read', () => {
    attach(lamp('Lamp'));
    test.registry.report(BRIDGE, [{ aid: '1', iid: '2', value: true, via: 'write' }]);
    expect(test.state.characteristic({ accessoryId: idOf('1'), iid: '2' })?.value).toBeNull();
    expect(named('state.changed')).toEqual([]);
  });

  it('makes one child unreachable and leaves 148 alone', () => {
    const children = Array.from({ length: 149 }, (_, n) => plainSwitch(`S${n}`, String(n + 2)));
    attach(...children);
    test.driver.setReachable(BRIDGE, false, '77');
    const unreachable = test.state.accessories().filter(({ reachable }) => !reachable);
    expect(unreachable.map(({ address }) => address.aid)).toEqual(['77']);
  });

  it('never throws at a driver, for any report', () => {
    test.registry.describe('no-such-home', BRIDGE, aids('2'));
    test.registry.report('nobody', [{ aid: '1', iid: '9', value: true, via: 'event' }]);
    test.registry.setReachable('nobody', true);
    test.registry.forget('nobody');
    expect(test.state.accessories()).toEqual([]);
  });

  it('harms no other value when a listener fails', () => {
    attach(lamp('Lamp'));
    test.bus.on('state.changed', () => {
      throw new Error('listener');
    });
    test.registry.report(BRIDGE, [
      { aid: '1', iid: '9', value: true, via: 'event' },
      { aid: '1', iid: '10', value: 12, via: 'event' },
    ]);
    expect(test.state.characteristic({ accessoryId: idOf('1'), iid: '10' })?.value).toBe(12);
  });

  it('shows devices even though the database can’t be written, and stores them when it can', () => {
    test.database.pragma('query_only = ON');
    attach(lamp('Lamp'));
    expect(test.named('Lamp').reachable).toBe(true);
    expect(() => test.accessories.update(systemCaller, idOf('1'), { name: 'X' })).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    );
    test.database.pragma('query_only = OFF');
    test.driver.describe(BRIDGE, [lamp('Lamp')]);
    expect(test.accessories.update(systemCaller, idOf('1'), { name: 'X' }).name).toBe('X');
  });
});

describe('after a restart', () => {
  it('shows the last known values and reachability until devices answer', () => {
    using directory = createTempDirectory('restart');
    const path = directory.file('relay.db');
    const device = {
      deviceId: BRIDGE,
      name: 'Bridge',
      setupCode: '',
      accessories: [lamp('Lamp'), button('Bell', '2')],
    };
    const first = createTestHome({ path });
    first.driver.attach(first.home.id, device);
    first.driver.event(BRIDGE, '1', '9', true);
    first.driver.event(BRIDGE, '1', '10', 33);
    first.driver.event(BRIDGE, '2', '9', 1);
    first.close();

    const second = createTestHome({ path });
    expect(second.named('Lamp')).toMatchObject({ reachable: true, services: [] });
    second.registry.describe(second.home.id, BRIDGE, device.accessories);
    const accessoryId = second.named('Lamp').id;
    expect(second.state.characteristic({ accessoryId, iid: '9' })?.value).toBe(true);
    expect(second.state.characteristic({ accessoryId, iid: '10' })?.value).toBe(33);
    expect(second.named('Lamp').reachable).toBe(true);
    const bell = second.named('Bell').id;
    expect(second.state.characteristic({ accessoryId: bell, iid: '9' })?.value).toBeNull();
    expect(second.state.pressesOf(bell).size).toBe(0);
    second.close();
  });

  it('does not put a value where a characteristic of another kind has taken its iid', () => {
    using directory = createTempDirectory('restart');
    const path = directory.file('relay.db');
    const first = createTestHome({ path });
    first.driver.attach(first.home.id, { deviceId: BRIDGE, name: 'B', setupCode: '', accessories: [lamp('Lamp')] });
    first.driver.event(BRIDGE, '1', '10', 33);
    first.close();
    const second = createTestHome({ path });
    const services = lamp().services.map((service) => ({
      ...service,
      characteristics: service.characteristics.map((one) =>
        one.iid === '10' ? { ...one, format: 'string' as const, value: 'x' } : one,
      ),
    }));
    second.registry.describe(second.home.id, BRIDGE, [{ ...lamp('Lamp'), services }]);
    expect(second.state.characteristic({ accessoryId: second.named('Lamp').id, iid: '10' })?.value).toBe('x');
    second.close();
  });

  it('writes values every half minute, each change once', async () => {
    const clock = new TestClock();
    const test = createTestHome({ clock });
    test.driver.attach(test.home.id, { deviceId: BRIDGE, name: 'B', setupCode: '', accessories: [lamp('Lamp')] });
    const stored = test.database.prepare('SELECT iid, value FROM last_values ORDER BY iid');
    for (let brightness = 1; brightness <= 50; brightness += 1) test.driver.event(BRIDGE, '1', '10', brightness);
    await clock.advance(29_999);
    expect(stored.all()).toEqual([]);
    await clock.advance(1);
    expect(stored.all()).toEqual([{ iid: '10', value: '50' }]);
    const writes = test.database.prepare('SELECT total_changes()').pluck();
    const before = writes.get();
    await clock.advance(600_000);
    expect(writes.get()).toBe(before);
    test.close();
  });

  it('keeps what could not be written for the next time', async () => {
    const clock = new TestClock();
    const test = createTestHome({ clock });
    test.driver.attach(test.home.id, { deviceId: BRIDGE, name: 'B', setupCode: '', accessories: [lamp('Lamp')] });
    test.driver.event(BRIDGE, '1', '9', true);
    test.database.pragma('query_only = ON');
    await clock.advance(30_000);
    test.database.pragma('query_only = OFF');
    await clock.advance(30_000);
    expect(test.database.prepare('SELECT value FROM last_values').pluck().all()).toEqual(['true']);
    test.close();
  });
});
