/** Which accessories of the network the page of connections offers, and where it leads. */
import { expect, it } from 'vitest';
import { offerOf } from '../../../src/web/dashboard/pages/connections/network-offer.ts';

const found = (...names: string[]) => names.map((name) => ({ name, deviceId: `id of ${name}` }));

it('offers nothing where there is nothing to add', () => {
  expect(offerOf([])).toBeUndefined();
});

it('leads to the one, or to the list of several', () => {
  expect(offerOf(found('Lamp'))).toEqual({ names: ['Lamp'], more: 0, href: '/pair?device=id+of+Lamp' });
  expect(offerOf(found('Lamp', 'Fan'))).toEqual({ names: ['Lamp', 'Fan'], more: 0, href: '/pair' });
});

it('names three, or four if these are all', () => {
  expect(offerOf(found('A', 'B', 'C', 'D'))).toMatchObject({ names: ['A', 'B', 'C', 'D'], more: 0 });
  expect(offerOf(found('A', 'B', 'C', 'D', 'E'))).toMatchObject({ names: ['A', 'B', 'C'], more: 2 });
});
