/**
 * Every address of the pages without scripts, as it stands in the list of routes: open without a token, since they are
 * a way to come by one.
 */

const READ_ROUTES = [
  'GET /account',
  'GET /account/second-step',
  'GET /invite/:code',
  'GET /login',
  'GET /page.css',
  'GET /setup',
];

/** Of the own authority: there is none unless https is on. */
const TRUST_ROUTES = [
  'GET /trust',
  'GET /trust/authority.crt',
  'GET /trust/authority.mobileconfig',
  'GET /trust/authority.pem',
  'GET /trust/qr.svg',
];

const FORM_ROUTES = [
  'POST /account/apps/:id/end',
  'POST /account/invitations/:homeId/accept',
  'POST /account/invitations/:homeId/decline',
  'POST /account/password',
  'POST /account/second-step',
  'POST /account/second-step/confirm',
  'POST /account/sessions/:id/end',
  'POST /account/sessions/end-others',
  'POST /invite/:code',
  'POST /invite/:code/accept',
  'POST /login',
  'POST /login/passkey',
  'POST /logout',
  'POST /setup',
];

export const PAGE_ROUTES = [...READ_ROUTES, ...TRUST_ROUTES, ...FORM_ROUTES];

/** What each answers to an empty request: the way to the first page of all, or that a form has to come from a page. */
export const BARE_PAGE_ANSWERS = [
  ...READ_ROUTES.map((route) => `${route.replaceAll(/:\w+/g, ':id')} ${route.includes('invite') ? 404 : 200}`),
  ...TRUST_ROUTES.map((route) => `${route} 404`),
  ...FORM_ROUTES.map((route) => `${route.replaceAll(/:\w+/g, ':id')} 415`),
];
