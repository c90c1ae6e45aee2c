/**
 * Every address under a share's link, as it stands in the list of routes: open to every holder of the link, so each is
 * named here.
 */

const VERBS = [
  'on',
  'off',
  'toggle',
  'lock',
  'unlock',
  'brightness/:value',
  'hue/:value',
  'saturation/:value',
  'temp/:value',
  'position/:value',
  'color/:hue/:saturation',
];

/** What programs use too (API §4.4). */
export const SHARE_ROUTES = [
  'GET /s/:hash',
  'GET /s/:hash/events',
  'GET /s/:hash/qr.svg',
  ...VERBS.flatMap((verb) => [`GET /s/:hash/${verb}`, `POST /s/:hash/${verb}`]),
];

/** What only the page uses. */
export const SHARE_PAGE_ROUTES = ['GET /share.css', 'POST /s/:hash/passcode', 'POST /s/:hash/set'];
