/**
 * A sample home with its HTTP API, and links into it: for programs and for browsers that keep cookies, without
 * sockets.
 */
import type { Hono } from 'hono';
import type { ApiEnv } from '../../../src/api/env.ts';
import type { HttpApiDeps } from '../../../src/api/http.ts';
import type { NewShare } from '../../../src/contract/shares.ts';
import type { DescribedAccessory } from '../../../src/home/accessory-driver.ts';
import { createRestClient, createTestApi } from '../../support/rest-client.ts';
import { characteristic, information, service } from '../../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

export const BROWSER_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

export interface ShareHome {
  readonly home: TestHome;
  readonly app: Hono<ApiEnv>;
  /** No known user. */
  readonly client: ReturnType<typeof createRestClient>;
  /** Shares an accessory by name, with everyone by default. @returns `/s/{hash}` */
  share(accessory: string, options?: Partial<NewShare>): Promise<string>;
  /** Shares anything else. @returns `/s/{hash}` */
  shareEntity(entityType: string, entityId: string, options?: Partial<NewShare>): Promise<string>;
  /** Whether the sample lamp is on. */
  lampIsOn(): boolean;
}

export function createShareHome(overrides: Partial<HttpApiDeps> = {}): ShareHome {
  const home = createTestHome({ sample: true });
  for (const [index, described] of [whiteLamp(), blind(), garageDoor()].entries()) {
    const deviceId = `20:00:00:00:00:0${index}`;
    home.driver.attach(home.home.id, {
      deviceId,
      name: described.name,
      setupCode: '031-45-160',
      accessories: [described],
    });
  }
  const app = createTestApi(home, overrides);
  const shareEntity: ShareHome['shareEntity'] = async (entityType, entityId, options) => {
    const created = await home.shares.create(systemCaller, {
      entityType,
      entityId,
      accessType: 'public',
      role: 'control',
      ...options,
    });
    return `/s/${created.shareHash}`;
  };
  return {
    home,
    app,
    client: createRestClient(app),
    shareEntity,
    share: (accessory, options) => shareEntity('accessory', home.named(accessory).id, options),
    lampIsOn: () => valueIn(home, 'Lamp', '25') === true,
  };
}

const PERCENT = { unit: 'percentage', minValue: 0, maxValue: 100, minStep: 1 };

/** White light, cold to warm: on (25), color_temp (CE), which ends at 400. */
function whiteLamp(): DescribedAccessory {
  const mireds = { minValue: 153, maxValue: 400, minStep: 1 };
  const light = [characteristic('9', '25', 'bool', false), characteristic('10', 'CE', 'uint32', 200, mireds)];
  return { aid: '1', name: 'Ceiling', category: 5, services: [information('Ceiling'), service('8', '43', light)] };
}

/** Current (6D) and target position (7C). */
function blind(): DescribedAccessory {
  const positions = [
    characteristic('9', '6D', 'uint8', 0, PERCENT, ['pr', 'ev']),
    characteristic('10', '7C', 'uint8', 0, PERCENT),
  ];
  return { aid: '1', name: 'Blind', category: 14, services: [information('Blind'), service('8', '8C', positions)] };
}

/** Current (E) and target door state (32): 0 open, 1 closed. */
function garageDoor(): DescribedAccessory {
  const states = [
    characteristic('9', 'E', 'uint8', 1, { minValue: 0, maxValue: 4 }, ['pr', 'ev']),
    characteristic('10', '32', 'uint8', 1, { minValue: 0, maxValue: 1 }),
  ];
  return { aid: '1', name: 'Garage', category: 4, services: [information('Garage'), service('8', '41', states)] };
}

/** What a characteristic of a sample accessory is now. @param type canonical */
export function valueIn(home: TestHome, accessory: string, type: string): unknown {
  for (const service of home.named(accessory).services) {
    const found = service.characteristics.find((characteristic) => characteristic.type === type);
    if (found) return found.value;
  }
  throw new Error(`${accessory} has no characteristic ${type}`);
}

/** A browser: asks for pages, keeps cookies, follows nothing. */
export class TestBrowser {
  readonly #app: Hono<ApiEnv>;
  readonly #cookies = new Map<string, { readonly value: string; readonly path: string }>();

  constructor(app: Hono<ApiEnv>) {
    this.#app = app;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.#send(path, { method: 'GET', headers });
  }

  /** Sends the fields as a form, with what the page's hidden field holds. */
  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'http://localhost' };
    const body = new URLSearchParams(fields).toString();
    return this.#send(path, { method: 'POST', body, headers: { ...form, ...headers } });
  }

  /** The token of the forms on a page. */
  async csrf(path: string): Promise<string> {
    const html = await (await this.get(path)).text();
    const token = /name="csrf" value="([^"]+)"/.exec(html)?.[1];
    if (token === undefined) throw new Error(`There is no form at ${path}`);
    return token;
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(name)?.value;
  }

  setCookie(name: string, value: string): void {
    this.#cookies.set(name, { value, path: '/' });
  }

  async #send(
    path: string,
    init: { method: string; headers: Record<string, string>; body?: string },
  ): Promise<Response> {
    const cookies = [...this.#cookies].filter(([, cookie]) => path.startsWith(cookie.path));
    const headers: Record<string, string> = { Host: 'localhost', Accept: BROWSER_ACCEPT, ...init.headers };
    if (cookies.length > 0) headers.Cookie = cookies.map(([name, { value }]) => `${name}=${value}`).join('; ');
    const response = await this.#app.request(path, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, { value, path: /Path=([^;]+)/i.exec(line)?.[1] ?? '/' });
    }
    return response;
  }
}
