import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Webhooks } from '../../../src/app/webhooks/webhooks.ts';
import type { NewWebhook } from '../../../src/contract/webhooks.ts';
import { refusalOf } from '../../../src/drivers/http/target-rules.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { REFUSED_URLS } from '../../support/refused-urls.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { CountingHasher, createUser } from '../../support/test-users.ts';
import { createWebhookFixture } from './webhook-fixture.ts';

const NOTHING = '00000000-0000-4000-8000-000000000000';

let home: TestHome;
let webhooks: Webhooks;

beforeAll(() => {
  home = createTestHome({ sample: true, passwordHasher: new CountingHasher() });
  ({ webhooks } = createWebhookFixture(home));
});
afterAll(() => home.close());

/** Anything that a client may send in the fields. */
type Fields = { readonly [Field in keyof NewWebhook]?: unknown };

function attempt(input: Fields): { code: string; field?: string | undefined; message: string } {
  try {
    const fields = { name: 'W', url: 'https://example.com/', ...input } as NewWebhook;
    const { webhook } = webhooks.create(systemCaller, fields);
    webhooks.delete(systemCaller, webhook.id);
  } catch (error) {
    if (error instanceof HearthError) return { code: error.code, field: error.details.field, message: error.message };
    throw error;
  }
  return { code: 'done', message: '' };
}

const TAKEN: readonly Fields[] = [
  { name: 'x'.repeat(100) },
  { name: '🔔'.repeat(100) },
  { url: 'http://192.168.1.20:8080/hook?token=1' },
  { url: 'HTTP://example.com' },
  { url: ' https://example.com/ ' },
  { url: 'http://[fd00::20]/' },
  { url: 'http://printer/' },
  { url: 'https://bücher.example/' },
  { url: `https://example.com/${'x'.repeat(2_028)}` },
  { eventTypes: [] },
  { eventTypes: null },
  { eventTypes: ['*', 'state.changed'] },
  { eventTypes: ['webhook.test'] },
  { maxRetries: 0 },
  { maxRetries: 10 },
  { rateLimitPerMinute: 1 },
  { rateLimitPerMinute: 1_000 },
  { rateLimitPerMinute: null },
  { timeoutMs: 1_000 },
  { timeoutMs: 120_000 },
  { homeIds: null, roomIds: [], accessoryIds: undefined },
];

const REFUSED: readonly (readonly [field: string, input: Fields])[] = [
  ['maxRetries', { maxRetries: -1 }],
  ['maxRetries', { maxRetries: 11 }],
  ['maxRetries', { maxRetries: 1.5 }],
  ['maxRetries', { maxRetries: '3' }],
  ['rateLimitPerMinute', { rateLimitPerMinute: 0 }],
  ['rateLimitPerMinute', { rateLimitPerMinute: 1_001 }],
  ['rateLimitPerMinute', { rateLimitPerMinute: Number.NaN }],
  ['timeoutMs', { timeoutMs: 999 }],
  ['timeoutMs', { timeoutMs: 120_001 }],
  ['timeoutMs', { timeoutMs: Number.POSITIVE_INFINITY }],
  ['eventTypes', { eventTypes: ['state.change'] }],
  ['eventTypes', { eventTypes: 'state.changed' }],
  ['eventTypes[0]', { eventTypes: [1] }],
  ['eventTypes', { eventTypes: ['__proto__'] }],
  ['homeIds', { homeIds: {} }],
  ['homeIds[0]', { homeIds: [null] }],
  ['homeIds', { homeIds: Array.from({ length: 501 }, () => NOTHING) }],
  ['url', { url: 7 }],
  ['url', { url: '' }],
  ['url', { url: 'example.com' }],
  ['url', { url: 'ftp://example.com/' }],
  ['url', { url: 'file:///etc/passwd' }],
  ['url', { url: 'javascript:alert(1)' }],
  ['url', { url: 'https://' }],
  ['url', { url: 'https://exa mple.com/' }],
  ['url', { url: 'ht\ntps://example.com/' }],
  ['url', { url: 'https://example.com/\r\nX: 1' }],
  ['url', { url: 'https:\\\\example.com\\' }],
  ['url', { url: 'https://user@example.com/' }],
  ['url', { url: 'https://user:pass@example.com/' }],
  ['url', { url: 'https://:pass@example.com/' }],
  ['url', { url: 'https://example.com/#' }],
  ['url', { url: 'https://example.com/#top' }],
  ['url', { url: `https://example.com/${'x'.repeat(2_029)}` }],
];

/** Spellings of this computer itself and of what is never meant by a person. */
const OWN: readonly string[] = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.0.0.1.', '%31%32%37.0.0.1', '①②⑦.0.0.1'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'printer.localhost', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ'],
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]'],
  '192.168.1.10:5656',
];
const NEVER: readonly string[] = [
  ...['0.0.0.0', '0', '[::]', '169.254.169.254', '169.254.1.1', '[fe80::1]', '[::ffff:169.254.169.254]'],
  ...['100.100.100.200', '[fd00:ec2::254]', '224.0.0.251', '255.255.255.255', '[ff02::fb]', '2852039166'],
];

describe('what a webhook may be', () => {
  it.each(TAKEN.map((input) => [JSON.stringify(input).slice(0, 80), input] as const))('%s is taken', (_, input) => {
    expect(attempt(input)).toEqual({ code: 'done', message: '' });
  });

  it.each(REFUSED.map(([field, input]) => [field, JSON.stringify(input).slice(0, 80), input] as const))(
    'of %s is refused: %s',
    (field, _, input) => {
      expect(attempt(input)).toMatchObject({ code: 'invalid_value', field });
    },
  );

  it.each(['', ' ', '\u200b', 'a\nb', 'x'.repeat(101), 7])('a name is not %j', (name) => {
    expect(attempt({ name }).code).toBe('invalid_value');
  });

  it('a URL is kept as it was typed, and no refusal repeats a password', () => {
    const { webhook } = webhooks.create(systemCaller, { name: 'W', url: ' HTTPS://Example.com ' });
    expect(webhook.url).toBe('HTTPS://Example.com');
    expect(attempt({ url: 'https://user:hunter2@example.com/' }).message).not.toContain('hunter2');
  });

  it('a word that is nearly an event type gets a suggestion', () => {
    expect(attempt({ eventTypes: ['state.change'] }).message).toContain('Did you mean "state.changed"?');
  });
});

describe('where a webhook may lead', () => {
  it.each(OWN)('not to this computer itself, %s, unless the setting allows it', (host) => {
    const { code, field, message } = attempt({ url: `http://${host}/` });
    expect([code, field]).toEqual(['invalid_value', 'url']);
    expect(message).toMatch(/unless the setting webhooks_allow_loopback is on\.$/);
    const open = createWebhookFixture(home, { allowLoopback: true }).webhooks;
    const { webhook } = open.create(systemCaller, { name: 'W', url: `http://${host}/` });
    open.delete(systemCaller, webhook.id);
  });

  it.each(NEVER)('never to %s', (host) => {
    const { code, message } = attempt({ url: `http://${host}/` });
    expect(code).toBe('invalid_value');
    expect(message).toMatch(/nothing is sent there\.$/);
  });

  it('nowhere in the home if the setting forbids it, which the refusal names', () => {
    const closed = createWebhookFixture(home, { publicOnly: true }).webhooks;
    const refused = () => closed.create(systemCaller, { name: 'W', url: 'http://192.168.1.20/' });
    expect(refused).toThrow(/no public address: nothing is sent there while the setting webhooks_public_only is on\.$/);
    expect(closed.create(systemCaller, { name: 'W', url: 'https://93.184.215.14/' }).webhook.status).toBe('active');
  });
});

describe('an address in every spelling that we know of', () => {
  it.each(REFUSED_URLS.map(([url, resolved]) => ({ url, resolved })))(
    'is refused at once, or when it is looked up: $url',
    ({ url, resolved }) => {
      const { code } = attempt({ url });
      // What a name means is known when something is sent; only names that mean this computer always are known before.
      const isKnown = resolved === undefined || /localhost/.test(new URL(url).hostname);
      expect(code).toBe(isKnown ? 'invalid_value' : 'done');
    },
  );
});

describe('every spelling of an IPv4 address', () => {
  it('is judged as the address that it means', () => {
    const policy = { allowLoopback: false, ownAddresses: () => ['192.168.1.10'], ownPorts: () => [5656] };
    const near = fc.constantFrom(0, 10, 100, 127, 169, 192, 224, 255);
    const octet = fc.oneof(near, fc.nat(255));
    const radix = fc.constantFrom(
      (n: number) => String(n),
      (n: number) => `0x${n.toString(16)}`,
      (n: number) => `0${n.toString(8)}`,
    );
    const spelt = fc.tuple(radix, radix, radix, radix, fc.integer({ min: 1, max: 4 }), fc.constantFrom('', '.'));
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), spelt, (octets, [a, b, c, d, parts, dot]) => {
        const spellings = [a, b, c, d];
        // The last part stands for all octets that are left (WHATWG URL, §3.5).
        const rest = octets.slice(parts - 1).reduce((sum, part) => sum * 256 + part, 0);
        const numbers = [...octets.slice(0, parts - 1), rest];
        const host = numbers.map((number, index) => spellings[index]?.(number)).join('.') + dot;
        const isRefused = refusalOf(octets.join('.'), 80, policy) !== null;
        expect([host, attempt({ url: `http://${host}/` }).code]).toEqual([host, isRefused ? 'invalid_value' : 'done']);
      }),
    );
  });
});

describe('what its lists may name', () => {
  const LISTS = [
    ['homeIds', 'home_not_found', 'Home not found'],
    ['roomIds', 'room_not_found', 'Room not found'],
    ['accessoryIds', 'accessory_not_found', 'Accessory not found'],
    ['collectionIds', 'not_found', 'Collection not found'],
  ] as const;

  it.each(LISTS)('%s: only what is there; the error names the others', (field, code, sentence) => {
    expect(attempt({ [field]: [NOTHING] })).toEqual({ code, field, message: `${sentence}: ${NOTHING}` });
    expect(attempt({ [field]: ['x'.repeat(5_000)] }).message.length).toBeLessThan(120);
  });

  it('only what the caller manages, and of the collections their own', async () => {
    const ann = await createUser(home, { name: 'Ann', role: 'admin' });
    home.userSettings.update(ann.caller, { developerMode: true });
    const cabin = home.homes.create(systemCaller, { name: 'Cabin' });
    home.members.invite(systemCaller, { homeId: cabin.id, email: 'ann@example.org', role: 'control' });
    home.members.accept(ann.caller, cabin.id);
    const hut = home.homes.create(systemCaller, { name: 'Hut' });
    const den = home.rooms.create(systemCaller, { homeId: cabin.id, name: 'Den' });
    const bob = await createUser(home, { name: 'Bob', role: 'admin' });
    const ofBob = home.collections.create(bob.caller, { name: 'Of Bob' });
    const ofAnn = home.collections.create(ann.caller, { name: 'Of Ann' });
    const make = (input: object): string => {
      try {
        webhooks.create(ann.caller, { name: 'W', url: 'https://example.com/', ...input });
        return 'done';
      } catch (error) {
        return error instanceof HearthError ? error.code : 'thrown';
      }
    };
    expect(make({ homeIds: [cabin.id] })).toBe('insufficient_permissions');
    expect(make({ homeIds: [hut.id] })).toBe('home_not_found');
    expect(make({ roomIds: [den.id] })).toBe('insufficient_permissions');
    expect(make({ collectionIds: [ofBob.id] })).toBe('not_found');
    const lamp = home.named('Lamp');
    const own = { homeIds: [home.home.id], roomIds: [lamp.roomId], accessoryIds: [lamp.id] };
    expect(make({ ...own, collectionIds: [ofAnn.id] })).toBe('done');
  });

  it('what is in them already stays valid while it is away, and each is in them once', () => {
    const gone = home.rooms.create(systemCaller, { homeId: home.home.id, name: 'Attic' });
    const roomIds = [gone.id, gone.id.toUpperCase()];
    const { webhook } = webhooks.create(systemCaller, { name: 'W', url: 'https://example.com/', roomIds });
    expect(webhook.roomIds).toEqual([gone.id]);
    home.rooms.delete(systemCaller, gone.id);
    const { id } = webhook;
    expect(webhooks.update(systemCaller, id, { roomIds: [gone.id], name: 'X' }).roomIds).toEqual([gone.id]);
    expect(webhooks.update(systemCaller, id, { roomIds: null }).roomIds).toEqual([]);
    expect(() => webhooks.update(systemCaller, id, { roomIds: [gone.id] })).toThrow('Room not found');
  });
});
