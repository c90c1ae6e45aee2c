/** Turning notifications on for a browser: the permission, the subscription, and what the relay is given of it. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isPushOn, pushSupport, renewPush, turnPushOff, turnPushOn } from '../../../src/web/dashboard/pwa/push.ts';

const ADA = 'user-ada';
const KEY = Buffer.alloc(65, 4).toString('base64url');
const OTHER_KEY = Buffer.alloc(65, 5).toString('base64url');

const { callRest } = vi.hoisted(() => ({ callRest: vi.fn() }));
vi.mock('../../../src/web/dashboard/api/client.ts', () => ({ callRest }));

let stored: Map<string, string>;
let permission: string;
let subscription: ReturnType<typeof subscriptionWith> | null;

beforeEach(() => {
  [stored, permission, subscription] = [new Map(), 'granted', null];
  callRest.mockReset();
  callRest.mockImplementation(async (method: string) => (method === 'GET' ? { publicKey: KEY } : {}));
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal('Notification', {
    requestPermission: async () => permission,
    get permission() {
      return permission;
    },
  });
  const registration = {
    pushManager: {
      getSubscription: async () => subscription,
      subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
        subscription = subscriptionWith(applicationServerKey);
        return subscription;
      },
    },
  };
  vi.stubGlobal('navigator', {
    userAgent: '',
    serviceWorker: { ready: Promise.resolve(registration), getRegistration: async () => registration },
  });
});
afterEach(() => vi.unstubAllGlobals());

function subscriptionWith(key: string) {
  const bytes = Buffer.from(key, 'base64url');
  return {
    options: { applicationServerKey: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) },
    toJSON: () => ({ endpoint: `https://push.example/${key[0]}`, keys: { p256dh: 'point', auth: 'secret' } }),
    unsubscribe: async () => {
      subscription = null;
    },
  };
}

const sent = () => callRest.mock.calls.filter(([method]) => method === 'POST').map(([, , body]) => body as object);

describe('turning it on', () => {
  it('subscribes with the key of the relay, which gets the subscription', async () => {
    expect(await turnPushOn(ADA, 'Phone')).toBe(true);
    expect(sent()).toEqual([{ name: 'Phone', endpoint: 'https://push.example/B', p256dh: 'point', auth: 'secret' }]);
    expect([isPushOn(ADA), isPushOn('user-ben')]).toEqual([true, false]);
  });

  it('sends nothing without the permission', async () => {
    permission = 'denied';
    expect(await turnPushOn(ADA, 'Phone')).toBe(false);
    expect([sent(), isPushOn(ADA)]).toEqual([[], false]);
  });

  it('is off where the relay refuses the device', async () => {
    callRest.mockRejectedValue(new Error('refused'));
    await expect(turnPushOn(ADA, 'Phone')).rejects.toThrow('refused');
    expect(isPushOn(ADA)).toBe(false);
  });

  it('replaces a subscription with another key, and keeps one with this key', async () => {
    const old = subscriptionWith(OTHER_KEY);
    subscription = old;
    await turnPushOn(ADA, 'Phone');
    const fresh = subscription;
    expect(fresh).not.toBe(old);
    await turnPushOn(ADA, 'Phone');
    expect(subscription).toBe(fresh);
  });
});

describe('a page that opens', () => {
  it('sends the subscription again for the person who turned it on, and for no other', async () => {
    await turnPushOn(ADA, 'Phone');
    await renewPush(ADA, 'Phone');
    await renewPush('user-ben', 'Phone');
    expect(sent()).toHaveLength(2);
  });

  it('ends the subscription of the person who was signed in before', async () => {
    await turnPushOn(ADA, 'Phone');
    await renewPush('user-ben', 'Phone');
    expect([subscription, isPushOn(ADA), isPushOn('user-ben')]).toEqual([null, false, false]);
  });

  it('asks nothing where it is off', async () => {
    await renewPush(ADA, 'Phone');
    await turnPushOn(ADA, 'Phone');
    await turnPushOff();
    await renewPush(ADA, 'Phone');
    expect([sent().length, subscription, isPushOn(ADA)]).toEqual([1, null, false]);
  });
});

describe('what a browser offers', () => {
  it('is off where nothing can be stored', () => {
    const getItem = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    vi.stubGlobal('localStorage', { getItem });
    expect(isPushOn(ADA)).toBe(false);
  });

  it('is nothing over http', () => {
    vi.stubGlobal('isSecureContext', false);
    expect(pushSupport()).toBe('insecure');
  });

  it.each([
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 'install first'],
    ['Mozilla/5.0 (X11; Linux x86_64)', 'unsupported'],
  ])('without service workers: %s', (userAgent, support) => {
    vi.stubGlobal('navigator', { userAgent });
    expect(pushSupport()).toBe(support);
  });
});
