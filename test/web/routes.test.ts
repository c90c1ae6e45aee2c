/** The pages of the dashboard, and where the relay serves them. */
import { parse } from 'regexparam';
import { describe, expect, it } from 'vitest';
import { matchRoute } from 'wouter';
import { isDashboardAddress } from '../../src/web/dashboard/pwa/places.ts';
import { movedTo, pageAt, ROUTES } from '../../src/web/dashboard/routes.ts';
import { NAV } from '../../src/web/dashboard/shell/nav.ts';

it('are all at addresses that the relay serves them at, and the menu leads nowhere else', () => {
  const paths = ROUTES.map(({ path }) => path);
  expect(paths.filter((path) => !isDashboardAddress(path))).toEqual([]);
  expect(NAV.filter(({ path }) => !paths.includes(path))).toEqual([]);
});

describe('the page at an address', () => {
  const addresses = [
    '/',
    '',
    '/rooms',
    '/rooms/',
    '/Rooms',
    '/settings/home',
    '/rooms/1',
    '/rooms/1/2',
    '/automations/flows/1/edit',
  ].concat([
    '/automations/flow/1',
    '/automations/flow/1/runs/2',
    '/accessories/a%20b',
    '/nowhere',
    '/system/devices',
    '/pair/import',
  ]);

  it.each([
    ['/rooms/settings', '/settings/home'],
    ['/system/settings/', '/settings/relay'],
    ['/people/apps', '/connections/apps'],
    ['/developer/webhooks/a%20b', '/connections/webhooks/a%20b'],
    ['/Developer/mqtt', '/connections/mqtt'],
  ])('%o is the one of %o, where its content has moved', (address, place) => {
    expect(movedTo(address)).toBe(place);
    expect(pageAt(address)).toBe(pageAt(place));
    expect(pageAt(place)).toBeDefined();
    expect(movedTo(place)).toBeUndefined();
  });

  it.each(addresses)('%o is fetched by the rule that it is shown by', (address) => {
    const shown = ROUTES.find(({ path }) => matchRoute(parse, path, address)[0]);
    expect(pageAt(address)).toBe(shown?.page);
  });
});
