/** The rows of the security checklist on tokens and OAuth. */
import type { Rows } from './rows.ts';

const ENTRIES = 'e2e/security-entry-points.test.ts';
const PAGES = 'e2e/security-pages.test.ts';
const ENDINGS = 'e2e/security-endings.test.ts';
const SUBSCRIBING = 'e2e/security-streams.test.ts';
const SECRETS = 'e2e/security-secrets.test.ts';
const APPS = 'e2e/security-oauth.test.ts';
const AUTHORIZE = 'api/oauth/authorize.test.ts';
const TOKENS = 'api/oauth/tokens.test.ts';
const REGISTRATION = 'api/oauth/registration.test.ts';

export const TOKEN_ROWS: Rows = {
  12: [
    'redirects exactly as registered',
    [AUTHORIZE, 'sends no one to %j, which the app did not register, but answers with a page'],
    [AUTHORIZE, 'registered for %s, may be sent to %s: %s (RFC 8252: only the port of this computer is free)'],
  ],
  13: [
    'no open redirect',
    [AUTHORIZE, 'answers %s with a page', 'refuses a parameter that comes twice'],
    ['api/html/return-to.test.ts', 'is not %s', 'is on this origin and one of our pages, regardless of the request'],
  ],
  14: [
    'PKCE, S256 alone',
    [AUTHORIZE, 'reports %s to the app in the redirect, with state and issuer'],
    [TOKENS, 'belongs to its app, its address, its verifier and its resource'],
  ],
  15: [
    'a code is good once',
    [TOKENS, 'is good once; who comes with it again ends everything that came of it'],
    [TOKENS, 'is good once even for twenty who come with it at the same moment'],
  ],
  16: [
    'a code is bound',
    [
      TOKENS,
      'belongs to its app, its address, its verifier and its resource',
      'for MCP alone gives no token for everything',
    ],
  ],
  17: [
    'mix-up: the issuer says so',
    [AUTHORIZE, 'reports %s to the app in the redirect, with state and issuer'],
    [
      'contract/section-4-3-oauth.test.ts',
      'GET /oauth/authorize ends in a redirect to redirect_uri with code, iss and state',
    ],
  ],
  18: [
    'refresh tokens are rotated',
    [
      TOKENS,
      'is invalid at once after a refresh, and its reuse revokes the whole family',
      'gives one successor to fifty who ask with it at once',
    ],
    [
      TOKENS,
      'gives the same answer again within the window, until that was used',
      'is answered again to its own app only',
    ],
  ],
  19: [
    '303 after every form',
    [PAGES, '%s does its work for ours, and answers 303, or with what is shown once (row 19)'],
    [AUTHORIZE, 'takes no wrong password, and goes on with the right one by 303'],
  ],
  20: ['no clickjacking of the consent', [PAGES, 'can’t be framed, and asks for the password each time']],
  21: [
    'no CSRF of the consent',
    [AUTHORIZE, 'is refused without its token, from elsewhere and from another browser'],
    [PAGES, '%s does nothing for any other site'],
  ],
  22: [
    'an app’s name is its own claim',
    ['api/html/consent-page.test.ts', 'shows a name of %s as harmless text', 'lets no name push the rest out of sight'],
    ['api/html/consent-page.test.ts', 'shows the app’s name as its own claim, and where the answer really goes'],
    [AUTHORIZE, 'shows the app as unverified, where it leads to in full, what it asks for and which homes there are'],
  ],
  23: [
    'registering without end, or to have something fetched',
    [
      REGISTRATION,
      'stops ten thousand from as many addresses, keeps no more than its limit, and forgets them in a day',
    ],
    [REGISTRATION, 'stops one address after twenty in an hour, and lets it on afterwards', 'refuses to redirect to %j'],
    [APPS, 'has nothing fetched, for all addresses that it registers and asks for (row 23)'],
  ],
  24: [
    'tokens have one audience, and go nowhere else',
    [APPS, 'gets no other audience’s token taken for its own: MCP’s opens MCP, and no other opens anything (row 24)'],
    [APPS, 'has its token passed on to no server (row 24)'],
    [TOKENS, 'for MCP opens no other door, and one for everything does'],
    ['e2e/mcp-oauth.test.ts', 'gets a token that opens this door and no other'],
  ],
  25: [
    'scopes, roles and homes at every operation',
    ['api/authorization-matrix.test.ts', 'has a row', 'states of every route who may use it'],
    [
      'api/graphql/authorization.test.ts',
      'is in the table',
      'query %s answers whom it should',
      'mutation %s obeys whom it should',
    ],
    [
      'api/mcp/authorization.test.ts',
      'do for %s what the role allows, and nothing else',
      'report the same for a home that one may not see as for none',
    ],
    ['app/access/authorize.test.ts', 'authorize'],
    [
      'api/live/websocket-authorization.test.ts',
      'every action',
      'updates reach callers who may see the home, and no one else',
    ],
    [SUBSCRIBING, 'receives by %s what they may see, and nothing of other homes'],
    [SUBSCRIBING, 'receives by %s nothing of what happens after their access was removed'],
  ],
  26: [
    'tokens are kept as hashes',
    [SECRETS, 'no file of the data directory holds one: running, killed, copied or stopped'],
    ['app/access/access-tokens.test.ts', 'are stored as SHA-256 and never whole, in no row and no listing'],
    [TOKENS, 'has no token, code, secret or verifier in the clear, and outlives a restart'],
    ['app/oauth/replay.test.ts', 'is opened with the token that it was given for, and with nothing else'],
  ],
  27: [
    'no token in addresses, logs and Referer',
    [
      SECRETS,
      'no log, page, refusal, list, diagnosis or process listing holds one',
      'the log shows no share, no address of a webhook, no passcode and no header',
    ],
    [ENTRIES, 'every answer under /oauth, /s and the pages keep their address from other sites (row 27)'],
    ['e2e/security-at-rest.test.ts', 'appear in no log line, process listing, answer, list or diagnosis'],
  ],
  28: [
    'what is taken back is over, for what is open too',
    [ENDINGS, 'every open stream ends within a second (row 28) when', 'its share is opened by a session that ends'],
    ['api/share/live-streams.test.ts', 'ends within a second of the share', 'ends with the passcode that opened it'],
    ['api/mcp/subscriptions.test.ts', 'ends within a second of its token’s revocation'],
  ],
  29: [
    'JWTs: one algorithm, a key of our own',
    [
      'app/users/sessions.test.ts',
      'are refused for every fault of the JWT, in one sentence',
      'of another relay are refused',
    ],
    ['app/users/sessions.test.ts', 'are refused if a single bit of them is another one'],
    [
      'app/access/signing-keys.test.ts',
      'have 256 bits, differ by name and are the same after a restart',
      'differ from one relay to another',
    ],
  ],
  30: [
    'a clock that is set back revives nothing',
    [
      ENDINGS,
      '%s, though the clock is set back while it lives and after its end',
      '%s, though it was not asked for before',
    ],
    [ENDINGS, '%s, once a clock that ran ahead has ended it', '%s, and until then it was good'],
    ['app/users/sessions.test.ts', 'that were past once stay so after a restart with an older clock'],
  ],
};
