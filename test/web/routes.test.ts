/** The pages of the dashboard, and where the relay serves them. */
import { parse } from 'regexparam';
import { describe, expect, it } from 'vitest';
import { matchRoute } from 'wouter';
import { isDashboardAddress } from '../../src/web/dashboard/pwa/places.ts';
import { pageAt, ROUTES } from '../../src/web/dashboard/routes.ts';
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
    '/rooms/settings',
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

  it.each(addresses)('%o is fetched by the rule that it is shown by', (address) => {
    const shown = ROUTES.find(({ path }) => matchRoute(parse, path, address)[0]);
    expect(pageAt(address)).toBe(shown?.page);
  });
});
