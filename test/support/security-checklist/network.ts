/** The rows of the security checklist on the network API. */
import type { Rows } from './rows.ts';

const GUARDS = 'api/guards.test.ts';
const ENTRIES = 'e2e/security-entry-points.test.ts';
const NETWORK = 'e2e/security-network.test.ts';
const GUESSING = 'e2e/security-guessing.test.ts';
const ANONYMOUS = 'api/graphql/anonymous.test.ts';
const SIGN_IN = 'app/users/sign-in.test.ts';
const SETUP_CODES = 'app/users/setup-codes.test.ts';
const PEOPLE = 'contract/decisions-7-people.test.ts';

export const NETWORK_ROWS: Rows = {
  1: [
    'DNS rebinding',
    [ENTRIES, 'refuses the host name %s, with all credentials (row 1)'],
    [GUARDS, 'the Host guard', 'looks at the request target where that is absolute, as RFC 9112 has it'],
  ],
  2: [
    'a foreign Origin, and none that is told',
    [ENTRIES, 'refuses what comes with credentials from the origin %s, and what would change something (row 2)'],
    [GUARDS, 'refuses a change asked for by a page of %s', 'refuses a read that carries credentials: %o'],
    [NETWORK, 'accepts %s on no port, with every token'],
  ],
  3: [
    'CORS: never any origin, never with credentials',
    [ENTRIES, 'gives no foreign origin anything to read, and no public site the way into the home (rows 3 and 4)'],
    [ENTRIES, 'never lets a configured origin use cookies, nor reach in from the public network'],
    [
      GUARDS,
      'grants nothing in the preflight of %s',
      'lets pages of a configured origin through, without credentials mode',
    ],
  ],
  4: [
    'Private Network Access',
    [ENTRIES, 'gives no foreign origin anything to read, and no public site the way into the home (rows 3 and 4)'],
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
      'is refused once the relay has an owner, for every code',
      'lives for ten minutes, which no clock set back extends',
    ],
    [
      'e2e/first-claim.test.ts',
      'prints at each start where it is claimed, with a new code that works over the network, once',
    ],
  ],
  6: [
    'no default password, no way to go without',
    [PEOPLE, 'is always required; there is no default password and no "auth none"'],
  ],
  7: [
    'nobody learns who has an account',
    [GUESSING, 'of a known and of an unknown user are refused alike, in words and in work (row 7)'],
    [SIGN_IN, 'reports a wrong password, an unknown address and nonsense in one sentence, after the same work'],
    [SIGN_IN, 'computes as much for unknown accounts: the hash has the same parameters'],
    [
      'app/users/passwords.test.ts',
      'are compared with a decoy if there is none, at the same cost, and never found right',
    ],
  ],
  8: [
    'guessing is slow: a thousand tries from one address and from fifty',
    [SIGN_IN, 'is stopped at a thousand tries from one address, for all accounts'],
    [
      SIGN_IN,
      'is stopped at a thousand tries from fifty addresses, while the owner comes in on the relay’s own computer',
    ],
    [SIGN_IN, 'locks out no signed-in sessions', 'counts tries that come at the same moment, before any is computed'],
    [GUESSING, 'a password', 'a passcode (row 46)'],
    [GUESSING, 'is void after five wrong ones, from all entry points; the admin of the relay makes another'],
    [
      'app/access/attempts.test.ts',
      'hold across a restart',
      'lock no one for longer than the rule, however the clock is set',
    ],
    // Tokens and client secrets are 256 random bits, which cannot be guessed.
    ['app/access/access-tokens.test.ts', 'are hc_ and 43 base64url characters, listed by their first eleven'],
  ],
  9: [
    'slow, large, many and smuggled requests',
    [
      NETWORK,
      'serves others while 2,000 connections are silent',
      'reads nothing of what strangers send in bodies, and little of what they announce',
    ],
    [NETWORK, 'serves others while hundreds never end their headers, and while hundreds never end their bodies'],
    [NETWORK, 'keeps nothing of what strangers send without authentication: at sign-in, to apps, on links'],
    [NETWORK, 'refuses %s', 'stands 200 connections of random bytes'],
    ['api/share/live-streams.test.ts', 'streams are bounded'],
    ['api/mcp/subscriptions.test.ts', 'is open eight times a token at most; a stream that ends makes room'],
  ],
  10: [
    'a strict parser',
    ['api/server.test.ts', 'answers 431 to headers above 16 kB', 'refuses a request with %s'],
    [NETWORK, 'refuses %s'],
  ],
  11: [
    'what is open without a token is a list',
    [NETWORK, 'with %s, only what holds nothing of the home answers'],
    [NETWORK, 'answers nothing else, for every request and caller'],
    [NETWORK, 'reveals to strangers nothing of the home, and makes room for others when strangers fill it'],
    [
      'api/http.test.ts',
      'is what holds no data of the home: health, the API document and the pages, and webhooks, whose ids are secrets',
    ],
    ['api/http.test.ts', 'reveals nothing about which other addresses exist'],
    [ANONYMOUS, 'fields of any name and shape: nothing but what is public is ever answered'],
  ],
};
