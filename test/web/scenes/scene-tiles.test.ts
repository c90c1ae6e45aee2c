/** The tiles of a scene: in which rooms they stand, their words and their looks. */

import pickerTexts from 'texts:pickers';
import { describe, expect, it } from 'vitest';
import { deviceLight, deviceTone } from '../../../src/web/dashboard/devices/devices.ts';
import { EMPTY_ARRANGEMENT, GROUPS } from '../../../src/web/dashboard/pages/home/arrangement.ts';
import type { DraftAction } from '../../../src/web/dashboard/pages/scenes/scene-draft.ts';
import { asSet, tilesByRoom } from '../../../src/web/dashboard/pages/scenes/scene-tiles.ts';
import { settingText } from '../../../src/web/dashboard/pickers/property-words.ts';
import { createFormat } from '../../../src/web/dashboard/texts/format.ts';
import { accessoryOf, groupOf, homeOf, lampOf } from '../home/sample-home.ts';

const room = (id: string, name: string) => ({ id, name, isDefault: false, color: null, pictureHash: null });
const lamp = { ...lampOf('Lamp'), roomId: 'den' };
const spot = { ...lampOf('Spot'), roomId: 'hall' };
const blind = accessoryOf(
  'Blind',
  'blind',
  { window_covering: { target_position: 100, current_position: 100 } },
  { roomId: 'den' },
);
const lock = accessoryOf(
  'Door',
  'lock',
  { lock: { lock_target_state: 0, lock_current_state: 0 } },
  { roomId: 'hall', isReachable: false },
);
const strip = accessoryOf('Strip', 'outlet', {
  outlet: { power_state: true },
  'outlet 2': { power_state: true },
});
const fan = accessoryOf('Fan', 'fan', {
  fan: { active: 1, rotation_speed: { value: 50, unit: 'percentage' }, swing_mode: 0 },
});
const named = {
  ...strip,
  services: strip.services.map((service, index) => ({ ...service, name: ['Screen', 'Strip'][index] ?? null })),
};
const INVENTORY = {
  ...homeOf([lamp, spot, blind, lock, named, fan], [groupOf(lampOf('All'), [lamp, spot])]),
  rooms: [room('hall', 'Hall'), room('den', 'Den')],
};

const to = (accessoryId: string, property: string, value: unknown): DraftAction => ({
  ...{ accessoryId, property, value },
  kept: undefined,
});
const idsOf = (actions: readonly DraftAction[]) =>
  tilesByRoom(actions, INVENTORY, EMPTY_ARRANGEMENT, (a, b) => a.localeCompare(b)).map((section) => [
    section.room?.id,
    ...section.tiles.map(({ id, actions: those }) => `${id} ${those.length}`),
  ]);
const textOf = (language: 'en' | 'de', accessoryId: string, property: string, value: unknown) =>
  settingText(INVENTORY, { accessoryId, characteristicType: property }, value, {
    texts: pickerTexts.in(language),
    format: createFormat(language, 'celsius', language === 'de' ? 'de-DE' : 'en-GB'),
  }).replace(/\s/g, ' ');

describe('the tiles of a scene', () => {
  it('stand by room as on the home page, one for each accessory, with what is in no room last', () => {
    expect(
      idsOf([
        to('gone', 'power_state', false),
        to('spot', 'power_state', true),
        to('Lamp', 'power_state', true),
        to('Blind', 'target_position', 0),
        to('Lamp', 'brightness', 40),
        to('All', 'power_state', false),
      ]),
    ).toEqual([
      [GROUPS, 'All 1'],
      ['den', 'Blind 1', 'Lamp 2'],
      ['hall', 'Spot 1'],
      [undefined, 'gone 1'],
    ]);
    expect(idsOf([])).toEqual([]);
  });

  it.each([
    ['Lamp', 'power_state', true, 'on', 'ein'],
    ['Lamp', 'on', false, 'off', 'aus'],
    ['Lamp', 'brightness', 40, '40%', '40 %'],
    ['Blind', 'target_position', 0, 'position 0%', 'Position 0 %'],
    ['Door', 'lock_target_state', 1, 'locked', 'abgeschlossen'],
    ['Fan', 'swing_mode', 1, 'swinging on', 'Schwenken ein'],
    ['Strip', 'power_state', false, 'Screen off', 'Screen aus'],
    ['Strip', 'power_state_2', true, 'power 2 on', 'Ein/Aus 2 ein'],
    ['gone', 'power_state', true, 'on', 'ein'],
    ['gone', 'hue', 30, 'colour 30°', 'Farbton 30°'],
  ])('describe %s %s %s: "%s"', (id, property, value, english, german) => {
    expect([textOf('en', id, property, value), textOf('de', id, property, value)]).toEqual([english, german]);
  });

  it('look as the accessory will, even while it does not answer', () => {
    const on = asSet(lamp, [to('Lamp', 'power_state', true)], INVENTORY);
    expect([deviceTone(lamp), deviceTone(on), deviceLight(on)]).toEqual(['off', 'on', undefined]);
    const closed = asSet(blind, [to('Blind', 'target_position', 0)], INVENTORY);
    expect([deviceTone(blind), deviceTone(closed)]).toEqual(['plain', 'off']);
    const locked = asSet(lock, [to('Door', 'lock_target_state', 1)], INVENTORY);
    expect(deviceTone(locked)).toBe('off');
    const unlocked = asSet(lock, [to('Door', 'lock_target_state', 0)], INVENTORY);
    expect(deviceTone(unlocked)).toBe('note');
  });
});
