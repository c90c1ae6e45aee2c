import { beforeEach, describe, expect, it } from 'vitest';
import type { HomeEvents } from '../../src/home/events.ts';
import { HomeState } from '../../src/home/home-state.ts';
import type { Home, Room } from '../../src/home/model.ts';
import type { PlacedAccessory } from '../../src/home/slots.ts';
import { EventBus } from '../../src/kernel/event-bus.ts';
import { button, lamp } from '../support/sample-accessories.ts';
import { TestClock } from '../support/test-clock.ts';

const HOME_ID = '0a000000-0000-4000-8000-0000000000aa';
const ROOM_ID = '0b000000-0000-4000-8000-0000000000bb';
const LAMP_ID = '0c000000-0000-4000-8000-00000000cccc';
const BUTTON_ID = '0d000000-0000-4000-8000-00000000dddd';

const home: Home = {
  id: HOME_ID,
  name: 'Home',
  privileges: 'edit',
  paused: false,
  timeZone: null,
  location: null,
  background: null,
  pictureHash: null,
  createdAt: 1,
};
const room: Room = {
  id: ROOM_ID,
  homeId: HOME_ID,
  name: 'Default Room',
  isDefault: true,
  color: null,
  pictureHash: null,
  createdAt: 1,
};

function placed(id: string, name: string, changes: Partial<PlacedAccessory> = {}): PlacedAccessory {
  const { services, category } = lamp(name);
  return {
    id,
    homeId: HOME_ID,
    roomId: ROOM_ID,
    name,
    address: { source: 'AA:AA:AA:AA:AA:AA', aid: id },
    category,
    vanishedAt: null,
    icon: null,
    virtual: null,
    services,
    ...changes,
  };
}

describe('HomeState', () => {
  let clock: TestClock;
  let state: HomeState;
  let events: [name: keyof HomeEvents, event: unknown][];

  beforeEach(() => {
    clock = new TestClock();
    const bus = new EventBus<HomeEvents>();
    events = [];
    const names: (keyof HomeEvents)[] = [
      'state.changed',
      'button.pressed',
      'accessory.reachability_changed',
      'accessory.added',
      'accessory.removed',
      'layout.changed',
      'home.connection_changed',
    ];
    for (const name of names) bus.on(name, (event) => events.push([name, event]));
    state = new HomeState(bus, clock);
    state.restore({
      homes: [home],
      rooms: [room],
      accessories: [
        placed(LAMP_ID, 'Lamp'),
        placed(BUTTON_ID, 'Button', {
          services: button().services,
          address: { source: 'BB:BB:BB:BB:BB:BB', aid: '18168078900403521793' },
        }),
      ],
    });
  });

  it('takes in what was stored without a word on the bus', () => {
    expect(state.accessories()).toHaveLength(2);
    expect(events).toEqual([]);
  });

  it('finds homes, rooms and accessories by ids in upper or lower case', () => {
    expect(state.home(HOME_ID.toUpperCase())).toBe(home);
    expect(state.room(ROOM_ID.toUpperCase())).toBe(room);
    expect(state.accessory(LAMP_ID.toUpperCase())?.name).toBe('Lamp');
    expect(state.accessories(HOME_ID.toUpperCase())).toHaveLength(2);
    expect(state.rooms(HOME_ID.toUpperCase())).toHaveLength(1);
  });

  it('finds an accessory by an aid beyond 2^53, and none by the next one', () => {
    const find = (aid: string) => state.findByAddress({ source: 'BB:BB:BB:BB:BB:BB', aid })?.id;
    expect(find('18168078900403521793')).toBe(BUTTON_ID);
    expect(find('18168078900403521792')).toBeUndefined();
  });

  it('shows a new value at once and reports it once', () => {
    const before = state.version;
    state.applyValue(LAMP_ID, '9', true, 'device');
    expect(state.characteristic({ accessoryId: LAMP_ID, iid: '9' })?.value).toBe(true);
    expect(state.accessory(LAMP_ID)?.services[1]?.characteristics[0]?.value).toBe(true);
    expect(state.version).toBeGreaterThan(before);
    expect(events).toEqual([
      [
        'state.changed',
        {
          homeId: HOME_ID,
          accessoryId: LAMP_ID,
          serviceIid: '8',
          iid: '9',
          type: '25',
          value: true,
          previous: false,
          origin: 'device',
          at: clock.now(),
        },
      ],
    ]);
  });

  it('reports nothing when a value is reported again', () => {
    const before = state.version;
    state.applyValue(LAMP_ID, '9', false, 'device');
    expect(events).toEqual([]);
    expect(state.version).toBe(before);
    expect(state.accessory(LAMP_ID)?.lastSeenAt).toBe(clock.now());
  });

  it('ignores values of accessories and characteristics that it does not know', () => {
    state.applyValue('nobody', '9', true, 'device');
    state.applyValue(LAMP_ID, '999', true, 'device');
    state.press(LAMP_ID, '999', 0);
    state.setReachable('nobody', true);
    expect(events).toEqual([]);
  });

  it('counts each press of a button, equal or not, and keeps no value of it', () => {
    state.press(BUTTON_ID, '9', 0);
    state.press(BUTTON_ID, '9', 0);
    state.applyValue(BUTTON_ID, '9', 0, 'device');
    expect(events.map(([name]) => name)).toEqual(['button.pressed', 'button.pressed']);
    expect(state.characteristic({ accessoryId: BUTTON_ID, iid: '9' })?.value).toBeNull();
  });

  it('shows a press for ten seconds from the last one, and a new version when it goes', async () => {
    state.press(BUTTON_ID, '9', 0);
    await clock.advance(6_000);
    state.press(BUTTON_ID, '9', 2);
    await clock.advance(6_000);
    const shown = state.version;
    expect(state.pressesOf(BUTTON_ID).get('9')?.value).toBe(2);
    expect(state.version).toBe(shown);
    await clock.advance(4_000);
    expect(state.version).toBeGreaterThan(shown);
    expect(state.pressesOf(BUTTON_ID).size).toBe(0);
  });

  it('shows a press no longer when the wall clock is set back', async () => {
    state.press(BUTTON_ID, '9', 1);
    clock.jumpWallClock(-3_600_000);
    await clock.advance(10_000);
    expect(state.pressesOf(BUTTON_ID).size).toBe(0);
  });

  it('reports reachability once a change', () => {
    state.setReachable(LAMP_ID, true);
    state.setReachable(LAMP_ID, true);
    state.setReachable(LAMP_ID, false);
    expect(events.map(([, event]) => event)).toMatchObject([{ reachable: true }, { reachable: false }]);
  });

  it('keeps values while an accessory can’t be reached, so that its return is no change', () => {
    state.applyValue(LAMP_ID, '10', 70, 'device');
    state.setReachable(LAMP_ID, true);
    state.setReachable(LAMP_ID, false);
    state.setReachable(LAMP_ID, true);
    state.applyValue(LAMP_ID, '10', 70, 'device');
    expect(events.filter(([name]) => name === 'state.changed')).toHaveLength(1);
  });

  it('makes a vanished accessory unreachable and keeps it so', () => {
    state.setReachable(LAMP_ID, true);
    state.putAccessories([placed(LAMP_ID, 'Lamp', { vanishedAt: 5 })]);
    state.setReachable(LAMP_ID, true);
    expect(state.accessory(LAMP_ID)).toMatchObject({ reachable: false, vanishedAt: 5 });
  });

  it('keeps the objects it handed out alive when the layout changes', () => {
    const held = state.accessory(LAMP_ID);
    state.putAccessories([placed(LAMP_ID, 'Reading Lamp')]);
    state.applyValue(LAMP_ID, '9', true, 'write');
    expect(held?.name).toBe('Reading Lamp');
    expect(held?.services[1]?.characteristics[0]?.value).toBe(true);
  });

  it('reports additions before the layout, and one layout for many', () => {
    state.putAccessories([placed('e1', 'One'), placed('e2', 'Two')]);
    expect(events.map(([name]) => name)).toEqual(['accessory.added', 'accessory.added', 'layout.changed']);
  });

  it('shows everything new before it reports anything', () => {
    const bus = new EventBus<HomeEvents>();
    const other = new HomeState(bus, clock);
    const seen: number[] = [];
    bus.on('accessory.added', () => seen.push(other.accessories(HOME_ID).length));
    other.restore({ homes: [home], rooms: [room], accessories: [] });
    other.putAccessories([placed('e1', 'One'), placed('e2', 'Two')]);
    expect(seen).toEqual([2, 2]);
  });

  it('lists rooms and accessories by name as people sort, then by id', () => {
    state.putAccessories([placed('e3', 'Lamp 10'), placed('e2', 'lamp 2'), placed('e1', 'Lamp 10')]);
    expect(state.accessories(HOME_ID).map(({ id }) => id)).toEqual([BUTTON_ID, LAMP_ID, 'e2', 'e1', 'e3']);
    // Sorted once, until something changes.
    expect(state.accessories(HOME_ID)).toBe(state.accessories(HOME_ID));
    state.putRoom({ ...room, id: 'r1', name: 'Attic', isDefault: false });
    expect(state.rooms().map(({ name }) => name)).toEqual(['Attic', 'Default Room']);
    state.removeRoom('r1');
    expect(state.rooms()).toEqual([room]);
  });

  it('lists homes as they were created', () => {
    state.putHome({ ...home, id: 'h0', name: 'Zebra', createdAt: 0 });
    state.putHome({ ...home, id: 'h2', name: 'Aardvark', createdAt: 2 });
    expect(state.homes().map(({ name }) => name)).toEqual(['Zebra', 'Home', 'Aardvark']);
  });

  it('removes a home with all that is in it', () => {
    state.setConnected(HOME_ID, true);
    state.press(BUTTON_ID, '9', 0);
    state.removeHome(HOME_ID);
    expect(state.homes()).toEqual([]);
    expect(state.rooms()).toEqual([]);
    expect(state.accessory(LAMP_ID)).toBeUndefined();
    expect(state.accessoriesOf('AA:AA:AA:AA:AA:AA')).toEqual([]);
    expect(state.findByAddress({ source: 'AA:AA:AA:AA:AA:AA', aid: LAMP_ID })).toBeUndefined();
    expect(state.pressesOf(BUTTON_ID).size).toBe(0);
    expect(state.isConnected(HOME_ID)).toBe(false);
    expect(events.filter(([name]) => name === 'accessory.removed')).toHaveLength(2);
  });

  it('reports when a home’s driver comes and goes, once each', () => {
    for (const connected of [false, true, true, false]) state.setConnected(HOME_ID, connected);
    expect(events.map(([, event]) => event)).toEqual([
      { homeId: HOME_ID, connected: true },
      { homeId: HOME_ID, connected: false },
    ]);
  });

  it('knows of nothing that it does not know whether it answers', () => {
    expect([LAMP_ID, LAMP_ID.toUpperCase(), 'unknown'].map((id) => state.isAnswering(id))).toEqual([
      false,
      false,
      false,
    ]);
    state.setReachable(LAMP_ID, true);
    expect([LAMP_ID, LAMP_ID.toUpperCase(), 'unknown'].map((id) => state.isAnswering(id))).toEqual([true, true, false]);
  });

  it('takes the first of two characteristics that share an iid', () => {
    const services = lamp().services.map((one) => ({ ...one, iid: `${one.iid}0` }));
    state.putAccessories([placed(LAMP_ID, 'Lamp', { services: [...lamp().services, ...services] })]);
    state.applyValue(LAMP_ID, '9', true, 'device');
    const values = state.accessory(LAMP_ID)?.services.map((one) => one.characteristics[0]?.value);
    expect(values).toEqual([null, true, null, false]);
  });
});
