import { describe, expect, it } from 'vitest';
import { Directory, keyOf, pickNamed } from '../../../src/api/mcp/tools/places.ts';

const thing = (name: string, id: string) => ({ name, id });
const lamp = thing('Lamp', '00000000-0000-4000-8000-00000000aaaa');
// Ids end alike once in 65,536 times; then two of one name have one key.
const [first, second] = [
  thing('Fan', '00000000-0000-4000-8000-00000001bbbb'),
  thing('Fan', '00000000-0000-4000-8000-00000002bbbb'),
];
const directory = new Directory([lamp, first, second]);

describe('a directory', () => {
  it('finds one by its id, its key or its name, ignoring case and blanks around', () => {
    for (const text of [lamp.id.toUpperCase(), ` ${keyOf(lamp)} `, 'LAMP']) {
      expect(directory.matching(text)).toEqual([lamp]);
    }
    expect(directory.matching('Kettle')).toEqual([]);
  });

  it('takes none of those that share a name and a key for the one that is meant', () => {
    expect(keyOf(first)).toBe(keyOf(second));
    for (const text of [keyOf(first), 'fan']) expect(directory.matching(text)).toEqual([first, second]);
    expect(directory.matching(second.id)).toEqual([second]);
  });
});

it('what is ambiguous is answered with what distinguishes them, which is the id where the key does not', () => {
  const search = { field: 'id', noun: 'fan', plural: 'fans', code: 'accessory_not_found', where: '' } as const;
  expect(() => pickNamed(directory, 'fan', search)).toThrow(`${first.id}, ${second.id}`);
  expect(() => pickNamed(directory, 'lmap', search)).toThrow('Did you mean "Lamp"?');
  expect(pickNamed(directory, 'lamp', search)).toBe(lamp);
});
