import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { authenticate, authenticateIfGiven } from '../../src/api/authenticate.ts';
import type { ApiEnv } from '../../src/api/env.ts';
import { presentError } from '../../src/api/error-table.ts';
import { noteAddress } from '../../src/api/guards.ts';
import type { Caller } from '../../src/app/access/caller.ts';
import type { HearthError } from '../../src/kernel/errors.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';
import { CountingHasher, createUser } from '../support/test-users.ts';

describe('who asks', () => {
  let test: TestHome;

  beforeEach(() => {
    test = createTestHome({ passwordHasher: new CountingHasher() });
  });

  afterEach(() => test.close());

  /** What the API behind it takes for the caller, or the refusal's status. */
  async function ask(request: {
    readonly optional?: boolean;
    readonly authorization?: string;
    readonly forwardedFor?: string;
    readonly peer?: string;
    readonly trustedProxies?: readonly string[];
    readonly viaSocket?: boolean;
  }): Promise<Partial<Caller> | number> {
    const app = new Hono<ApiEnv>();
    let caller: Caller | undefined;
    app.use(noteAddress({ trustedProxies: request.trustedProxies ?? [] }));
    app.use((request.optional ? authenticateIfGiven : authenticate)(test.credentials));
    app.get('/', (c) => {
      caller = c.get('caller');
      return c.text('');
    });
    app.onError((error) => presentError(error as HearthError, '-', ''));
    const { authorization, forwardedFor, peer, viaSocket = false } = request;
    const headers: Record<string, string> = {};
    if (authorization !== undefined) headers.authorization = authorization;
    if (forwardedFor !== undefined) headers['x-forwarded-for'] = forwardedFor;
    const incoming = peer === undefined ? {} : { incoming: { headers, socket: { remoteAddress: peer }, url: '/' } };
    const { status } = await app.request('/', { headers }, {
      ...incoming,
      viaSocket,
    } as unknown as ApiEnv['Bindings']);
    return caller ?? status;
  }

  it('is whom an access token, a session, or the Unix socket stands for', async () => {
    const { token: jwt, user } = await createUser(test, { founder: true });
    const { token } = test.tokens.create(systemCaller, { name: 'T' });
    expect(await ask({ authorization: `Bearer ${jwt}` })).toMatchObject({
      principal: { kind: 'user', userId: user.id },
    });
    expect(await ask({ authorization: `bearer  ${token}` })).toMatchObject({ principal: { kind: 'access_token' } });
    expect(await ask({ viaSocket: true })).toMatchObject({ principal: { kind: 'system' }, address: undefined });
  });

  it('is known at once for an access token: no promise is waited for', () => {
    const { token } = test.tokens.create(systemCaller, { name: 'T' });
    expect(test.credentials.authenticate(token)).not.toBeInstanceOf(Promise);
  });

  it('is anonymous where no sign-in is needed, but never with wrong credentials', async () => {
    expect(await ask({})).toBe(401);
    expect(await ask({ optional: true })).toMatchObject({ principal: { kind: 'anonymous' } });
    expect(await ask({ optional: true, viaSocket: true })).toMatchObject({ principal: { kind: 'system' } });
    for (const authorization of ['Bearer nonsense', 'Bearer a.b.c', 'Basic YTpi', '', 'Bearer ']) {
      expect(await ask({ optional: true, authorization }), authorization).toBe(401);
    }
  });

  it.each([
    ['the peer', { peer: '192.0.2.1' }, '192.0.2.1'],
    [
      'the peer, regardless of what it reports about others',
      { peer: '192.0.2.1', forwardedFor: '203.0.113.9' },
      '192.0.2.1',
    ],
    ['the client that a trusted proxy reports', { peer: '10.0.0.2', forwardedFor: '203.0.113.9' }, '203.0.113.9'],
    ['not whom that one claims to be', { peer: '10.0.0.2', forwardedFor: '127.0.0.1, 203.0.113.9' }, '203.0.113.9'],
    [
      'the first before two trusted proxies',
      { peer: '10.0.0.2', forwardedFor: '1.1.1.1, 203.0.113.9, 10.0.0.3' },
      '203.0.113.9',
    ],
    ['the proxy itself, if it reports no client', { peer: '10.0.0.2' }, '10.0.0.2'],
    [
      'the proxy itself, if it reports an invalid client',
      { peer: '10.0.0.2', forwardedFor: '203.0.113.9, unknown' },
      '10.0.0.2',
    ],
    ['an IPv6 address', { peer: '::ffff:10.0.0.2', forwardedFor: '2001:db8::7' }, '2001:db8::7'],
  ])('comes from %s', async (_, request, address) => {
    expect(await ask({ optional: true, trustedProxies: ['10.0.0.0/8'], ...request })).toMatchObject({ address });
  });
});
