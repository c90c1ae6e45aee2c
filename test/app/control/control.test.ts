import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FailureReason } from '../../../src/home/accessory-driver.ts';
import { plainSwitch, thermostat } from '../../support/sample-accessories.ts';
import { callerOf, createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';

const code = (expected: string, message?: string) =>
  expect.objectContaining(message === undefined ? { code: expected } : { code: expected, message });

describe('control', () => {
  let test: TestHome;

  beforeEach(() => {
    test = createTestHome({ sample: true });
  });

  afterEach(() => test.close());

  const set = (name: string, settings: Record<string, unknown>, caller = systemCaller) =>
    test.control.setProperties(caller, [{ accessoryId: test.named(name).id, settings }]);
  const shown = (name: string, iid: string) =>
    test.state.characteristic({ accessoryId: test.named(name).id, iid })?.value;

  describe('setting properties', () => {
    it('sends all settings of a request to the driver at once, in order', async () => {
      const outcomes = await test.control.setProperties(systemCaller, [
        { accessoryId: test.named('Lamp').id, settings: { on: true, brightness: 80 } },
        { accessoryId: test.named('Kettle').id.toUpperCase(), settings: { on: 'on' } },
      ]);
      expect(test.driver.writes).toEqual([
        [
          { address: { source: '10:00:00:00:00:01', aid: '1' }, iid: '9', value: true },
          { address: { source: '10:00:00:00:00:01', aid: '1' }, iid: '10', value: 80 },
          { address: { source: '10:00:00:00:00:06', aid: '18168078900403521793' }, iid: '9', value: true },
        ],
      ]);
      expect(outcomes).toEqual([
        {
          accessoryId: test.named('Lamp').id,
          settings: [
            { property: 'on', ok: true, value: true },
            { property: 'brightness', ok: true, value: 80 },
          ],
        },
        { accessoryId: test.named('Kettle').id.toUpperCase(), settings: [{ property: 'on', ok: true, value: true }] },
      ]);
    });

    it('shows a confirmed write at once, as one change by us', async () => {
      const changes: unknown[] = [];
      test.bus.on('state.changed', ({ value, previous, origin }) => changes.push({ value, previous, origin }));
      await set('Lamp', { on: true });
      expect(shown('Lamp', '9')).toBe(true);
      expect(changes).toEqual([{ value: true, previous: false, origin: 'write' }]);
    });

    it('shows nothing before the device has confirmed', async () => {
      test.driver.writeDelayMs = 1_000;
      const pending = set('Lamp', { on: true });
      expect(shown('Lamp', '9')).toBe(false);
      await test.clock.advance(1_000);
      await pending;
      expect(shown('Lamp', '9')).toBe(true);
    });

    it('does not undo what the device reported after it had confirmed', async () => {
      test.driver.scriptWrites(({ address, value }) => {
        queueMicrotask(() => test.driver.event(address.source, address.aid, '9', false));
        return { value };
      });
      await set('Lamp', { on: true });
      await test.clock.advance(0);
      expect(shown('Lamp', '9')).toBe(false);
    });

    it('answers with the value that the device made of it', async () => {
      test.driver.scriptWrites(() => ({ value: 42 }));
      const [outcome] = await set('Lamp', { brightness: 40 });
      expect(outcome?.settings).toEqual([{ property: 'brightness', ok: true, value: 42 }]);
      expect(shown('Lamp', '10')).toBe(42);
    });

    it('refuses bad settings before anything is sent, and loses none of the good ones', async () => {
      const outcomes = await test.control.setProperties(systemCaller, [
        { accessoryId: test.named('Lamp').id, settings: { brightness: 500, on: true, colour: 'red' } },
        { accessoryId: 'no-such-accessory', settings: { on: true } },
        { accessoryId: test.named('Motion').id, settings: { motion: true } },
        { accessoryId: test.named('Kettle').id, settings: {} },
      ]);
      expect(outcomes.map(({ settings }) => settings.map((one) => (one.ok ? 'ok' : one.code)))).toEqual([
        ['invalid_value', 'ok', 'characteristic_not_found'],
        ['accessory_not_found'],
        ['characteristic_not_writable'],
        [],
      ]);
      expect(test.driver.writes.flat().map(({ iid }) => iid)).toEqual(['9']);
    });

    it('does not bother the driver when nothing is left to send', async () => {
      await set('Lamp', { brightness: 'bright' });
      expect(await test.control.setProperties(systemCaller, [])).toEqual([]);
      expect(test.driver.writes).toEqual([]);
    });

    it('sends the last of several settings that mean one characteristic, and its outcome stands for all', async () => {
      const lamp = test.named('Lamp').id;
      const outcomes = await test.control.setProperties(systemCaller, [
        { accessoryId: lamp, settings: { on: true, brightness: 10, power_state: false } },
        { accessoryId: lamp, settings: { brightness: 30 } },
      ]);
      expect(test.driver.writes.flat().map(({ iid, value }) => [iid, value])).toEqual([
        ['9', false],
        ['10', 30],
      ]);
      expect(outcomes.flatMap(({ settings }) => settings.map((one) => one.ok && one.value))).toEqual([
        false,
        30,
        false,
        30,
      ]);
    });

    it.each([
      [{ active: true, hvac_mode: 'cool' }, 2],
      [{ hvac_mode: 'cool', active: true }, 2],
      [{ hvac_mode: 'cool', ACTIVE: 'on' }, 2],
      [{ hvac_mode: 'cool', active: false }, 0],
      [{ active: false, hvac_mode: 'cool' }, 0],
      [{ active: true, hvac_mode: 'off' }, 0],
      [{ hvac_mode: 'off', active: true }, 0],
      [{ 'public.hap.characteristic.on': false, hvac_mode: 'cool' }, 0],
      [{ powerState: '0', 'public.hap.characteristic.heating-cooling.target': 2 }, 0],
      [{ hvac_mode: 'cool', '00000025-0000-1000-8000-0026bb765291': true }, 2],
    ])('lets a thermostat’s mode stand beside being switched on: %j', async (settings, mode) => {
      await set('Thermostat', settings);
      expect(test.driver.writes.flat().map(({ iid, value }) => [iid, value])).toEqual([['12', mode]]);
    });

    it('takes a mode that comes after switching off in a request of its own', async () => {
      const accessoryId = test.named('Thermostat').id;
      await test.control.setProperties(systemCaller, [
        { accessoryId, settings: { active: false } },
        { accessoryId, settings: { hvac_mode: 'cool' } },
        { accessoryId, settings: { active: true } },
      ]);
      expect(test.driver.writes.flat().map(({ iid, value }) => [iid, value])).toEqual([['12', 2]]);
    });

    it('switches on what a request before it switched off by its mode', async () => {
      const accessoryId = test.named('Thermostat').id;
      test.driver.event('10:00:00:00:00:02', '1', '12', 1);
      await test.control.setProperties(systemCaller, [
        { accessoryId, settings: { hvac_mode: 'off' } },
        { accessoryId, settings: { active: true } },
      ]);
      expect(test.driver.writes.flat().map(({ iid, value }) => [iid, value])).toEqual([['12', 1]]);
    });

    const reasons: [FailureReason, string, string][] = [
      ['unreachable', 'accessory_unreachable', 'Accessory unreachable'],
      ['busy', 'accessory_error', 'The accessory is busy; try again in a moment'],
      ['read_only', 'characteristic_not_writable', 'Characteristic not writable'],
      ['invalid_value', 'invalid_value', 'Invalid value: the accessory refused it'],
      ['not_found', 'characteristic_not_found', 'The accessory does not know this characteristic'],
      [
        'not_authorized',
        'accessory_error',
        'The accessory did not authorize this: The fake device says not_authorized.',
      ],
      ['device_error', 'accessory_error', 'The accessory reported an error: The fake device says device_error.'],
    ];

    it.each(reasons)('reports a refusal for %s as %s', async (reason, expected, message) => {
      test.driver.scriptWrites(({ iid, value }) => (iid === '9' ? reason : { value }));
      const [outcome] = await set('Lamp', { on: true, brightness: 12 });
      expect(outcome?.settings).toEqual([
        { property: 'on', ok: false, code: expected, message },
        { property: 'brightness', ok: true, value: 12 },
      ]);
      expect(shown('Lamp', '9')).toBe(false);
      const single = { accessoryId: test.named('Lamp').id, characteristicType: 'on', value: true };
      await expect(test.control.setCharacteristic(systemCaller, single)).rejects.toThrow(code(expected, message));
    });

    it('keeps to who may: viewers are refused, strangers find nothing', async () => {
      const answers = async (caller: typeof systemCaller) => {
        const [outcome] = await set('Lamp', { on: true }, caller);
        return outcome?.settings.map((one) => (one.ok ? 'ok' : one.message));
      };
      expect(await answers(tokenCaller({ [test.home.id]: 'control' }))).toEqual(['ok']);
      expect(await answers(tokenCaller({ [test.home.id]: 'view' }))).toEqual(['Insufficient permissions']);
      expect(await answers(tokenCaller({ elsewhere: 'control' }))).toEqual(['Accessory not found']);
      expect(test.driver.writes).toHaveLength(1);
    });

    it('lets a share link switch what it shares and nothing else', async () => {
      const share = callerOf({
        kind: 'share_link',
        shareHash: 'hash',
        homeIds: new Set([test.home.id]),
        role: 'control',
        accessoryIds: new Set([test.named('Lamp').id]),
      });
      expect((await set('Lamp', { on: true }, share))[0]?.settings[0]?.ok).toBe(true);
      expect((await set('Kettle', { on: true }, share))[0]?.settings[0]).toMatchObject({ code: 'accessory_not_found' });
      expect(test.control.listAccessories(share).map(({ name }) => name)).toEqual(['Lamp']);
      expect(() => test.control.listAccessories(share, { homeId: test.home.id })).toThrow(code('home_not_found'));
    });

    it.each([
      ['paused', () => test.homes.update(systemCaller, test.home.id, { paused: true })],
      ['not connected yet', () => test.registry.setConnected(test.home.id, false)],
    ])('returns "Relay not connected" while the home is %s', async (_, stop) => {
      stop();
      const refused = code('relay_not_connected', 'Relay not connected');
      expect((await set('Lamp', { on: true }))[0]?.settings).toEqual([
        { property: 'on', ok: false, code: 'relay_not_connected', message: 'Relay not connected' },
      ]);
      const accessoryId = test.named('Lamp').id;
      await expect(
        test.control.setCharacteristic(systemCaller, { accessoryId, characteristicType: 'on', value: true }),
      ).rejects.toThrow(refused);
      await expect(test.control.identify(systemCaller, accessoryId)).rejects.toThrow(refused);
      expect(test.control.getAccessory(systemCaller, accessoryId).name).toBe('Lamp');
      expect(test.driver.writes).toEqual([]);
    });

    it('returns "Accessory unreachable" for one that has vanished', async () => {
      const { id } = test.named('Kettle');
      test.driver.describe('10:00:00:00:00:06', [plainSwitch('Heater', '2')]);
      const [outcome] = await test.control.setProperties(systemCaller, [{ accessoryId: id, settings: { on: true } }]);
      expect(outcome?.settings).toEqual([
        { property: 'on', ok: false, code: 'accessory_unreachable', message: 'Accessory unreachable' },
      ]);
    });

    it('gives every setting an outcome in its place, for every input', async () => {
      const names = ['Lamp', 'Kettle', 'Thermostat', 'Front Door', 'nobody'];
      const property = fc.constantFrom('on', 'brightness', 'active', 'lock_target', 'hvac_mode', 'target_temp', 'x');
      const item = fc.record({ name: fc.constantFrom(...names), settings: fc.dictionary(property, fc.jsonValue()) });
      await fc.assert(
        fc.asyncProperty(fc.array(item, { maxLength: 8 }), async (items) => {
          test.driver.writes.length = 0;
          const outcomes = await test.control.setProperties(
            systemCaller,
            items.map(({ name, settings }) => ({
              accessoryId: test.state.accessories().find((one) => one.name === name)?.id ?? name,
              settings,
            })),
          );
          expect(outcomes.map(({ settings }) => settings.map((one) => one.property))).toEqual(
            items.map(({ settings }) => Object.keys(settings)),
          );
          const sent = test.driver.writes.flat().map(({ address, iid }) => `${address.source} ${address.aid} ${iid}`);
          expect(test.driver.writes.length).toBeLessThanOrEqual(1);
          expect(new Set(sent).size).toBe(sent.length);
        }),
        { numRuns: 200 },
      );
    });
  });

  describe('one characteristic', () => {
    const lampId = () => test.named('Lamp').id;

    it.each(['brightness', 'public.hap.characteristic.brightness', '8', '00000008-0000-1000-8000-0026BB765291'])(
      'is read and written as %s',
      async (characteristicType) => {
        const address = { accessoryId: lampId(), characteristicType };
        expect(await test.control.setCharacteristic(systemCaller, { ...address, value: '70' })).toEqual({ value: 70 });
        expect(test.control.getCharacteristic(systemCaller, address)).toMatchObject({ iid: '10', value: 70 });
      },
    );

    it('is found in the service that is named', async () => {
      const strip = plainSwitch('Strip');
      const second = strip.services[1];
      if (!second) throw new Error('The sample switch has two services');
      const services = [
        ...strip.services,
        { ...second, iid: '20', characteristics: second.characteristics.map((one) => ({ ...one, iid: '21' })) },
      ];
      const device = {
        deviceId: 'AA:00:00:00:00:01',
        name: 'Strip',
        setupCode: '',
        accessories: [{ ...strip, services }],
      };
      test.driver.attach(test.home.id, device);
      const accessoryId = test.named('Strip').id;
      const write = { accessoryId, characteristicType: 'on', serviceIid: '20', value: true };
      await test.control.setCharacteristic(systemCaller, write);
      expect(test.driver.writes.flat().map(({ iid }) => iid)).toEqual(['21']);
      const found = (characteristicType: string, serviceIid?: string) =>
        test.control.getCharacteristic(systemCaller, { accessoryId, characteristicType, serviceIid }).iid;
      expect([found('on'), found('on_2'), found('power_state'), found('power_state_2')]).toEqual([
        '9',
        '21',
        '9',
        '21',
      ]);
      expect([found('on', '20'), found('on_2', '8')]).toEqual(['21', '9']);
      expect(() => found('power_state_3')).toThrow(code('characteristic_not_found'));
    });

    it.each([
      ['colour', 1, 'characteristic_not_found'],
      ['brightness', 101, 'invalid_value'],
      ['brightness', 'full', 'invalid_value'],
      ['model', 'X', 'characteristic_not_writable'],
    ])('is refused as %s = %j with %s', async (characteristicType, value, expected) => {
      const write = test.control.setCharacteristic(systemCaller, { accessoryId: lampId(), characteristicType, value });
      await expect(write).rejects.toThrow(code(expected));
      expect(test.driver.writes).toEqual([]);
    });

    it('is read by viewers, written by none of them, and hidden from strangers', async () => {
      const address = { accessoryId: lampId(), characteristicType: 'on' };
      const viewer = tokenCaller({ [test.home.id]: 'view' });
      const stranger = tokenCaller({ elsewhere: 'control' });
      expect(test.control.getCharacteristic(viewer, address).value).toBe(false);
      await expect(test.control.setCharacteristic(viewer, { ...address, value: true })).rejects.toThrow(
        code('insufficient_permissions'),
      );
      expect(() => test.control.getCharacteristic(stranger, address)).toThrow(code('accessory_not_found'));
      await expect(test.control.setCharacteristic(stranger, { ...address, value: true })).rejects.toThrow(
        code('accessory_not_found'),
      );
    });
  });

  describe('writing characteristics', () => {
    const write = (name: string, characteristicType: string, value: unknown, serviceIid?: string) => ({
      accessoryId: test.named(name).id,
      characteristicType,
      serviceIid,
      value,
    });

    it('sends those of any number of accessories to the driver at once, in order, each with an outcome', async () => {
      const writes = [
        write('Thermostat', 'public.hap.characteristic.heating-cooling.target', 2),
        write('Lamp', 'brightness', '40'),
        write('Thermostat', 'target_temp', 19),
        write('Kettle', 'on', 'perhaps'),
        write('Lamp', 'colour', 1),
        { accessoryId: 'nothing', characteristicType: 'on', value: true },
        write('Lamp', 'on', true, '8'),
      ];
      const outcomes = await test.control.writeCharacteristics(systemCaller, writes);
      expect(test.driver.writes.map((batch) => batch.map(({ iid, value }) => [iid, value]))).toEqual([
        [
          ['12', 2],
          ['10', 40],
          ['10', 19],
          ['9', true],
        ],
      ]);
      const reported = outcomes.map((outcome) => (outcome.ok ? outcome.value : outcome.code));
      expect(reported).toEqual([2, 40, 19, 'invalid_value', 'characteristic_not_found', 'accessory_not_found', true]);
      expect(outcomes.map(({ accessoryId, characteristicType }) => [accessoryId, characteristicType])).toEqual(
        writes.map(({ accessoryId, characteristicType }) => [accessoryId, characteristicType]),
      );
    });

    it('takes the words of properties, and the numbers of services that have the same', async () => {
      const strip = plainSwitch('Strip');
      const [information, first] = strip.services;
      if (!information || !first) throw new Error('The sample switch has two services');
      const second = { ...first, iid: '20', characteristics: [{ ...first.characteristics[0], iid: '21' }] };
      const services = [information, first, second as typeof first];
      const device = { deviceId: 'AA:00:00:00:00:01', name: 'Strip', setupCode: '031-45-154' };
      test.driver.attach(test.home.id, { ...device, accessories: [{ ...strip, services }] });
      const outcomes = await test.control.writeCharacteristics(systemCaller, [
        write('Thermostat', 'hvac_mode', 'cool'),
        write('Strip', 'power_state_2', true),
        write('Strip', 'on_2', false, '8'),
      ]);
      expect(outcomes.map((outcome) => outcome.ok)).toEqual([true, true, true]);
      expect(test.driver.writes.flat().map(({ iid, value }) => [iid, value])).toEqual([
        ['12', 2],
        ['21', true],
        ['9', false],
      ]);
    });

    it('sends the last of several for one characteristic, and its outcome stands for all', async () => {
      const outcomes = await test.control.writeCharacteristics(systemCaller, [
        write('Lamp', 'brightness', 10),
        write('Lamp', '8', 20),
      ]);
      expect(test.driver.writes.flat().map(({ value }) => value)).toEqual([20]);
      expect(outcomes.map((outcome) => outcome.ok && outcome.value)).toEqual([20, 20]);
    });

    it('asks no driver where there is nothing to send', async () => {
      expect(await test.control.writeCharacteristics(systemCaller, [])).toEqual([]);
      const viewer = tokenCaller({ [test.home.id]: 'view' });
      const [outcome] = await test.control.writeCharacteristics(viewer, [write('Lamp', 'on', true)]);
      expect(outcome).toMatchObject({ ok: false, code: 'insufficient_permissions' });
      expect(test.driver.writes).toEqual([]);
    });
  });

  describe('listing accessories', () => {
    const names = (filter = {}, caller = systemCaller) =>
      test.control.listAccessories(caller, filter).map(({ name }) => name);

    it('shows all, by name', () => {
      expect(names()).toEqual(['Button', 'Front Door', 'Heater', 'Kettle', 'Lamp', 'Motion', 'Thermostat']);
    });

    it('filters by home, room, type and a part of the name, all at once', () => {
      const roomId = test.named('Lamp').roomId;
      expect(names({ roomId })).toEqual(['Lamp', 'Motion', 'Thermostat']);
      expect(names({ roomId: roomId.toUpperCase(), name: 'MO' })).toEqual(['Motion', 'Thermostat']);
      expect(names({ type: 'switch' })).toEqual(['Heater', 'Kettle']);
      expect(names({ type: 'lightbulb' })).toEqual(['Lamp']);
      expect(names({ homeId: test.home.id, type: 'climate' })).toEqual(['Thermostat']);
      const cottage = test.homes.create(systemCaller, { name: 'Cottage' });
      expect(names({ homeId: cottage.id })).toEqual([]);
      expect(names({ homeId: cottage.id, roomId })).toEqual([]);
    });

    it('does not know homes and rooms that the caller can’t see', () => {
      const cottage = test.homes.create(systemCaller, { name: 'Cottage' });
      const [room] = test.state.rooms(cottage.id);
      const caller = tokenCaller({ [test.home.id]: 'view' });
      for (const homeId of [cottage.id, 'no-such-home'])
        expect(() => names({ homeId }, caller)).toThrow(code('home_not_found'));
      for (const roomId of [room?.id, 'no-such-room'])
        expect(() => names({ roomId }, caller)).toThrow(code('room_not_found'));
      expect(names({}, caller)).toHaveLength(7);
      expect(names({}, tokenCaller({ [cottage.id]: 'control' }))).toEqual([]);
    });

    it('gets one by id, in upper or lower case', () => {
      const { id } = test.named('Lamp');
      expect(test.control.getAccessory(systemCaller, id.toUpperCase()).id).toBe(id);
      expect(() => test.control.getAccessory(systemCaller, 'no-such-accessory')).toThrow(code('accessory_not_found'));
      expect(() => test.control.getAccessory(tokenCaller({ elsewhere: 'view' }), id)).toThrow(
        code('accessory_not_found', 'Accessory not found'),
      );
    });
  });

  it('makes an accessory identify itself for callers who may control it', async () => {
    const { id, address } = test.named('Lamp');
    await test.control.identify(tokenCaller({ [test.home.id]: 'control' }), id);
    expect(test.driver.identified).toEqual([address]);
    await expect(test.control.identify(tokenCaller({ [test.home.id]: 'view' }), id)).rejects.toThrow(
      code('insufficient_permissions'),
    );
    test.driver.setReachable(address.source, false);
    await expect(test.control.identify(systemCaller, id)).rejects.toThrow(code('accessory_unreachable'));
  });

  it('switches a thermostat on into a mode that it has', async () => {
    test.driver.describe('10:00:00:00:00:02', [thermostat()]);
    test.driver.event('10:00:00:00:00:02', '1', '12', 0);
    await set('Thermostat', { active: true });
    expect(shown('Thermostat', '12')).not.toBe(0);
  });
});
