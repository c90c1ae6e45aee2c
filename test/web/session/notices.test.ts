/**
 * What people see while they use the dashboard, look elsewhere, or have a browser that leaves notifications to service
 * workers.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveEvent } from '../../../src/web/dashboard/api/event-stream.ts';
import { PATIENCE_MS } from '../../support/patience.ts';

const ADA = 'user-ada';
const reported = (data: object, type = 'notification.sent'): LiveEvent => ({
  id: '1',
  type,
  timestamp: '',
  data: { ...data },
});

let visibility: 'visible' | 'hidden';
let toasts: string[];
/** Those of the last toast. */
let toastActions: readonly { label: string; run(): void }[];
let systemNotices: { title: string; body: string; tag: string }[];
let byWorker: string[];
/** The person whose notifications are pushed to this browser. */
let subscribedFor: string | null;

beforeEach(() => {
  visibility = 'visible';
  [toasts, systemNotices, byWorker] = [[], [], []];
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('isSecureContext', true);
  subscribedFor = null;
  vi.stubGlobal('localStorage', { getItem: () => subscribedFor });
  vi.stubGlobal('document', {
    addEventListener: () => undefined,
    get visibilityState() {
      return visibility;
    },
  });
  vi.stubGlobal('Notification', notificationClass('granted'));
  vi.resetModules();
  vi.doMock('../../../src/web/dashboard/ui/toasts.tsx', () => ({
    showToast: ({ text, actions = [] }: { text: string; actions?: typeof toastActions }) => {
      toasts.push(text);
      toastActions = actions;
    },
  }));
});

afterEach(() => {
  vi.doUnmock('../../../src/web/dashboard/ui/toasts.tsx');
  vi.resetModules();
  vi.unstubAllGlobals();
});

function notificationClass(permission: string, refuses = false) {
  return class {
    static readonly permission = permission;
    constructor(title: string, { body, tag }: { body: string; tag: string }) {
      if (refuses)
        throw new TypeError('Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.');
      systemNotices.push({ title, body, tag });
    }
  };
}

function withWorker(controller: object | null): void {
  const ready = Promise.resolve({ showNotification: (title: string) => byWorker.push(title) });
  vi.stubGlobal('navigator', { serviceWorker: { controller, ready } });
}

/** @returns what notifies the page of an event */
async function listen(): Promise<(event: LiveEvent) => void> {
  const { live } = await import('../../../src/web/dashboard/live/live-connection.ts');
  const { showNotices } = await import('../../../src/web/dashboard/live/notices.ts');
  let notify: (event: LiveEvent) => void = () => undefined;
  vi.spyOn(live, 'onEvent').mockImplementation((listener) => {
    notify = listener;
    return () => false;
  });
  showNotices(ADA);
  return notify;
}

describe('a notification', () => {
  it('is shown on the visible page, by the system otherwise, and once', async () => {
    const notify = await listen();
    notify(reported({ notificationId: 'n1', title: 'Door', message: 'It is open.' }));
    notify(reported({ notificationId: 'n2', message: 'Water in the cellar.', userId: ADA }));
    expect([toasts, systemNotices]).toEqual([['Door: It is open.', 'Water in the cellar.'], []]);
    visibility = 'hidden';
    notify(reported({ notificationId: 'n3', message: 'Smoke!' }));
    expect(toasts).toHaveLength(2);
    expect(systemNotices).toEqual([{ title: 'hearthd', body: 'Smoke!', tag: 'n3' }]);
  });

  it('with buttons shows those that the person may press, or its text alone if the relay gives none', async () => {
    const pressed: string[] = [];
    const offered = new Map([['n1', [{ id: 'close', title: 'Close garage' }]]]);
    vi.doMock('../../../src/web/dashboard/live/notification-buttons.ts', () => ({
      buttonsOf: async (id: string) => {
        if (id === 'n3') throw new Error('The relay does not answer');
        return offered.get(id) ?? [];
      },
      press: async (...what: string[]) => void pressed.push(what.join(' ')),
    }));
    const notify = await listen();
    for (const [at, notificationId] of ['n1', 'n2', 'n3'].entries()) {
      notify(reported({ notificationId, message: `Open ${notificationId}`, buttons: 1 }));
      await vi.waitFor(() => expect(toasts).toHaveLength(at + 1), PATIENCE_MS);
      expect(toastActions.map(({ label }) => label)).toEqual(notificationId === 'n1' ? ['Close garage'] : []);
      for (const { run } of toastActions) run();
    }
    expect(pressed).toEqual(['n1 close']);
    vi.doUnmock('../../../src/web/dashboard/live/notification-buttons.ts');
  });

  it.each([
    [{ message: 'For another user.', userId: 'user-ben' }, 'notification.sent'],
    [{ message: '' }, 'notification.sent'],
    [{ message: 7 }, 'notification.sent'],
    [{ message: 'Something else.' }, 'state.changed'],
  ])('is none for this person: %j by %s', async (data, type) => {
    const notify = await listen();
    notify(reported(data, type));
    expect(toasts).toEqual([]);
  });

  it('waits on the page where the browser may not show it', async () => {
    vi.stubGlobal('Notification', notificationClass('denied'));
    visibility = 'hidden';
    const notify = await listen();
    notify(reported({ message: 'Smoke!' }));
    expect([toasts, systemNotices]).toEqual([['Smoke!'], []]);
  });

  it('is left to the push service where it pushes to this browser for this person', async () => {
    visibility = 'hidden';
    withWorker({});
    vi.stubGlobal('PushManager', class {});
    const notify = await listen();
    subscribedFor = ADA;
    notify(reported({ message: 'Smoke!' }));
    expect([toasts, systemNotices]).toEqual([[], []]);
    subscribedFor = 'user-ben';
    notify(reported({ message: 'Water!' }));
    expect(systemNotices).toMatchObject([{ body: 'Water!' }]);
  });

  it('is shown by the service worker where pages may not, and on the page where there is none either', async () => {
    vi.stubGlobal('Notification', notificationClass('granted', true));
    visibility = 'hidden';
    withWorker({});
    const notify = await listen();
    notify(reported({ title: 'Smoke', message: 'In the kitchen.' }));
    await vi.waitFor(() => expect(byWorker).toEqual(['Smoke']), PATIENCE_MS);
    expect(toasts).toEqual([]);
    withWorker(null);
    notify(reported({ message: 'Again.' }));
    expect(toasts).toEqual(['Again.']);
  });
});
