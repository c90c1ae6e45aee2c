/**
 * The security checklist, row by row: what must hold of the network face (1–11), of tokens and OAuth (12–30), of shares (31–36) and of
 * pages and GraphQL (43–49), and the tests that show it. A test that is renamed or taken away takes its row with it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const TESTS = resolve(import.meta.dirname, '..');

/** A file below `test/` and the titles in it, of tests or of a group of them, as they are written there. */
type Shown = readonly [file: string, ...titles: string[]];

const GUARDS = 'faces/guards.test.ts';
const DOORS = 'e2e/security-doors.test.ts';
const NETWORK = 'e2e/security-network.test.ts';
const PAGES = 'e2e/security-pages.test.ts';
const GUESSING = 'e2e/security-guessing.test.ts';
const ENDINGS = 'e2e/security-endings.test.ts';
const SECRETS = 'e2e/security-secrets.test.ts';
const APPS = 'e2e/security-oauth.test.ts';
const AUTHORIZE = 'faces/oauth/authorize.test.ts';
const TOKENS = 'faces/oauth/tokens.test.ts';
const REGISTRATION = 'faces/oauth/registration.test.ts';
const SHARES = 'app/sharing/shares.test.ts';
const LINKS = 'app/sharing/share-links.test.ts';
const UNWISHED = 'faces/share/unwished.test.ts';
const ANONYMOUS = 'faces/graphql/anonymous.test.ts';
const SIGN_IN = 'app/users/sign-in.test.ts';
const SETUP_CODES = 'app/users/setup-codes.test.ts';
const PEOPLE = 'contract/decisions-7-people.test.ts';

const CHECKLIST: Readonly<Record<number, readonly [check: string, ...shown: Shown[]]>> = {
  1: [
    'DNS rebinding',
    [DOORS, 'refuses the host name %s, whatever credentials come with it (row 1)'],
    [GUARDS, 'the Host guard', 'looks at the request target where that is absolute, as RFC 9112 has it'],
  ],
  2: [
    'a foreign Origin, and none that is told',
    [DOORS, 'refuses what comes with credentials from the origin %s, and what would change something (row 2)'],
    [GUARDS, 'refuses a change asked for by a page of %s', 'refuses a read that carries credentials: %o'],
  ],
  3: [
    'CORS: never any origin, never with credentials',
    [DOORS, 'gives no foreign origin anything to read, and no public site the way into the house (rows 3 and 4)'],
    [DOORS, 'never lets a configured origin use cookies, nor reach in from the public network'],
    [
      GUARDS,
      'grants nothing in the preflight of %s',
      'lets pages of a configured origin through, without credentials mode',
    ],
  ],
  4: [
    'Private Network Access',
    [DOORS, 'gives no foreign origin anything to read, and no public site the way into the house (rows 3 and 4)'],
    [GUARDS, 'never opens the private network to a public page, not even a configured one'],
  ],
  5: [
    'the first claim',
    [
      SETUP_CODES,
      'makes one founder of a hundred who come at the same moment',
      'is void after five wrong tries, the right one too',
    ],
    [
      SETUP_CODES,
      'is refused once somebody owns the relay, whatever code is given',
      'lives for ten minutes, which no clock set back extends',
    ],
    [
      'e2e/first-claim.test.ts',
      'says at each start where it is claimed, with a new code that works over the network, once',
    ],
  ],
  6: [
    'no default password, no way to go without',
    [PEOPLE, 'is always required; there is no default password and no "auth none"'],
  ],
  7: [
    'nobody learns who has an account',
    [GUESSING, 'of somebody and of nobody are refused alike, in words and in work (row 7)'],
    [SIGN_IN, 'tells a wrong password, an unknown address and nonsense in one sentence, after the same work'],
    [SIGN_IN, 'computes no less for nobody than for somebody: the hash has the same parameters'],
    [
      'app/users/passwords.test.ts',
      'are compared with nobody’s where there is none, at the same cost, and never found right',
    ],
  ],
  8: [
    'guessing is slow: a thousand tries from one address and from fifty',
    [SIGN_IN, 'is stopped at a thousand tries from one address, whatever the accounts'],
    [
      SIGN_IN,
      'is stopped at a thousand tries from fifty addresses, while the owner comes in on the relay’s own computer',
    ],
    [
      SIGN_IN,
      'locks nobody out where they are signed in already',
      'counts tries that come at the same moment, before any is computed',
    ],
    [GUESSING, 'a password', 'a passcode (row 46)'],
    [GUESSING, 'is void after five wrong ones, whichever way they came; whoever runs the relay makes another'],
    [
      'app/access/attempts.test.ts',
      'hold across a restart',
      'lock nobody for longer than the rule, however the clock is set',
    ],
    // Tokens and client secrets are 256 random bits, which nobody guesses.
    ['app/access/access-tokens.test.ts', 'are hc_ and 43 base64url characters, listed by their first eleven'],
  ],
  9: [
    'slow, large, many and smuggled requests',
    [
      NETWORK,
      'serves others while 2,000 connections say nothing',
      'reads nothing of what strangers send in bodies, and little of what they announce',
    ],
    [NETWORK, 'serves others while hundreds never end their headers, and while hundreds never end their bodies'],
    [
      NETWORK,
      'keeps nothing of what strangers send where nobody has to say who they are: at sign-in, to apps, on links',
    ],
    [NETWORK, 'refuses %s', 'stands 200 connections of random bytes'],
    ['faces/share/live-streams.test.ts', 'streams are bounded'],
    ['faces/mcp/subscriptions.test.ts', 'is open eight times a token at most; a stream that ends makes room'],
  ],
  10: [
    'a strict parser',
    ['faces/server.test.ts', 'answers 431 to headers above 16 kB', 'refuses a request with %s'],
    [NETWORK, 'refuses %s'],
  ],
  11: [
    'what is open without a token is a list',
    [NETWORK, 'with %s, only what holds nothing of the home answers'],
    [
      'faces/http.test.ts',
      'is what holds no data of the home: health, the API document and the pages, and webhooks, whose ids are secrets',
    ],
    ['faces/http.test.ts', 'tells nothing about which other addresses exist'],
    [ANONYMOUS, 'fields of any name and shape: nothing but what is public is ever answered'],
  ],
  12: [
    'redirects exactly as registered',
    [AUTHORIZE, 'sends nobody to %j, which the app did not register, but answers with a page'],
    [AUTHORIZE, 'registered for %s, may be sent to %s: %s (RFC 8252: only the port of this computer is free)'],
  ],
  13: [
    'no open redirect',
    [AUTHORIZE, 'answers %s with a page', 'refuses a parameter that comes twice'],
    ['faces/html/return-to.test.ts', 'is not %s', 'is on this origin and one of our pages, whatever is wished for'],
  ],
  14: [
    'PKCE, S256 alone',
    [AUTHORIZE, 'tells the app of %s in the redirect, with state and issuer'],
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
    [AUTHORIZE, 'tells the app of %s in the redirect, with state and issuer'],
    [
      'contract/section-4-3-oauth.test.ts',
      'GET /oauth/authorize ends in a redirect to redirect_uri with code, iss and state',
    ],
  ],
  18: [
    'refresh tokens are rotated',
    [
      TOKENS,
      'is rotated; used later again, it ends the whole sign-in',
      'gives one successor to fifty who ask with it at once',
    ],
    [
      TOKENS,
      'gives the same answer again within seconds, until that was used',
      'is answered again to its own app only',
    ],
  ],
  19: [
    '303 after every form',
    [PAGES, '%s does its work for ours, and answers 303 (row 19)'],
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
    [
      'faces/html/consent-page.test.ts',
      'shows a name of %s as harmless text',
      'lets no name push the rest out of sight',
    ],
    ['faces/html/consent-page.test.ts', 'shows the app’s name as its own claim, and where the answer really goes'],
    [AUTHORIZE, 'shows the app as unverified, where it leads to in full, what it asks for and which homes there are'],
  ],
  23: [
    'registering without end, or to have something fetched',
    [REGISTRATION, 'stops ten thousand from as many addresses, keeps no more than it said, and forgets them in a day'],
    [
      REGISTRATION,
      'stops one address after twenty in an hour, and lets it on afterwards',
      'refuses to send anybody to %j',
    ],
    [APPS, 'has nothing fetched, whatever addresses it registers and wishes for (row 23)'],
  ],
  24: [
    'tokens have one audience, and go nowhere else',
    [
      APPS,
      'gets no other audience’s token taken for its own: MCP’s opens MCP, and nobody else’s opens anything (row 24)',
    ],
    [APPS, 'has its token passed on to nobody (row 24)'],
    [TOKENS, 'for MCP opens no other door, and one for everything does'],
    ['e2e/mcp-oauth.test.ts', 'gets a token that opens this door and no other'],
  ],
  25: [
    'scopes, roles and homes at every operation',
    ['faces/authorization-matrix.test.ts', 'has a row', 'says of every route who may use it'],
    [
      'faces/graphql/authorization.test.ts',
      'is in the table',
      'query %s answers whom it should',
      'mutation %s obeys whom it should',
    ],
    [
      'faces/mcp/authorization.test.ts',
      'do for %s what the role allows, and nothing else',
      'say of a home that one may not see what they say of none',
    ],
    ['app/access/authorize.test.ts', 'authorize'],
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
      'the log tells no share, no address of a webhook, no passcode and no header',
    ],
    [DOORS, 'every answer under /oauth, /s and the pages keep their address from other sites (row 27)'],
    ['e2e/security-at-rest.test.ts', 'appear in no log line, process listing, answer, list or diagnosis'],
  ],
  28: [
    'what is taken back is over, for what is open too',
    [ENDINGS, 'every open stream ends within a second (row 28) when', 'its share is opened by a session that ends'],
    ['faces/share/live-streams.test.ts', 'ends within a second of the share', 'ends with the passcode that opened it'],
    ['faces/mcp/subscriptions.test.ts', 'ends within a second of its token’s revocation'],
  ],
  29: [
    'JWTs: one algorithm, a key of our own',
    [
      'app/users/sessions.test.ts',
      'are refused whatever is wrong with the JWT, in one sentence',
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
      '%s, though nobody asked for it before',
    ],
    [ENDINGS, '%s, once a clock that ran ahead has ended it', '%s, and until then it was good'],
    ['app/users/sessions.test.ts', 'that were past once stay so after a restart with an older clock'],
  ],
  31: [
    'share links can’t be forged',
    [
      LINKS,
      'can’t be guessed: a hundred thousand forged ones lead nowhere, in bounded time',
      'leads nowhere with any one of its bits flipped',
    ],
    [
      LINKS,
      'is base64url of version, type, UUID and a 128-bit tag: 46 characters',
      'takes any text for one, and does the same work for all of them',
    ],
    [SHARES, 'is one for all rows of an entity, and dead for good once the last of them is gone'],
    ['contract/section-4-4-share-links.test.ts', 'is the same 404, whatever is wrong with it, and whatever is asked'],
  ],
  32: [
    'GET that acts does so for people alone',
    [UNWISHED, 'does not act: %j', 'answers as GET of the state would, and does not act'],
    [
      UNWISHED,
      'refuses GET with 405, naming POST, and takes POST',
      'does not act from a page that a browser loads in advance either',
    ],
    ['faces/share/browser-rights.test.ts', 'does not use the cookies of whoever follows it: the page asks first'],
  ],
  33: [
    'passcodes',
    [SHARES, 'are guessed at five times in 15 minutes from one address, and right ones do not count'],
    [
      SHARES,
      'are guessed at 25 times from everywhere together',
      'count before they are computed: fifty at the same moment are five',
    ],
    [
      'app/users/passwords.test.ts',
      'are kept as Argon2id with the parameters that OWASP asks for, each with a salt of its own',
    ],
    [SECRETS, 'the log tells no share, no address of a webhook, no passcode and no header'],
  ],
  34: [
    'when a share is open',
    [
      'app/sharing/share-schedule.test.ts',
      'is open in both of an hour that is shown twice, and in nothing of one that is left out',
    ],
    [
      'app/sharing/share-schedule.test.ts',
      'agree, in any zone and at every change of clocks',
      'begins with starts_at and ends with the moment before expires_at',
    ],
    [SHARES, 'is nothing outside its schedule, whatever it needs, and a clock that is set back extends nothing'],
  ],
  35: [
    'a share shows what is in it',
    ['app/sharing/share-contents.test.ts', 'reaches nothing else, whatever ids they try'],
    ['contract/section-4-4-share-links.test.ts', 'takes a filter by id prefix, and shows nothing else by it'],
    ['faces/share/browser-rights.test.ts', 'reach nothing that is not in the share (row 35)'],
  ],
  36: [
    'shares are neither found nor kept',
    [DOORS, '%s (%i) are exactly these (rows 36 and 48)'],
    [
      'contract/section-4-4-share-links.test.ts',
      'is noindex, no-referrer and no-store, on every answer (decisions §8)',
    ],
  ],
  43: [
    'names run nothing',
    ['browser/pages.test.ts', 'runs nothing that an accessory’s name holds'],
    ['browser/sign-in.test.ts', 'runs nothing that a name holds'],
    ['browser/share.test.ts', 'shows markup in names as text'],
    ['faces/html/plain-text.test.ts', 'is text and apart from what stands around it, whatever markup it holds'],
    [
      'faces/html/page.test.ts',
      'has no script, no style and no handler written into it, and names nothing of another site',
    ],
  ],
  44: [
    'CSRF',
    [PAGES, 'is in the table', '%s does nothing for any other site'],
    [PAGES, 'is out of reach of scripts and other sites, and never leaves https again'],
    [DOORS, 'of the API takes no cookie for a token'],
    [GUARDS, 'refuses %s, which forms of other sites could send'],
  ],
  45: [
    'GraphQL has limits',
    ['faces/graphql/limits-real-schema.test.ts', 'an attack is refused before it costs anything', 'and does nothing'],
    ['faces/graphql/limits.test.ts', 'what is refused, and how it is told'],
    ['faces/graphql/transport.test.ts', 'by GET is refused with 405 and does nothing'],
    [ANONYMOUS, 'no suggestions in what is wrong with a public field', 'circles of fragments come to an end'],
  ],
  46: [
    'an alias is a try',
    [
      'contract/section-4-2-sharing.test.ts',
      'counts a thousand passcodes in aliases as a thousand, and never tries the sixth',
    ],
    [
      ANONYMOUS,
      'through aliases counts each field as a try',
      'a thousand aliases are refused as a whole, before any is tried',
    ],
    [GUESSING, 'a passcode (row 46)'],
  ],
  47: [
    'errors tell nothing of the inside',
    [NETWORK, 'answers all of them without failing, and without a word of its inside'],
    [DOORS, 'at the new doors tells nothing of the inside and is never a fault of ours (row 47)'],
    [
      'faces/mcp/fuzz.test.ts',
      'answers whatever it is sent, tells nothing of the machine and touches no home that is not the caller’s',
    ],
    ['faces/http.test.ts', 'an unexpected one is logged whole and answered without anything of it'],
  ],
  48: [
    'headers',
    [DOORS, '%s (%i) are exactly these (rows 36 and 48)'],
    [
      'faces/http.test.ts',
      'are exactly the protective ones and those of the content',
      'are there on every route, on errors and on refusals',
    ],
    ['faces/pages.test.ts', 'has a policy without inline scripts, eval, other hosts or frames'],
    ['faces/html/page.test.ts', 'the policy of a page'],
  ],
  49: [
    'no uploads',
    [DOORS, 'is taken nowhere (row 49)'],
    ['contract/section-4-1-rest.test.ts', 'POST /rest/background does so to a multipart upload too'],
  ],
};

/** Webhooks that are sent (37–42) and what lies on the disk and around it (50–60) have tests of their own. */
const ROWS = [...Array.from({ length: 36 }, (_, n) => n + 1), 43, 44, 45, 46, 47, 48, 49];

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Whether a test or a group of tests has this title: what is skipped, commented out or only mentioned has not. */
function hasTest(source: string, title: string): boolean {
  const code = source.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
  return new RegExp(`(?:\\b(?:it|describe)(?:\\.concurrent)?\\(|\\)\\()\\s*(['"\`])${escaped(title)}\\1\\s*,`).test(
    code,
  );
}

describe('the security checklist', () => {
  it('has every row', () => {
    expect(Object.keys(CHECKLIST).map(Number)).toEqual(ROWS);
  });

  it.each(Object.entries(CHECKLIST).map(([row, [check, ...shown]]) => [row, check, shown] as const))(
    'row %s is shown: %s',
    (_row, _check, shown) => {
      expect(shown.length).toBeGreaterThan(0);
      const missing = shown.flatMap(([file, ...titles]) => {
        const path = join(TESTS, file);
        if (!existsSync(path)) return [`${file} is gone`];
        const source = readFileSync(path, 'utf8');
        return titles.filter((title) => !hasTest(source, title)).map((title) => `${file} has no test "${title}"`);
      });
      expect(missing).toEqual([]);
    },
  );

  it('would miss a test that is renamed, skipped or commented out', () => {
    const title = 'refuses it';
    for (const source of [
      `it('refuses it', () => {`,
      `])(\n    'refuses it',\n    () => {`,
      `describe('refuses it', () => {`,
    ])
      expect(hasTest(source, title)).toBe(true);
    for (const source of [
      `it('refuses it all', () => {`,
      `it.skip('refuses it', () => {`,
      `// it('refuses it', () => {`,
      `'refuses it',`,
    ])
      expect(hasTest(source, title)).toBe(false);
  });
});
