import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GuardedSender } from '../../../src/drivers/http/guarded-sender.ts';
import { WebPushSender } from '../../../src/drivers/notifications/web-push.ts';
import { encryptPush, vapidPublicKey } from '../../../src/drivers/notifications/web-push-crypto.ts';
import { NotificationChannelError } from '../../../src/home/notification-channel.ts';
import { MAX_PUSH_BYTES, type PushMessage, PushSubscriptionGone } from '../../../src/home/web-push.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { Browser, type PushService, readVapid, startPushService } from '../../support/push-service.ts';

const SEED = randomBytes(32).fill(1, 0, 1);
const CONTACT = 'mailto:ada@example.org';
const MESSAGE: PushMessage = { payload: '{"body":"Offen"}', ttlSeconds: 3_600, urgency: 'high', topic: 'door' };
const clock = systemClock;

let service: PushService;
let browser: Browser;
let sender: GuardedSender;
let push: WebPushSender;

beforeEach(async () => {
  service = await startPushService();
  browser = service.subscribe();
  open(true);
});
afterEach(async () => {
  await sender.stop();
  await service.close();
});

function open(allowLoopback: boolean): void {
  sender = new GuardedSender({ clock, allowLoopback, ownAddresses: () => ['127.0.0.1'], ownPorts: () => [5_656] });
  push = new WebPushSender({ http: sender, clock, contact: () => CONTACT });
}

const send = (changes: Partial<PushMessage> = {}, to = browser.subscription) =>
  push.send(to, { ...MESSAGE, ...changes }, SEED, new AbortController().signal);

describe('encryption', () => {
  // RFC 8291, appendix A.
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');
  const AUTH = 'BTBZMqHH6r4Tts7J_aSIgg';
  const UA_PUBLIC = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
  const PLAINTEXT = 'When I grow up, I want to be a watermelon';
  const RESULT =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN';

  it('gives the bytes of the RFC’s example', () => {
    const random = {
      salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
      privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
    };
    const encrypted = encryptPush(PLAINTEXT, { p256dh: UA_PUBLIC, auth: AUTH }, random);
    expect(encrypted.toString('base64url')).toBe(RESULT);
  });

  it('is read by the test’s browser as the RFC’s example is', () => {
    const privateKey = bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94');
    const example = new Browser('https://push.example.net/1', { privateKey, auth: bytes(AUTH) });
    expect(example.subscription.p256dh).toBe(UA_PUBLIC);
    expect(example.decrypt(bytes(RESULT))).toBe(PLAINTEXT);
  });

  it('differs for the same message each time', () => {
    const [first, second] = [0, 1].map(() => encryptPush('same', browser.subscription));
    expect(first?.equals(second ?? Buffer.alloc(0))).toBe(false);
  });

  it('is unreadable for another browser', () => {
    const encrypted = encryptPush('secret', browser.subscription);
    expect(() => service.subscribe().decrypt(encrypted)).toThrow();
    expect(encrypted.includes('secret')).toBe(false);
  });
});

describe('a message', () => {
  it('arrives decrypted, with its lifetime, urgency and topic', async () => {
    await send();
    expect(browser.readAll(service)).toEqual([MESSAGE.payload]);
    const [{ headers } = { headers: {} }] = service.received;
    expect(headers).toMatchObject({ ttl: '3600', urgency: 'high', topic: 'door', 'content-encoding': 'aes128gcm' });
  });

  it('is signed for this push service with the relay’s key', async () => {
    await send();
    const { publicKey, claims } = readVapid(service.received[0]?.headers.authorization);
    expect(publicKey).toBe(push.publicKey(SEED));
    expect(claims).toMatchObject({ aud: service.origin, sub: CONTACT });
    const now = clock.now() / 1_000;
    expect(claims.exp).toBeGreaterThan(now);
    expect(claims.exp).toBeLessThanOrEqual(now + 86_400);
  });

  it('may have as many bytes as a push service must take', async () => {
    const payload = 'ä'.repeat(MAX_PUSH_BYTES / 2).padEnd(MAX_PUSH_BYTES - Math.floor(MAX_PUSH_BYTES / 2), 'x');
    expect(Buffer.byteLength(payload)).toBe(MAX_PUSH_BYTES);
    await send({ payload });
    expect(service.received[0]?.body).toHaveLength(4_096);
    expect(browser.readAll(service)).toEqual([payload]);
    await expect(send({ payload: `${payload}x` })).rejects.toThrow(RangeError);
  });

  it.each([404, 410])('to a subscription that ended is reported as such (%i)', async (status) => {
    service.script.push({ status });
    await expect(send()).rejects.toThrow(PushSubscriptionGone);
  });

  it.each([
    [429, '7', { isTemporary: true, retryAfterMs: 7_000 }],
    [503, 'Wed, 21 Oct 2026 07:28:00 GMT', { isTemporary: true, retryAfterMs: null }],
    [500, undefined, { isTemporary: true, retryAfterMs: null }],
    [403, undefined, { isTemporary: false }],
    [400, '7', { isTemporary: false, retryAfterMs: null }],
    [301, undefined, { isTemporary: false }],
  ])('that is refused with %i shows whether to retry', async (status, retryAfter, expected) => {
    service.script.push({ status, ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }) });
    const error: unknown = await send().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotificationChannelError);
    expect(error).toMatchObject(expected);
    expect(String(error)).not.toContain(new URL(browser.subscription.endpoint).pathname);
  });

  it('to a service that is not there can be retried', async () => {
    await service.close();
    await expect(send()).rejects.toMatchObject({ name: 'NotificationChannelError', isTemporary: true });
  });
});

describe('a subscription', () => {
  const judge = (changes: object) => push.judge({ ...browser.subscription, ...changes });

  it('at a public https address is taken', () => {
    expect(judge({ endpoint: 'https://fcm.googleapis.com/fcm/send/abc' })).toBeNull();
  });

  it.each([
    'http://push.example.net/1',
    'ftp://push.example.net/1',
    'push',
    '',
    `https://push.example.net/${'x'.repeat(2_048)}`,
  ])('at %.60s is refused', (endpoint) => {
    expect(judge({ endpoint })).toBe('The endpoint is not a whole https address');
  });

  it.each(['https://192.168.1.1/1', 'https://10.0.0.1/1', 'https://[fd00::1]/1', 'https://169.254.169.254/1'])(
    'at an address that is not public is refused: %s',
    async (endpoint) => {
      expect(judge({ endpoint })).toContain('nothing is sent there');
      const refused = send({}, { ...browser.subscription, endpoint });
      await expect(refused).rejects.toMatchObject({ name: 'NotificationChannelError', isTemporary: false });
    },
  );

  it('on this computer is refused unless the setting permits it', async () => {
    open(false);
    expect(judge({})).toContain('webhooks_allow_loopback');
    await expect(send()).rejects.toMatchObject({ isTemporary: false });
    expect(service.received).toEqual([]);
  });

  it.each([
    [{ auth: 'short' }, 'The key auth is not 16 bytes in base64url'],
    [{ p256dh: 'AAAA' }, 'The key p256dh is not 65 bytes in base64url'],
    [{ p256dh: Buffer.alloc(65, 4).toString('base64url') }, 'The key p256dh is no point on the curve P-256'],
  ])('with keys that are none is refused: %j', (keys, sentence) => {
    expect(judge(keys)).toBe(sentence);
  });
});

it('the public key is a point that browsers take', () => {
  const point = Buffer.from(vapidPublicKey(SEED), 'base64url');
  expect([point.length, point[0]]).toEqual([65, 4]);
});
