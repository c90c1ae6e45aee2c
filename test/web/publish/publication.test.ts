import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEVICE_ROWS } from '../../../src/app/publications/matter/device-rows.ts';
import { SERVICE_GROUP_KINDS } from '../../../src/home/model.ts';
import { DEVICE_KINDS } from '../../../src/home/vocabulary/device-kinds.ts';
import {
  freeName,
  isEmptySelection,
  isNoLockPin,
  lacksLockPin,
  lockPinOf,
  type PublicationValues,
  selectionOf,
  setupCodeOf,
  sortPreview,
  valuesOf,
} from '../../../src/web/dashboard/pages/publish/publication.ts';

const BRIDGE = {
  ...{ id: 'b', name: 'Hearth', accessories: 1, controllers: 0 },
  ...{ setupCode: null, setupUri: null, manualCode: null, qrCode: null },
  ...{ hasMatterPort: null, windowEndsAt: null },
};
const NO_PIN = { asksForPin: false, lockPin: '' };
const NONE = { roomIds: [], types: [], accessoryIds: [], serviceGroupIds: [], sceneIds: [], exceptIds: [] };

describe('the code of a bridge', () => {
  it('is HomeKit’s as it is', () => {
    const bridge = { ...BRIDGE, setupCode: '031-45-154', setupUri: 'X-HM://0023ISYWY7HMS' };
    expect(setupCodeOf(bridge)).toEqual({ qr: 'X-HM://0023ISYWY7HMS', code: '031-45-154' });
  });

  it('is Matter’s in groups; a long one, with vendor and product, stays as it is', () => {
    const bridge = { ...BRIDGE, manualCode: '34970112332', qrCode: 'MT:Y.K9042C00KA0648G00' };
    expect(setupCodeOf(bridge)).toEqual({ qr: 'MT:Y.K9042C00KA0648G00', code: '3497-011-2332' });
    const long = '749701123365521327694';
    expect(setupCodeOf({ ...bridge, manualCode: long })?.code).toBe(long);
  });

  it('is absent while the bridge has none', () => {
    expect(setupCodeOf(BRIDGE)).toBeUndefined();
  });
});

describe('the form', () => {
  it('begins with the whole home for HomeKit, or with what the publication has', () => {
    expect(valuesOf(undefined, 'Home')).toEqual({ name: 'Home', kind: 'homekit', scope: 'home', ...NONE, ...NO_PIN });
    const selection = { scope: 'selected', ...NONE, types: ['light'] };
    const publication = {
      ...{ id: 'p', name: 'Lights', kind: 'matter', paused: false, status: 'open', error: null },
      ...{ hasLockPin: true, selection, bridges: [], controllers: [] },
    };
    const pin = { asksForPin: true, lockPin: '' };
    expect(valuesOf(publication, 'Home')).toEqual({ name: 'Lights', kind: 'matter', ...selection, ...pin });
  });

  it('sends a PIN for locks that was typed, an empty one to remove it, and none to leave it as it is', () => {
    const plain: PublicationValues = { ...valuesOf(undefined, 'Home'), kind: 'matter' };
    expect([lockPinOf(plain, false), lockPinOf(plain, true)]).toEqual([undefined, '']);
    const asking = { ...plain, asksForPin: true };
    expect(lockPinOf(asking, true)).toBeUndefined();
    expect([lacksLockPin(asking, true), lacksLockPin(asking, false)]).toEqual([false, true]);
    const typed = { ...asking, lockPin: '482915' };
    expect([lockPinOf(typed, false), lacksLockPin(typed, false), isNoLockPin(typed)]).toEqual(['482915', false, false]);
    expect(['123', '123456789', '12 4'].map((lockPin) => isNoLockPin({ ...typed, lockPin }))).toEqual([
      true,
      true,
      true,
    ]);
    const homekit: PublicationValues = { ...typed, kind: 'homekit' };
    expect([lockPinOf(homekit, false), isNoLockPin({ ...homekit, lockPin: '1' })]).toEqual([undefined, false]);
  });

  it('sends no parts with the whole home, but groups, scenes and exceptions', () => {
    const values = { ...valuesOf(undefined, 'Home'), roomIds: ['r'], types: ['light'], accessoryIds: ['a'] };
    expect(selectionOf({ ...values, sceneIds: ['s'], exceptIds: ['e'] })).toEqual({
      scope: 'home',
      ...NONE,
      sceneIds: ['s'],
      exceptIds: ['e'],
    });
  });

  it('has nothing to publish if no part is chosen; exceptions are none', () => {
    const values = valuesOf(undefined, 'Home');
    expect(isEmptySelection(values)).toBe(false);
    expect(isEmptySelection({ ...values, scope: 'selected', exceptIds: ['e'] })).toBe(true);
    expect(isEmptySelection({ ...values, scope: 'selected', sceneIds: ['s'] })).toBe(false);
  });

  it('suggests a name that is free, ignoring case', () => {
    expect(freeName('Home', [])).toBe('Home');
    expect(freeName('Home', [{ name: 'home' }, { name: 'Home 2' }])).toBe('Home 3');
  });
});

it('a preview separates what is published from what can’t be', () => {
  const item = { kind: 'accessory', room: null, publishedAs: null, bridge: null, note: null, remarks: [] };
  const lamp = { ...item, id: '1', name: 'Lamp', reason: null };
  const counter = { ...item, id: '2', name: 'Visits', reason: 'Apple Home has nothing for a counter.' };
  expect(sortPreview({ items: [counter, lamp], bridges: [], warnings: [], remarks: [] })).toEqual({
    published: [lamp],
    refused: [counter],
  });
});

it.each(['en', 'de'])('a preview has a word for everything that is published (%s)', (language) => {
  const file = new URL(`../../../src/texts/${language}/publish.json`, import.meta.url);
  const words = Object.keys(JSON.parse(readFileSync(file, 'utf8')).as);
  const types = DEVICE_KINDS.flatMap(({ type }) => type ?? []);
  const published = [...DEVICE_ROWS.map((row) => row.publishedAs), ...SERVICE_GROUP_KINDS, ...types];
  expect(published.filter((word) => !words.includes(word))).toEqual([]);
});
