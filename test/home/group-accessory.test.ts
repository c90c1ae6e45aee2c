import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HomeEvents } from '../../src/home/events.ts';
import { asAccessory, groupKindOf, membersOf } from '../../src/home/group-accessory.ts';
import { HomeState } from '../../src/home/home-state.ts';
import type { Accessory, Characteristic, Service, ServiceGroup, ServiceGroupKind } from '../../src/home/model.ts';
import { deviceType } from '../../src/home/vocabulary/device-types.ts';
import { simplify } from '../../src/home/vocabulary/simplify.ts';
import { EventBus } from '../../src/kernel/event-bus.ts';
import { TestClock } from '../support/test-clock.ts';
import { accessory, characteristic, recordedDatabases, service } from './vocabulary/builders.ts';

const HOME_ID = accessory([]).homeId;

/** An accessory of its own for each service. */
function groupOf(services: readonly Service[], kind: ServiceGroupKind = 'light') {
  const clock = new TestClock();
  const state = new HomeState(new EventBus<HomeEvents>(), clock);
  const accessories = services.map((one, index) =>
    accessory([one], {
      id: `5c0d2c7e-6f1c-5b0e-9d7a-00000000${String(index).padStart(4, '0')}`,
      name: `Member ${index + 1}`,
      roomId: `room-${index}`,
      address: { source: 'AA:BB:CC:DD:EE:FF', aid: String(index + 1) },
    }),
  );
  state.putAccessories(accessories);
  const group: ServiceGroup = {
    id: '7b1d2c7e-6f1c-4b0e-9d7a-0242ac12ffff',
    homeId: HOME_ID,
    name: 'Group',
    kind,
    members: accessories.map(({ id }, index) => ({ accessoryId: id, serviceIid: services[index]?.iid ?? '' })),
    icon: null,
    createdAt: 1,
  };
  return { state, group, accessories, clock };
}

function shown(services: readonly Service[], kind: ServiceGroupKind = 'light') {
  const { state, group } = groupOf(services, kind);
  return simplify(asAccessory(group, state) as Accessory, new Map());
}

interface Lamp {
  readonly on: boolean | null;
  readonly brightness?: number | null;
  readonly colorTemp?: number;
}

function lamp({ on, brightness, colorTemp }: Lamp): Service {
  return service('lightbulb', [
    characteristic('25', { value: on }),
    ...(brightness === undefined ? [] : [characteristic('8', { value: brightness })]),
    ...(colorTemp === undefined ? [] : [characteristic('CE', { value: colorTemp })]),
  ]);
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

const anyLamp: fc.Arbitrary<Lamp> = fc.record(
  {
    on: fc.option(fc.boolean()),
    brightness: fc.option(fc.integer({ min: 0, max: 100 })),
    colorTemp: fc.integer({ min: 140, max: 500 }),
  },
  { requiredKeys: ['on'] },
);

describe('a service group as an accessory', () => {
  it('is on if any member is, and its numbers are the mean over the members that are on, else over all', () => {
    fc.assert(
      fc.property(fc.array(anyLamp, { minLength: 1, maxLength: 12 }), (lamps) => {
        const { type, properties } = shown(lamps.map(lamp));
        const running = lamps.filter(({ on }) => on === true);
        const meanOf = (pick: (lamp: Lamp) => number | null | undefined): number | undefined => {
          const of = (some: readonly Lamp[]): number[] => some.flatMap((one) => pick(one) ?? []);
          const numbers = of(running).length > 0 ? of(running) : of(lamps);
          return numbers.length > 0 ? Math.round(mean(numbers)) : undefined;
        };
        expect(type).toBe('light');
        expect(properties.on).toBe(lamps.every(({ on }) => on === null) ? undefined : running.length > 0);
        expect(properties.brightness).toBe(meanOf(({ brightness }) => brightness));
        expect(properties.color_temp).toBe(meanOf(({ colorTemp }) => colorTemp));
      }),
      { numRuns: 1_000 },
    );
  });

  it('has blinds at the mean of all: they have no power', () => {
    const blind = (position: number) => service('window_covering', [characteristic('7C', { value: position })]);
    expect(shown([blind(0), blind(100), blind(50)], 'blind')).toEqual({
      type: 'blind',
      properties: { target: 50 },
      settable: ['target'],
    });
  });

  it('rounds to the step of its members', () => {
    const dimmer = (value: number) =>
      service('lightbulb', [
        characteristic('25', { value: true }),
        characteristic('8', { value, minValue: 0, maxValue: 100, minStep: 5 }),
      ]);
    expect(shown([dimmer(10), dimmer(15), dimmer(15)]).properties.brightness).toBe(15);
    const cooler = (value: number) => service('lightbulb', [characteristic('CE', { value, minStep: 10 })]);
    expect(shown([cooler(150), cooler(160), cooler(160)]).properties.color_temp).toBe(160);
  });

  it('takes the mean of hues around the circle, and something useful for opposite ones', () => {
    const hue = (value: number) => service('lightbulb', [characteristic('13', { value })]);
    expect(shown([hue(350), hue(20)]).properties.hue).toBe(5);
    expect(shown([hue(340), hue(10)]).properties.hue).toBe(355);
    expect(shown([hue(40), hue(60)]).properties.hue).toBe(50);
    expect(shown([hue(120)]).properties.hue).toBe(120);
    expect(shown([hue(90), hue(270)]).properties.hue).toBe(180);
  });

  it('shows the mode of the first member that is on', () => {
    const fan = (on: boolean, direction: number) =>
      service('fan', [characteristic('25', { value: on }), characteristic('28', { value: direction })]);
    expect(shown([fan(false, 0), fan(true, 1), fan(true, 0)], 'fan').properties.rotation_direction).toBe(1);
    expect(shown([fan(false, 0), fan(false, 1)], 'fan').properties.rotation_direction).toBe(0);
  });

  it('gives fans of both generations one switch', () => {
    const first = (on: boolean) =>
      service('fan', [characteristic('25', { value: on }), characteristic('29', { value: 20 })]);
    const second = (active: number) =>
      service('fanv2', [characteristic('B0', { value: active }), characteristic('29', { value: 80 })]);
    const mixed = shown([first(false), second(1)], 'fan');
    expect(mixed.properties).toEqual({ on: true, speed: 80 });
    expect(shown([second(0), second(1)], 'fan').properties).toMatchObject({ on: true, active: true, speed: 80 });
    expect(shown([first(false), second(0)], 'fan').properties).toEqual({ on: false, speed: 50 });
  });

  it('takes what any member takes', () => {
    const white = (minValue: number, maxValue: number) =>
      service('lightbulb', [characteristic('CE', { value: minValue, minValue, maxValue })]);
    const { state, group } = groupOf([white(153, 370), white(200, 500), lamp({ on: true })]);
    const [whole] = asAccessory(group, state)?.services ?? [];
    expect(whole?.characteristics.find(({ type }) => type === 'CE')).toMatchObject({ minValue: 153, maxValue: 500 });
    expect(whole?.characteristics.map(({ type }) => type).sort()).toEqual(['25', 'CE']);
  });

  it('is reachable if any member is, and in the room of the first that is there', () => {
    const { state, group, accessories } = groupOf([lamp({ on: true }), lamp({ on: false })]);
    const [first, second] = accessories as [Accessory, Accessory];
    expect(asAccessory(group, state)).toMatchObject({
      reachable: false,
      roomId: 'room-0',
      name: 'Group',
      id: group.id,
    });
    state.setReachable(second.id, true);
    expect(asAccessory(group, state)?.reachable).toBe(true);
    state.removeAccessories([first.id]);
    expect(asAccessory(group, state)).toMatchObject({ reachable: true, roomId: 'room-1' });
  });

  it('leaves out members that are gone, and is nothing without any', () => {
    const { state, group, accessories } = groupOf([
      lamp({ on: true, brightness: 10 }),
      lamp({ on: true, brightness: 30 }),
    ]);
    const [first, second] = accessories as [Accessory, Accessory];
    const brightness = () => simplify(asAccessory(group, state) as Accessory, new Map()).properties.brightness;
    expect(brightness()).toBe(20);
    state.putAccessories([{ ...first, vanishedAt: 5 }]);
    expect(brightness()).toBe(30);
    state.putAccessories([{ ...second, services: [] }]);
    expect(membersOf(group, state)).toEqual([]);
    expect(asAccessory(group, state)).toBeUndefined();
    state.putAccessories([first]);
    expect(brightness()).toBe(10);
  });

  it('is the same object until something changes', () => {
    const { state, group, accessories } = groupOf([lamp({ on: false })]);
    const before = asAccessory(group, state);
    expect(asAccessory(group, state)).toBe(before);
    const [member] = accessories as [Accessory];
    const [power] = member.services.flatMap(({ characteristics }) => characteristics) as [Characteristic];
    state.applyValue(member.id, power.iid, true, 'device');
    expect(asAccessory(group, state)).not.toBe(before);
    expect(simplify(asAccessory(group, state) as Accessory, new Map()).properties.on).toBe(true);
  });

  it('was last seen when a member was, whether that had any news or not', async () => {
    const { state, group, accessories, clock } = groupOf([lamp({ on: false }), lamp({ on: false })]);
    const [, member] = accessories as [Accessory, Accessory];
    const [power] = member.services.flatMap(({ characteristics }) => characteristics) as [Characteristic];
    const received: unknown[] = [];
    for (let times = 0; times < 2; times += 1) {
      await clock.advance(60_000);
      state.applyValue(member.id, power.iid, false, 'device');
      received.push(asAccessory(group, state)?.lastSeenAt);
    }
    expect(received).toEqual([clock.now() - 60_000, clock.now()]);
  });

  it('is of its members’ own type, made of any service that products have of these kinds', () => {
    const databases = recordedDatabases();
    const kinds = new Map<ServiceGroupKind, Service[]>();
    for (const { services } of databases.flatMap(({ accessories }) => accessories)) {
      for (const one of services) {
        const kind = groupKindOf(one);
        if (kind) kinds.set(kind, [...(kinds.get(kind) ?? []), one]);
      }
    }
    expect(kinds.size).toBeGreaterThan(2);
    for (const [kind, services] of kinds) {
      const { state, group } = groupOf(services, kind);
      const whole = asAccessory(group, state) as Accessory;
      expect(deviceType(whole)).toBe(kind);
      const { properties } = simplify(whole, new Map());
      for (const [property, value] of Object.entries(properties)) {
        expect([property, typeof value === 'number' ? Number.isFinite(value) : typeof value]).toEqual([
          property,
          typeof value === 'number' ? true : 'boolean',
        ]);
      }
    }
  });
});
