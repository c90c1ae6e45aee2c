/** The rows of the security checklist on shares, webhooks, pages and GraphQL. */
import type { Rows } from './rows.ts';

const GUARDS = 'api/guards.test.ts';
const ENTRIES = 'e2e/security-entry-points.test.ts';
const NETWORK = 'e2e/security-network.test.ts';
const PAGES = 'e2e/security-pages.test.ts';
const GUESSING = 'e2e/security-guessing.test.ts';
const SENDER = 'drivers/http/guarded-sender.test.ts';
const SECRETS = 'e2e/security-secrets.test.ts';
const SHARES = 'app/sharing/shares.test.ts';
const LINKS = 'app/sharing/share-links.test.ts';
const PREFETCH_OR_PREVIEW = 'api/share/prefetch-or-preview.test.ts';
const ANONYMOUS = 'api/graphql/anonymous.test.ts';

export const SURFACE_ROWS: Rows = {
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
    ['contract/section-4-4-share-links.test.ts', 'is the same 404, for every fault, and for every request'],
  ],
  32: [
    'GET that acts does so for people alone',
    [PREFETCH_OR_PREVIEW, 'does not act: %j', 'answers as GET of the state would, and does not act'],
    [
      PREFETCH_OR_PREVIEW,
      'refuses GET with 405, naming POST, and takes POST',
      'does not act from a page that a browser loads in advance either',
    ],
    ['api/share/browser-rights.test.ts', 'does not use the cookies of the visitor: the page asks first'],
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
    [SECRETS, 'the log shows no share, no address of a webhook, no passcode and no header'],
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
    [SHARES, 'is nothing outside its schedule, for every share, and a clock that is set back extends nothing'],
  ],
  35: [
    'a share shows what is in it',
    ['app/sharing/share-contents.test.ts', 'reaches nothing else, for every id'],
    ['contract/section-4-4-share-links.test.ts', 'takes a filter by id prefix, and shows nothing else by it'],
    ['api/share/browser-rights.test.ts', 'reach nothing that is not in the share (row 35)'],
  ],
  36: [
    'shares are neither found nor kept',
    [ENTRIES, '%s (%i) are exactly these (rows 36 and 48)'],
    [
      'contract/section-4-4-share-links.test.ts',
      'is noindex, no-referrer and no-store, on every answer (decisions §8)',
    ],
  ],
  37: [
    'where requests may lead',
    ['drivers/http/target-rules.test.ts', '$url $resolved', 'is in a table of at least sixty spellings'],
    ['app/webhooks/webhook-choices.test.ts', 'is refused at once, or when it is looked up: $url'],
    [
      'contract/decisions-9-webhooks.test.ts',
      'loopback, link-local, metadata addresses and hearthd itself are refused, however they are written',
    ],
    [SENDER, 'is nowhere on this computer unless that is allowed, and no connection is made'],
    [
      'app/mqtt/brokers.test.ts',
      'has no host with %s',
      'may be on this very computer, but not where hearthd itself listens',
    ],
  ],
  38: [
    'names that change what they mean',
    [
      SENDER,
      'is the address that was judged, even if the name means another a moment later',
      'is judged again with each request: a name that turned to loopback is refused',
      'is one of the addresses of a name that may be sent to, never one of the others',
    ],
  ],
  39: [
    'no redirects, proxies, cookies and endless answers',
    [SENDER, 'is not where a redirect points to: %i is the answer', 'goes to no proxy that the environment names'],
    [
      SENDER,
      'has no cookie that an earlier answer set',
      'has no header with %s: it is refused before anything is connected',
    ],
    [SENDER, 'is read up to 64 KiB, though it never ends, and the connection is closed then'],
    ['e2e/webhooks.test.ts', 'are cut off in time, followed nowhere, and delay no other'],
  ],
  40: [
    'signatures that receivers verify',
    ['e2e/webhooks.test.ts', 'is verified with the standardwebhooks package, and by the formula'],
    [
      'contract/decisions-9-webhooks.test.ts',
      'both kinds of receiver verify; after rotation the old secret signs too for 24 hours',
    ],
    [
      'app/webhooks/webhooks.test.ts',
      'begins active, with the defaults, a secret of 256 bits that is shown once, and its deliveries know of it',
    ],
  ],
  41: [
    'incoming webhooks',
    [
      'contract/section-6-2-incoming-webhook.test.ts',
      'the id has at least 128 bits of randomness',
      'up to 64 KiB: a byte more is refused, announced or not',
      'an automation that has run ten times within a minute is rate limited: 429, when to try again, and a trace',
      'a webhook that is called without end is rate limited before its body is read',
    ],
    [
      'contract/section-6-2-incoming-webhook.test.ts',
      'ten thousand lists within each other are 400 and do no harm',
      '__proto__ reaches no prototype',
      'HEAD never fires, nor does a prefetch or a preview',
    ],
  ],
  42: [
    'the history of deliveries hides secrets',
    ['app/webhooks/deliveries.test.ts', 'keeps a little of an answer, and of our secrets nothing'],
    [
      'contract/section-6-1-webhooks.test.ts',
      'no answer, refusal, history or log line has a secret, however it is spelt (security C4 42)',
    ],
    [
      SECRETS,
      'no log, page, refusal, list, diagnosis or process listing holds one',
      'no file of the data directory holds one: running, killed, copied or stopped',
    ],
  ],
  43: [
    'names run nothing',
    ['browser/pages.test.ts', 'runs nothing that an accessory’s name holds'],
    ['browser/sign-in.test.ts', 'runs nothing that a name holds'],
    ['browser/share.test.ts', 'shows markup in names as text'],
    ['api/html/plain-text.test.ts', 'is text and separate from its surroundings, regardless of the markup in it'],
    [
      'api/html/page.test.ts',
      'has no script, no style and no handler written into it, and names nothing of another site',
    ],
  ],
  44: [
    'CSRF',
    [PAGES, 'is in the table', '%s does nothing for any other site'],
    [PAGES, 'every cookie', 'that http could have planted is not read over https', 'is set in one file alone'],
    [ENTRIES, 'of the API takes no cookie for a token'],
    [GUARDS, 'refuses %s, which forms of other sites could send'],
  ],
  45: [
    'GraphQL has limits',
    ['api/graphql/limits-real-schema.test.ts', 'an attack is refused before it costs anything', 'and does nothing'],
    ['api/graphql/limits.test.ts', 'what is refused, and how it is reported'],
    ['api/graphql/transport.test.ts', 'by GET is refused with 405 and does nothing'],
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
    [ENTRIES, 'at the new entry points reveals nothing of the inside and is never a fault of ours (row 47)'],
    [
      'api/mcp/fuzz.test.ts',
      'answers every input, reveals nothing of the machine and touches no home that is not the caller’s',
    ],
    ['api/http.test.ts', 'an unexpected one is logged whole and answered without anything of it'],
  ],
  48: [
    'headers',
    [ENTRIES, '%s (%i) are exactly these (rows 36 and 48)'],
    [
      'api/http.test.ts',
      'are exactly the protective ones and those of the content',
      'are there on every route, on errors and on refusals',
    ],
    ['api/pages.test.ts', 'has a policy without inline scripts, eval, other hosts or frames'],
    ['api/html/page.test.ts', 'the policy of a page'],
  ],
  49: [
    'no uploads',
    [ENTRIES, 'is taken nowhere (row 49)'],
    ['contract/section-4-1-rest.test.ts', 'POST /rest/background does so to a multipart upload too'],
  ],
};
