/** Icons of tiles, colors and pictures of rooms. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccessoryChanges } from '../../../src/contract/accessories.ts';
import type { RoomChanges } from '../../../src/contract/rooms.ts';
import { asAccessory } from '../../../src/home/group-accessory.ts';
import { ICON_NAMES } from '../../../src/home/vocabulary/icon-names.ts';
import { MAX_PICTURE_BYTES } from '../../../src/home/vocabulary/room-looks.ts';
import { jpegOf, PNG, pngOf } from '../../support/pictures.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });

let test: TestHome;

beforeEach(() => {
  test = createTestHome({ sample: true });
});

afterEach(() => test.close());

const setIcon = (id: string, icon: unknown) => test.accessories.update(systemCaller, id, { icon } as AccessoryChanges);

describe('the icon of an accessory', () => {
  it('is one of at least 150 names, each once', () => {
    expect(ICON_NAMES.length).toBeGreaterThanOrEqual(150);
    expect(new Set(ICON_NAMES).size).toBe(ICON_NAMES.length);
  });

  it('is chosen, announced, and given back for the icon of its kind', async () => {
    const lamp = test.named('Lamp');
    expect(lamp.icon).toBeNull();
    const changes: string[] = [];
    test.bus.on('layout.changed', ({ homeId }) => changes.push(homeId));
    expect(setIcon(lamp.id, 'sofa').icon).toBe('sofa');
    expect(test.accessories.update(systemCaller, lamp.id, { name: 'Sofa Lamp' }).icon).toBe('sofa');
    expect(setIcon(lamp.id, null).icon).toBeNull();
    await test.clock.advance(1_000);
    expect(changes).toContain(test.home.id);
  });

  it.each([
    ['lampp', 'Did you mean "lamp"?'],
    ['ceiling', 'Did you mean "lamp-ceiling"?'],
    ['', 'hearthd accessory icons'],
    ['<svg>', 'hearthd accessory icons'],
    [7, 'icon'],
  ])('is not %j, and the error names the field', (icon, sentence) => {
    const lamp = test.named('Lamp');
    expect(() => setIcon(lamp.id, icon)).toThrow(
      expect.objectContaining({
        code: 'invalid_value',
        message: expect.stringContaining(sentence),
        details: expect.objectContaining({ field: 'icon' }),
      }),
    );
    expect(lamp.icon).toBeNull();
  });

  it('is set on virtual accessories and on service groups as well', () => {
    const { id: homeId } = test.home;
    const mode = test.virtuals.create(systemCaller, { homeId, name: 'Guests', type: 'input_boolean' });
    expect(setIcon(mode.id, 'users').icon).toBe('users');
    expect(test.virtuals.get(systemCaller, mode.id).icon).toBe('users');
    const members = { accessoryIds: [test.named('Lamp').id] };
    const group = test.serviceGroups.create(systemCaller, {
      homeId,
      name: 'Ceiling',
      icon: 'lamp-ceiling',
      ...members,
    });
    expect(asAccessory(group, test.state)?.icon).toBe('lamp-ceiling');
    const renamed = test.serviceGroups.update(systemCaller, group.id, { name: 'All' });
    expect(renamed.icon).toBe('lamp-ceiling');
    const reset = test.serviceGroups.update(systemCaller, group.id, { icon: null });
    expect(asAccessory(reset, test.state)?.icon).toBeNull();
    expect(() => test.serviceGroups.update(systemCaller, group.id, { icon: 'lampp' })).toThrow(code('invalid_value'));
  });

  it('stays when its device is paired again', async () => {
    const { id, address } = test.named('Lamp');
    setIcon(id, 'lamp-floor');
    await test.pairings.unpair(systemCaller, address.source);
    await test.pairings.pair(systemCaller, { device: address.source, setupCode: '031-45-154' });
    expect(test.state.accessory(id)?.icon).toBe('lamp-floor');
  });
});

describe('the color of a room', () => {
  it('is set with a new room, changed and removed; a new name leaves it', () => {
    const den = test.rooms.create(systemCaller, { homeId: test.home.id, name: 'Den', color: 'teal' });
    expect(den.color).toBe('teal');
    expect(test.rooms.update(systemCaller, den.id, { name: 'Study' })).toMatchObject({ name: 'Study', color: 'teal' });
    expect(test.rooms.update(systemCaller, den.id, { color: 'pink' })).toMatchObject({ name: 'Study', color: 'pink' });
    expect(test.rooms.update(systemCaller, den.id, { color: null }).color).toBeNull();
  });

  it.each(['#ff0000', 'tael', '', 3])('is not %j, and the error names the field', (color) => {
    const { roomId } = test.named('Lamp');
    expect(() => test.rooms.update(systemCaller, roomId, { color } as RoomChanges)).toThrow(
      expect.objectContaining({ code: 'invalid_value', details: expect.objectContaining({ field: 'color' }) }),
    );
  });
});

describe('the picture of a room', () => {
  const roomId = () => test.named('Lamp').roomId;

  it('is set, replaced and removed, and its hash changes with it', () => {
    expect(() => test.rooms.picture(systemCaller, roomId())).toThrow(code('not_found'));
    const first = test.rooms.setPicture(systemCaller, roomId(), PNG);
    expect(test.rooms.picture(systemCaller, roomId())).toEqual({
      type: 'image/png',
      hash: first.pictureHash,
      bytes: PNG,
    });
    const second = test.rooms.setPicture(systemCaller, roomId(), jpegOf(8, 8));
    expect(second.pictureHash).not.toBe(first.pictureHash);
    expect(test.rooms.picture(systemCaller, roomId()).type).toBe('image/jpeg');
    // A new name or color leaves it.
    expect(test.rooms.update(systemCaller, roomId(), { name: 'Lounge', color: 'red' }).pictureHash).toBe(
      second.pictureHash,
    );
    expect(test.rooms.removePicture(systemCaller, roomId()).pictureHash).toBeNull();
    expect(test.rooms.removePicture(systemCaller, roomId()).pictureHash).toBeNull();
    expect(() => test.rooms.picture(systemCaller, roomId())).toThrow(code('not_found'));
  });

  it('stays when something else is sent in its place', () => {
    const { pictureHash } = test.rooms.setPicture(systemCaller, roomId(), PNG);
    const tooLarge = Buffer.concat([jpegOf(8, 8), Buffer.alloc(MAX_PICTURE_BYTES)]);
    for (const [bytes, expected] of [
      [Buffer.from('<svg/>'), 'invalid_value'],
      [PNG.subarray(0, -4), 'invalid_value'],
      [tooLarge, 'payload_too_large'],
    ] as const) {
      expect(() => test.rooms.setPicture(systemCaller, roomId(), bytes)).toThrow(
        expect.objectContaining({ code: expected, details: expect.objectContaining({ field: 'picture' }) }),
      );
    }
    expect(test.rooms.picture(systemCaller, roomId())).toMatchObject({ hash: pictureHash, bytes: PNG });
  });

  it('goes with its room, and with its home', () => {
    const count = () => test.database.prepare('SELECT count(*) FROM room_pictures').pluck().get();
    const cottage = test.homes.create(systemCaller, { name: 'Cottage' });
    const [hall] = test.rooms.list(systemCaller, cottage.id);
    test.rooms.setPicture(systemCaller, hall?.id ?? '', PNG);
    test.rooms.setPicture(systemCaller, roomId(), PNG);
    expect(count()).toBe(2);
    test.rooms.delete(systemCaller, roomId());
    expect(count()).toBe(1);
    test.homes.delete(systemCaller, cottage.id);
    expect(count()).toBe(0);
  });

  it('is for everyone who may see the room, and is changed by its admins', () => {
    test.rooms.setPicture(systemCaller, roomId(), PNG);
    const viewer = tokenCaller({ [test.home.id]: 'view' });
    expect(test.rooms.picture(viewer, roomId()).bytes).toEqual(PNG);
    expect(() => test.rooms.setPicture(viewer, roomId(), PNG)).toThrow(code('insufficient_permissions'));
    expect(() => test.rooms.removePicture(viewer, roomId())).toThrow(code('insufficient_permissions'));
    const stranger = tokenCaller({});
    for (const act of [
      () => test.rooms.picture(stranger, roomId()),
      () => test.rooms.setPicture(stranger, roomId(), PNG),
      () => test.rooms.removePicture(stranger, roomId()),
    ]) {
      expect(act).toThrow(code('room_not_found'));
    }
  });

  it('can be in 100 rooms of a home at most; one of them can still be replaced', () => {
    const { id: homeId } = test.homes.create(systemCaller, { name: 'Castle' });
    const make = (n: number) => test.rooms.create(systemCaller, { homeId, name: `Room ${n}` }).id;
    const ids = Array.from({ length: 100 }, (_, n) => make(n));
    for (const id of ids) test.rooms.setPicture(systemCaller, id, PNG);
    expect(() => test.rooms.setPicture(systemCaller, make(100), PNG)).toThrow(
      expect.objectContaining({ code: 'conflict', details: { reason: 'limit_reached' } }),
    );
    expect(test.rooms.setPicture(systemCaller, ids[0] ?? '', pngOf(2, 2)).pictureHash).not.toBeNull();
  });

  it('whose stored bytes are something else is not served', () => {
    test.rooms.setPicture(systemCaller, roomId(), PNG);
    test.database.prepare('UPDATE room_pictures SET picture = ?').run(Buffer.from('<script>alert(1)</script>'));
    expect(() => test.rooms.picture(systemCaller, roomId())).toThrow(code('not_found'));
  });
});
