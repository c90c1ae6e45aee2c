import { describe, expect, it } from 'vitest';
import { CliError } from '../../src/cli/exit-codes.ts';
import { Inventory, keyPathOf, type LocatedRoom } from '../../src/cli/inventory.ts';
import type { Accessory } from '../../src/contract/accessories.ts';
import type { Home } from '../../src/contract/homes.ts';
import { slugKey } from '../../src/home/slug.ts';

const id = (last: string): string => `00000000-0000-4000-8000-00000000${last}`;

const home = (name: string, last: string): Home => ({
  id: id(last),
  name,
  key: slugKey(name, id(last)),
  connected: true,
  role: 'owner',
  isPrimary: true,
  isAdmin: true,
  roomCount: 0,
  accessoryCount: 0,
  paused: false,
  privileges: 'edit',
  timeZone: null,
  location: null,
  background: null,
  pictureHash: null,
});
const room = (of: Home, name: string, last: string): LocatedRoom => ({
  id: id(last),
  name,
  homeId: of.id,
  isDefault: false,
  color: null,
  pictureHash: null,
  accessoryCount: 0,
  home: of,
});
const accessory = (inRoom: LocatedRoom, name: string, last: string): Accessory => ({
  id: id(last),
  name,
  homeId: inRoom.home.id,
  roomId: inRoom.id,
  roomName: inRoom.name,
  type: 'light',
  deviceId: 'AA:BB:CC:DD:EE:FF',
  aid: '1',
  category: 'Lightbulb',
  reachable: true,
  isReachable: true,
  lastSeenAt: null,
  vanishedAt: null,
  icon: null,
  services: [],
});

const flat = home('Flat', 'a001');
const cottage = home('Haus am See', 'a002');
const kitchen = room(flat, 'Kitchen', 'b001');
const living = room(flat, 'Living Room', 'b002');
const otherKitchen = room(cottage, 'Kitchen', 'b003');
const inventory = new Inventory(
  [flat, cottage],
  [kitchen, living, otherKitchen],
  [
    accessory(kitchen, 'Lamp', 'c001'),
    accessory(living, 'Lamp', 'c002'),
    accessory(otherKitchen, 'Lamp', 'c003'),
    accessory(living, 'Blinds 1/2', 'c004'),
    accessory(living, 'Café  Lüster', 'c005'),
    accessory(kitchen, 'Twin', 'c006'),
    accessory(kitchen, 'Twin', 'c007'),
  ],
);

function refusal(action: () => unknown): CliError {
  try {
    action();
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('an accessory', () => {
  it.each([
    ['Living Room/Lamp', 'c002'],
    ['  living ROOM/lamp ', 'c002'],
    ['Flat/Kitchen/Lamp', 'c001'],
    ['haus am see/kitchen/lamp', 'c003'],
    ['lamp_c003', 'c003'],
    ['living_room_b002/lamp_c002', 'c002'],
    ['haus_am_see_a002.kitchen_b003.lamp_c003', 'c003'],
    [id('c001'), 'c001'],
    [id('c001').toUpperCase(), 'c001'],
    ['Blinds 1/2', 'c004'],
    ['Living Room/Blinds 1/2', 'c004'],
    ['Café Lüster', 'c005'],
    ['café  lüster'.normalize('NFD'), 'c005'],
  ])('is found by "%s"', (text, last) => {
    expect(inventory.accessory(text).id).toBe(id(last));
  });

  it('that is ambiguous is listed with what to write instead', () => {
    const { message, exitCode } = refusal(() => inventory.accessory('Lamp'));
    expect(exitCode).toBe(2);
    expect(message).toBe(
      [
        '"Lamp" matches more than one accessory. Use one of:',
        '  "Flat/Kitchen/Lamp"',
        '  "Flat/Living Room/Lamp"',
        '  "Haus am See/Kitchen/Lamp"',
      ].join('\n'),
    );
    for (const [, path = ''] of message.matchAll(/ {2}"(.*)"/g)) expect(inventory.accessory(path).name).toBe('Lamp');
    expect(refusal(() => inventory.accessory('Kitchen/Lamp')).message.split('\n')).toHaveLength(3);
  });

  it('that shares its whole path with another is distinguished by id', () => {
    const { message } = refusal(() => inventory.accessory('Twin'));
    expect(message).toContain(`  ${id('c006')}   (Flat/Kitchen/Twin)`);
    expect(message).toContain(`  ${id('c007')}   (Flat/Kitchen/Twin)`);
  });

  it('that is not there comes with the nearest name', () => {
    const { message, exitCode } = refusal(() => inventory.accessory('Blind 1/2'));
    expect(exitCode).toBe(4);
    expect(message).toBe('No accessory "Blind 1/2". Did you mean "Blinds 1/2"?');
    expect(refusal(() => inventory.accessory('Refrigerator')).message).toBe(
      'No accessory "Refrigerator". hearthd accessories lists them.',
    );
  });

  it('stands in the state tree under its keys', () => {
    expect(keyPathOf(inventory.accessory('Living Room/Lamp'))).toEqual(['flat_a001', 'living_room_b002', 'lamp_c002']);
  });
});

describe('a home and a room', () => {
  it('need not be named where there is one', () => {
    expect(new Inventory([flat], [], []).home(undefined)).toBe(flat);
    expect(refusal(() => inventory.home(undefined)).message).toBe(
      'There are several homes. Choose one with --home: Flat, Haus am See.',
    );
  });

  it('are found by name, key and id, a room within its home', () => {
    expect(inventory.home('haus_am_see_a002')).toBe(cottage);
    expect(inventory.room('Kitchen', cottage)).toBe(otherKitchen);
    expect(inventory.room('Flat/Kitchen')).toBe(kitchen);
    expect(refusal(() => inventory.room('Kitchen')).message).toContain('"Haus am See/Kitchen"');
    expect(refusal(() => inventory.room('Living Room', cottage)).exitCode).toBe(4);
  });
});
