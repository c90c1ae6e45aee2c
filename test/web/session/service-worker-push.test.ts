/** Notifications in the service worker: what the relay pushes is shown, and a tap leads to what it is about. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toPushMessage } from '../../../src/app/notifications/push-message.ts';
import { addressOf, toShown } from '../../../src/web/dashboard/pwa/service-worker-push.ts';

const ORIGIN = 'https://home.example.org';

type Listener = (event: object) => void;
interface FakePage {
  readonly url: string;
  readonly messages: unknown[];
  focused: number;
}

let listeners: Map<string, Listener>;
let shown: { title: string; options: Record<string, unknown> }[];
let pages: FakePage[];
let opened: string[];

beforeEach(async () => {
  [listeners, shown, pages, opened] = [new Map(), [], [], []];
  vi.stubGlobal('self', {
    hearthdBuild: { version: '1', files: [] },
    location: { origin: ORIGIN },
    registration: {
      showNotification: async (title: string, options: Record<string, unknown>) => void shown.push({ title, options }),
    },
    clients: {
      matchAll: async () =>
        pages.map((page) => ({
          url: page.url,
          postMessage: (message: unknown) => page.messages.push(message),
          focus: async () => {
            page.focused += 1;
          },
        })),
      openWindow: async (address: string) => void opened.push(address),
    },
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
  });
  vi.resetModules();
  await import('../../../src/web/dashboard/pwa/service-worker.ts');
});
afterEach(() => vi.unstubAllGlobals());

/** Waits for what the handler hands to `waitUntil`. */
async function dispatch(type: string, event: object): Promise<void> {
  const work: Promise<unknown>[] = [];
  listeners.get(type)?.({ ...event, waitUntil: (one: Promise<unknown>) => work.push(one) });
  expect(work).toHaveLength(1);
  await Promise.all(work);
}

const push = (text: string | undefined) => dispatch('push', { data: text === undefined ? null : { text: () => text } });

/** @param action the id of a button */
async function tap(data: unknown, action = ''): Promise<void> {
  const close = vi.fn();
  await dispatch('notificationclick', { notification: { data, close }, action });
  expect(close).toHaveBeenCalledOnce();
}

describe('a push', () => {
  it('is shown as the relay sent it', async () => {
    const none = { priority: null, tags: [], iconUrl: null, clickUrl: null, buttons: [] };
    const outgoing = { title: 'Door', message: 'Open', at: 5, ...none };
    const contents = { notificationId: 'n1', automationId: null, link: '/accessories/7', buttonsOf: () => [] };
    const message = toPushMessage(outgoing, contents, 'ann', new Uint8Array(32));
    await push(message.payload);
    expect(shown).toMatchObject([
      {
        title: 'Door',
        options: {
          body: 'Open',
          tag: message.topic,
          renotify: true,
          timestamp: 5,
          data: { id: 'n1', link: '/accessories/7' },
        },
      },
    ]);
  });

  it.each([undefined, '', 'no JSON', '[]', 'null', '{"title":7,"body":{}}'])(
    'that can’t be read is shown too: %j',
    async (text) => {
      await push(text);
      expect(shown).toMatchObject([{ title: 'hearthd', options: { body: '', renotify: false } }]);
    },
  );

  it('without a topic is distinguished by its id', () => {
    expect(toShown('{"id":"n1"}').options).toMatchObject({ tag: 'n1', renotify: true });
  });
});

describe('a button', () => {
  const BUTTONS = [
    { id: 'close', title: 'Close garage', path: '/notification-action/a' },
    { id: 'ignore', title: 'Ignore', path: '/notification-action/b' },
  ];
  const shownData = () => shown.at(-1)?.options.data;
  let asked: [path: string, method: string | undefined][];

  /** @param answer `undefined` where the relay can’t be reached */
  function relayAnswers(answer: { readonly ok: boolean } | undefined): void {
    asked = [];
    vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
      asked.push([path, init?.method]);
      if (!answer) throw new TypeError('Failed to fetch');
      return answer;
    });
  }

  it('is shown as the relay sent it, and pressed there without a page', async () => {
    relayAnswers({ ok: true });
    await push(JSON.stringify({ id: 'n1', title: 'Garage', body: 'Open', link: '/accessories/7', buttons: BUTTONS }));
    expect(shown[0]?.options.actions).toEqual([
      { action: 'close', title: 'Close garage' },
      { action: 'ignore', title: 'Ignore' },
    ]);
    await tap(shownData(), 'ignore');
    expect(asked).toEqual([['/notification-action/b', 'POST']]);
    expect(opened).toEqual([]);
    await tap(shownData());
    expect(opened).toEqual([`${ORIGIN}/accessories/7`]);
    expect(asked).toHaveLength(1);
  });

  it.each([[{ ok: false }], [undefined]])('that was not accepted opens the list: %j', async (answer) => {
    relayAnswers(answer);
    await push(JSON.stringify({ id: 'n1', title: 'Garage', body: 'Open', buttons: BUTTONS }));
    await tap(shownData(), 'close');
    expect(opened).toEqual([`${ORIGIN}/notifications`]);
  });

  it.each([7, 'x', [null, 7, {}, { id: 'a', title: 'b' }, { id: 1, title: 2, path: 3 }]])(
    'that can’t be read is left out: %j',
    async (buttons) => {
      await push(JSON.stringify({ id: 'n1', title: 'Garage', body: 'Open', buttons }));
      expect(shown.at(-1)?.options).not.toHaveProperty('actions');
    },
  );
});

describe('a tap', () => {
  it('opens the dashboard where none is open', async () => {
    await tap({ link: '/automations/1' });
    expect(opened).toEqual([`${ORIGIN}/automations/1`]);
  });

  it('leads a page that is open there', async () => {
    pages = [
      { url: `${ORIGIN}/docs/security`, messages: [], focused: 0 },
      { url: `${ORIGIN}/history`, messages: [], focused: 0 },
    ];
    await tap({ link: '/automations/1' });
    expect(pages).toMatchObject([
      { messages: [], focused: 0 },
      { messages: [{ type: 'open', address: `${ORIGIN}/automations/1` }], focused: 1 },
    ]);
    expect(opened).toEqual([]);
  });

  it('opens other addresses in a window of their own', async () => {
    pages = [{ url: `${ORIGIN}/`, messages: [], focused: 0 }];
    await tap({ link: 'https://example.org/camera' });
    expect([opened, pages[0]?.focused]).toEqual([['https://example.org/camera'], 0]);
  });

  it.each([undefined, null, {}, { link: 7 }, { link: 'javascript:alert(1)' }, { link: 'http://' }])(
    'on one that is about nothing opens the notifications: %j',
    (data) => {
      expect(addressOf(data, ORIGIN)).toBe(`${ORIGIN}/notifications`);
    },
  );
});
