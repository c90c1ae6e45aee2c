import { expect, it } from 'vitest';
import { deviceName } from '../../../src/home/vocabulary/device-names.ts';
import { isDashboardAddress } from '../../../src/web/dashboard/pwa/places.ts';

it.each([
  ['/', true],
  ['/rooms/x', true],
  ['/settings', true],
  ['/graphql', false],
  ['/rest/homes', false],
  ['/docs', false],
  ['/login', false],
  ['/s/abc', false],
])('%s is the dashboard’s to answer while the relay is away: %s', (path, is) => {
  expect(isDashboardAddress(path)).toBe(is);
});

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox · Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0',
    'Edge · Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 (KHTML, like Gecko) Version/19.0 Mobile Safari/604',
    'Safari · iPhone',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0 Safari/537.36',
    'Chrome · Linux',
  ],
  ['Python-urllib/3.11', 'Python-urllib/3.11'],
  ['', undefined],
  [null, undefined],
])('%s is called %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});
