import { afterEach, describe, expect, it } from 'vitest';
import { toHome } from '../../../src/drivers/hap/to-home.ts';
import { parseAccessories } from '../../../src/drivers/hap/wire/accessory-database.ts';
import { SERVICE } from '../../../src/hap-spec/services.ts';
import { listRecorded, readRecorded } from '../../support/accessories/sample-databases.ts';
import { characteristic, information, plainSwitch, service } from '../../support/sample-accessories.ts';
import { systemCaller } from '../../support/test-home.ts';
import { openPublishedHome, type PublishedHome, publishedNamed } from './publication-fixture.ts';

const DEVICE = 'AA:BB:CC:DD:EE:01';
const LAMP = '10:00:00:00:00:01';

let home: PublishedHome;
afterEach(() => home?.close());

async function open(): Promise<PublishedHome> {
  home = await openPublishedHome();
  return home;
}

function content(bridge = 'Hearth') {
  return home.bridges.named(bridge).deps.content;
}

describe('the accessories of a bridge', () => {
  it('begins with the bridge itself, with its information first and the protocol’s version', async () => {
    await open();
    await home.publish();
    const [bridge] = content().accessories();
    expect(bridge?.aid).toBe('1');
    expect(bridge?.services.map(({ type, iid }) => [type, iid])).toEqual([
      [SERVICE.accessoryInformation, '1'],
      [SERVICE.protocolInformation, '8'],
    ]);
    const values = bridge?.services[0]?.characteristics.map(({ type, iid }) => [type, content().read('1', iid)]);
    expect(values).toContainEqual(['20', { ok: true, value: 'hearthd' }]);
    expect(values).toContainEqual(['21', { ok: true, value: 'hearthd bridge' }]);
    expect(values).toContainEqual(['23', { ok: true, value: 'Hearth' }]);
  });

  it('has every accessory of the home, with the name that it has there', async () => {
    await open();
    home.accessories.update(systemCaller, home.named('Lamp').id, { name: 'Ceiling' });
    await home.publish();
    expect(content().accessories()).toHaveLength(1 + home.state.accessories().length);
    expect(publishedNamed(home, 'Ceiling').read('23')).toEqual({ ok: true, value: 'Ceiling' });
  });

  it.each(listRecorded())('publishes %s with unique ids, ranges kept and links renumbered', async (name) => {
    await open();
    const accessories = toHome(parseAccessories(JSON.stringify({ accessories: readRecorded(name) })), {
      name: 'Recorded',
      category: 1,
    });
    home.driver.attach(home.home.id, { deviceId: DEVICE, name, setupCode: '031-45-160', accessories });
    await home.publish();
    for (const { aid, services } of content().accessories()) {
      const iids = services.flatMap(({ iid, characteristics }) => [iid, ...characteristics.map((one) => one.iid)]);
      expect(new Set(iids).size).toBe(iids.length);
      expect(services[0]?.iid).toBe('1');
      for (const { linked } of services) {
        for (const iid of linked) expect(services.map((one) => one.iid)).toContain(iid);
      }
      for (const one of services.flatMap(({ characteristics }) => characteristics)) {
        const read = content().read(aid, one.iid);
        if (!one.permissions.includes('pr')) expect(read).toEqual({ ok: false, status: -70405 });
        else if (read.ok && typeof read.value === 'number') {
          expect(read.value).toBeGreaterThanOrEqual(one.minValue ?? read.value);
          expect(read.value).toBeLessThanOrEqual(one.maxValue ?? read.value);
        }
      }
    }
    const published = home.state.accessoriesOf(DEVICE).map(({ name }) => name);
    const items = home.publications.preview(systemCaller, { kind: 'homekit', homeId: home.home.id }).items;
    for (const own of published) expect(items.map((item) => item.name)).toContain(own);
  });

  it('keeps what a characteristic declares', async () => {
    await open();
    await home.publish();
    const lamp = publishedNamed(home, 'Lamp');
    expect(lamp.characteristic('8')).toMatchObject({ format: 'int', unit: 'percentage', minValue: 0, maxValue: 100 });
    expect(lamp.services[1]).toMatchObject({ type: SERVICE.lightbulb, primary: true, hidden: false });
  });

  it('leaves out what came in from a hearthd bridge, and cameras without a stream, with the reason', async () => {
    await open();
    const own = service('1', '3E', [
      characteristic('2', '20', 'string', 'hearthd', {}, ['pr']),
      characteristic('3', '21', 'string', 'hearthd bridge', {}, ['pr']),
    ]);
    const accessories = [{ aid: '1', name: 'Other', category: 2, services: [own] }, plainSwitch('Looped', '2')];
    home.driver.attach(home.home.id, { deviceId: DEVICE, name: 'Other', setupCode: '031-45-160', accessories });
    const camera = {
      ...{ aid: '1', name: 'Camera', category: 17 },
      services: [information('Camera'), service('8', '110', [characteristic('9', '120', 'tlv8', '', {}, ['pr'])])],
    };
    home.driver.attach(home.home.id, {
      ...{ deviceId: 'AA:BB:CC:DD:EE:02', name: 'Camera', setupCode: '031-45-161' },
      accessories: [camera],
    });
    await home.publish();
    const { items } = home.publications.preview(systemCaller, { kind: 'homekit', homeId: home.home.id });
    const reasonOf = (name: string) => items.find((item) => item.name === name)?.reason;
    expect(reasonOf('Looped')).toBe('It comes from another hearthd, which publishes it itself.');
    expect(reasonOf('Camera')).toBe(
      'Its video can’t be published: a camera sends it only to the controller that it is paired with.',
    );
    expect(() => publishedNamed(home, 'Looped')).toThrow();
    expect(() => publishedNamed(home, 'Camera')).toThrow();
  });

  it('opens a server of its own for a camera, which answers viewers itself', async () => {
    await open();
    const stream = service('8', '110', [
      characteristic('9', '118', 'tlv8', 'state'),
      characteristic('10', '117', 'tlv8', ''),
      characteristic('11', '120', 'tlv8', 'idle', {}, ['pr', 'ev']),
    ]);
    const recording = service('20', '204', [characteristic('21', '205', 'tlv8', '', {}, ['pr'])]);
    const motion = service('30', '85', [characteristic('31', '22', 'bool', true, {}, ['pr', 'ev'])]);
    home.driver.attach(home.home.id, {
      ...{ deviceId: DEVICE, name: 'Camera', setupCode: '031-45-160' },
      accessories: [
        { aid: '1', name: 'Camera', category: 17, services: [information('Camera'), stream, recording, motion] },
      ],
    });
    const { bridges } = await home.publish();
    expect(bridges.map(({ name }) => name)).toEqual(['Hearth', 'Camera']);
    expect(home.bridges.named('Camera').deps.identity.category).toBe(17);
    const camera = publishedNamed(home, 'Camera', 'Camera');
    expect(camera.services.map(({ type }) => type)).toEqual(['3E', '110', '85', SERVICE.protocolInformation]);
    expect([camera.read('118'), camera.read('120')]).toEqual([
      { ok: true, value: '' },
      { ok: true, value: 'idle' },
    ]);
    expect([await camera.write('118', 'abc'), await camera.write('118', 7)]).toEqual([0, -70410]);
    expect(camera.read('118')).toEqual({ ok: true, value: '9 cba' });
    // It has the keys of the stream.
    expect(camera.read('118', 0, 'another controller')).toEqual({ ok: true, value: '' });
    const picture = (aid?: string) => content('Camera').picture('phone', aid, { width: 4, height: 3 });
    expect(await Promise.all([picture(), picture('1')])).toEqual([
      Buffer.from(`${DEVICE} 4×3`),
      Buffer.from(`${DEVICE} 4×3`),
    ]);
    expect([await picture('2'), await content().picture('phone', undefined, { width: 4, height: 3 })]).toEqual([
      -70409, -70409,
    ]);
    home.driver.setReachable(DEVICE, false);
    expect([await picture(), await camera.write('118', 'abc')]).toEqual([-70402, -70402]);
    const { items } = home.publications.preview(systemCaller, { kind: 'homekit', homeId: home.home.id });
    expect(items.find((item) => item.name === 'Camera')).toMatchObject({ publishedAs: 'camera', reason: null });
  });

  it('opens a server of its own for a television', async () => {
    await open();
    const television = {
      ...{ aid: '1', name: 'TV', category: 31 },
      services: [information('TV'), service('8', 'D8', [characteristic('9', 'B0', 'uint8', 1)], { primary: true })],
    };
    home.driver.attach(home.home.id, {
      deviceId: DEVICE,
      name: 'TV',
      setupCode: '031-45-160',
      accessories: [television],
    });
    const { bridges } = await home.publish();
    expect(bridges.map(({ name }) => name)).toEqual(['Hearth', 'TV']);
    expect(home.bridges.named('TV').deps.identity.category).toBe(31);
    expect(publishedNamed(home, 'TV', 'TV').aid).toBe('1');
    expect(content('TV').accessories()[0]?.services.at(-1)?.type).toBe(SERVICE.protocolInformation);
  });

  it('does not publish what stands alone at another hearthd', async () => {
    await open();
    const services = [information('TV'), service('8', 'D8', [characteristic('9', 'B0', 'uint8', 1)])];
    const television = { aid: '1', name: 'TV', category: 31, services };
    const attach = (deviceId: string, accessories: (typeof television)[]) =>
      home.driver.attach(home.home.id, { deviceId, name: 'TV', setupCode: '031-45-160', accessories });
    attach(DEVICE, [television]);
    await home.publish();
    const [published] = content('TV').accessories();
    if (!published) throw new Error('It is not published');
    // As another relay reads it.
    const read = published.services.map((one) => ({
      ...one,
      characteristics: one.characteristics.map((each) => {
        const value = content('TV').read('1', each.iid);
        return { ...each, value: value.ok ? value.value : null };
      }),
    }));
    attach('AA:BB:CC:DD:EE:02', [{ ...television, name: 'TV There', services: read }]);
    for (const kind of ['homekit', 'matter'] as const) {
      const { items } = home.publications.preview(systemCaller, { kind, homeId: home.home.id });
      const reason = 'It comes from another hearthd, which publishes it itself.';
      expect(items.find((item) => item.name === 'TV There')?.reason).toBe(reason);
    }
  });
});

describe('values', () => {
  it('are those of the home, and −70402 for what can’t be reached, alone', async () => {
    await open();
    await home.publish();
    expect(publishedNamed(home, 'Lamp').read('8')).toEqual({ ok: true, value: 50 });
    home.driver.setReachable(LAMP, false);
    expect(publishedNamed(home, 'Lamp').read('8')).toEqual({ ok: false, status: -70402 });
    expect(publishedNamed(home, 'Lamp').read('20')).toEqual({ ok: true, value: 'Hearth Fixtures' });
    expect(publishedNamed(home, 'Thermostat').read('11')).toEqual({ ok: true, value: 20.5 });
  });

  it('are valid where the device reported none, or one outside its range', async () => {
    await open();
    const accessory = {
      ...{ aid: '1', name: 'Odd', category: 1 },
      services: [
        information('Odd'),
        service('8', '43', [
          characteristic('9', '25', 'bool', null),
          characteristic('10', 'CE', 'int', null, { minValue: 153, maxValue: 500 }),
          characteristic('11', '8', 'int', 250, { minValue: 0, maxValue: 100 }),
        ]),
      ],
    };
    home.driver.attach(home.home.id, {
      deviceId: DEVICE,
      name: 'Odd',
      setupCode: '031-45-160',
      accessories: [accessory],
    });
    await home.publish();
    const odd = publishedNamed(home, 'Odd');
    expect(['25', 'CE', '8'].map((type) => odd.read(type))).toEqual([
      { ok: true, value: false },
      { ok: true, value: 153 },
      { ok: true, value: 100 },
    ]);
  });

  it('go to controllers in the turn in which they change', async () => {
    await open();
    await home.publish();
    const { sent } = home.bridges.named('Hearth');
    const lamp = publishedNamed(home, 'Lamp');
    home.driver.event(LAMP, '1', '10', 70);
    expect(sent).toEqual([{ aid: lamp.aid, iid: lamp.characteristic('8').iid, value: 70 }]);
    home.driver.event(LAMP, '1', '10', 70);
    expect(sent).toHaveLength(1);
    home.driver.event('10:00:00:00:00:05', '1', '9', 1);
    home.driver.event('10:00:00:00:00:05', '1', '9', 1);
    expect(sent.slice(1).map(({ value }) => value)).toEqual([1, 1]);
  });
});

describe('writes', () => {
  it('go to the devices in one request, and get one status each', async () => {
    await open();
    await home.publish();
    const lamp = publishedNamed(home, 'Lamp');
    const door = publishedNamed(home, 'Front Door');
    const write = (of: typeof lamp, type: string, value: unknown) => {
      return { aid: of.aid, iid: of.characteristic(type).iid, value };
    };
    home.driver.writes.length = 0;
    const statuses = await content().write('phone', [
      write(lamp, '25', 1),
      write(lamp, '8', 40),
      write(door, '1E', 7),
      write(door, '1D', 1),
      { aid: '999', iid: '1', value: 1 },
    ]);
    expect(statuses).toEqual([0, 0, -70410, -70404, -70409]);
    expect(home.driver.writes).toHaveLength(1);
    home.driver.setReachable(LAMP, false);
    expect(await lamp.write('25', true)).toBe(-70402);
  });

  it('identify an accessory', async () => {
    await open();
    await home.publish();
    expect(await publishedNamed(home, 'Lamp').write('14', true)).toBe(0);
    await content().identify(publishedNamed(home, 'Lamp').aid);
    await content().identify('1');
    expect(home.driver.identified.map(({ source }) => source)).toEqual([LAMP, LAMP]);
  });
});

describe('what only this home has', () => {
  it('publishes virtual switches, timers and modes, and gives the reason for others', async () => {
    await open();
    const add = (name: string, type: string, more: object = {}) =>
      home.virtuals.create(systemCaller, { homeId: home.home.id, name, type, ...more });
    add('Guests', 'switch');
    add('Eggs', 'timer');
    add('Mode', 'mode', { options: ['Home', 'Away'] });
    add('Count', 'counter');
    add('Many', 'mode', { options: Array.from({ length: 21 }, (_, index) => `Option ${index}`) });
    await home.publish();
    expect(await publishedNamed(home, 'Guests').write('25', true)).toBe(0);
    expect(publishedNamed(home, 'Guests').read('25')).toEqual({ ok: true, value: true });
    expect(await publishedNamed(home, 'Eggs').write('25', true)).toBe(0);
    expect(publishedNamed(home, 'Eggs').read('25')).toEqual({ ok: true, value: true });
    const mode = publishedNamed(home, 'Mode');
    expect([mode.read('25', 0), mode.read('25', 1)].map((read) => read.ok && read.value)).toEqual([true, false]);
    const { sent } = home.bridges.named('Hearth');
    sent.length = 0;
    expect(await mode.write('25', true, 1)).toBe(0);
    expect(sent.map(({ value }) => value).sort()).toEqual([false, true]);
    expect(await mode.write('25', false, 1)).toBe(0);
    expect(mode.read('25', 1)).toEqual({ ok: true, value: true });
    const { items } = home.publications.preview(systemCaller, { kind: 'homekit', homeId: home.home.id });
    const reasonOf = (name: string) => items.find((item) => item.name === name)?.reason;
    expect(reasonOf('Count')).toBe('Apple Home has nothing for a counter.');
    expect(reasonOf('Many')).toBe('It has more than 20 options, each of which would be a switch.');
  });

  it('publishes a group as one accessory and a scene as a switch that goes off again', async () => {
    await open();
    home.driver.attach(home.home.id, {
      ...{ deviceId: DEVICE, name: 'Plug', setupCode: '031-45-160' },
      accessories: [plainSwitch('Plug')],
    });
    const accessoryIds = [home.named('Heater').id, home.named('Plug').id];
    const group = home.serviceGroups.create(systemCaller, { homeId: home.home.id, name: 'All', accessoryIds });
    const scene = home.scenes.create(systemCaller, {
      ...{ homeId: home.home.id, name: 'Evening' },
      actions: [{ accessoryId: home.named('Lamp').id, characteristicType: 'on', targetValue: true }],
    } as never);
    await home.publish({
      selection: { scope: 'selected', serviceGroupIds: [group.id], sceneIds: [scene.id] },
    });
    expect(content().accessories()).toHaveLength(3);
    const { sent } = home.bridges.named('Hearth');
    home.driver.event(DEVICE, '1', '9', true);
    expect(sent).toHaveLength(1);
    expect(publishedNamed(home, 'All').read('25')).toEqual({ ok: true, value: true });
    expect(await publishedNamed(home, 'All').write('25', 0)).toBe(0);
    expect(publishedNamed(home, 'All').read('25')).toEqual({ ok: true, value: false });
    expect(await publishedNamed(home, 'Evening').write('25', true)).toBe(0);
    expect(publishedNamed(home, 'Evening').read('25')).toEqual({ ok: true, value: true });
    await home.clock.advance(1_000);
    expect(publishedNamed(home, 'Evening').read('25')).toEqual({ ok: true, value: false });
    expect(sent.at(-1)?.value).toBe(false);
  });
});
