/**
 * Every audit that the GraphQL-over-HTTP specification's own suite knows, against the whole API with its real schema.
 */
import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApi, createToken } from '../../support/rest-client.ts';
import { createTestHome, type TestHome } from '../../support/test-home.ts';

let home: TestHome;
let fetchFn: (url: string, init?: RequestInit) => Promise<Response>;

beforeAll(() => {
  home = createTestHome({ sample: true });
  const api = createTestApi(home);
  const token = createToken(home);
  fetchFn = async (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set('Authorization', `Bearer ${token}`);
    return api.request(url, { ...init, headers });
  };
});

afterAll(() => home.close());

const audits = serverAudits({
  url: 'http://localhost/graphql',
  fetchFn: (url: string, init?: RequestInit) => fetchFn(url, init),
});

describe('GraphQL over HTTP', () => {
  it('has audits to pass', () => {
    expect(audits.length).toBeGreaterThan(50);
  });

  it.each(audits.map((audit) => [audit.id, audit.name, audit] as const))('%s: %s', async (_, __, audit) => {
    const result = await audit.fn();
    expect(result.status, 'reason' in result ? result.reason : '').toBe('ok');
  });
});
