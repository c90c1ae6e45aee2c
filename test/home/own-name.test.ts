import { expect, it } from 'vitest';
import { ownNameOf } from '../../src/home/own-name.ts';
import { characteristic } from './vocabulary/builders.ts';

const NAME = '23';
const CONFIGURED_NAME = 'E3';

it.each([
  [
    'the one that its owner gave it',
    [characteristic(NAME, { value: 'Bulb' }), characteristic(CONFIGURED_NAME, { value: 'Reading' })],
    'Reading',
  ],
  [
    'its default one where its owner gave it none that shows',
    [characteristic(CONFIGURED_NAME, { value: ' \u200b' }), characteristic(NAME, { value: ' Bulb ' })],
    'Bulb',
  ],
  [
    'nothing that is no text',
    [characteristic(CONFIGURED_NAME, { value: 7 }), characteristic(NAME, { value: null })],
    null,
  ],
  ['nothing where it has none', [], null],
])('a service goes by %s', (_, characteristics, name) => {
  expect(ownNameOf({ characteristics })).toBe(name);
});
