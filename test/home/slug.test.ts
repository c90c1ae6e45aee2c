import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slugKey } from '../../src/home/slug.ts';

const ID = '5c0d2c7e-6f1c-4b0e-9d7a-0242ac12A1B2';

/** How pyhomecast turns a key back into a name. */
function displayNameOf(key: string): string {
  const words = key.replace(/_[0-9a-f]{4}$/, '').replaceAll('_', ' ');
  return words.replace(/\S+/gu, (word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase());
}

const names = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).filter((name) => name.trim() !== '');

describe('slug keys', () => {
  it.each([
    ['Living Room', 'living_room_a1b2'],
    ['  Living \t Room ', 'living_room_a1b2'],
    ['Rob’s Home', 'rob’s_home_a1b2'],
    ["Rob's Home", "rob's_home_a1b2"],
    ['Küche', 'küche_a1b2'],
    ['客厅 💡', '客厅_💡_a1b2'],
    ['A-B.C/D', 'a-b.c/d_a1b2'],
    ['Lamp_2', 'lamp_2_a1b2'],
    ['No\u00a0break', 'no_break_a1b2'],
  ])('%j is %j', (name, key) => {
    expect(slugKey(name, ID)).toBe(key);
  });

  it('end in 0000 without an id, and are never empty before it', () => {
    expect(slugKey('Hall', '')).toBe('hall_0000');
    expect(slugKey('', ID)).toBe('unknown_a1b2');
    expect(slugKey(' \n ', '')).toBe('unknown_0000');
  });

  it('are turned back into the name by a client that cuts off the suffix', () => {
    expect(displayNameOf(slugKey('Living Room', ID))).toBe('Living Room');
    const words = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 4 }), fc.uuid(), (parts, id) => {
        const name = parts.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ');
        expect(displayNameOf(slugKey(name, id))).toBe(name);
      }),
    );
  });

  it('hold no blank, begin with no underscore of their own making, and end with the id’s last four characters', () => {
    fc.assert(
      fc.property(names, fc.uuid(), (name, id) => {
        const key = slugKey(name, id);
        expect(key).not.toMatch(/\s/);
        expect(key.endsWith(`_${id.slice(-4)}`)).toBe(true);
        expect(key.startsWith('_')).toBe(name.trim().startsWith('_'));
      }),
    );
  });

  it('do not change when taken again: the words of a key are their own slug', () => {
    fc.assert(
      fc.property(names, fc.uuid(), (name, id) => {
        const key = slugKey(name, id);
        expect(slugKey(key.slice(0, -5), id)).toBe(key);
      }),
    );
  });
});
