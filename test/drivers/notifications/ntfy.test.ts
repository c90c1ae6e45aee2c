import { createServer } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { NtfyChannel } from '../../../src/drivers/notifications/ntfy.ts';
import { NotificationChannelError, type OutgoingNotification } from '../../../src/home/notification-channel.ts';
import { type NtfyServer, startNtfyServer } from './ntfy-server.ts';

const TOKEN = 'tk_secret123';
const NO_WAITING = new AbortController().signal;

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function serve(options?: Parameters<typeof startNtfyServer>[0]): Promise<NtfyServer> {
  const server = await startNtfyServer(options);
  cleanups.push(() => server.close());
  return server;
}

const message = (changes: Partial<OutgoingNotification> = {}): OutgoingNotification => ({
  title: 'Door',
  message: 'Open',
  at: 0,
  priority: null,
  tags: [],
  buttons: [],
  iconUrl: null,
  clickUrl: null,
  ...changes,
});

const channel = (port: number, path = '/house', token: string | null = null, deadlineMs?: number): NtfyChannel =>
  new NtfyChannel({ url: `http://127.0.0.1:${port}${path}`, token }, deadlineMs);

async function failureOf(work: Promise<void>): Promise<NotificationChannelError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof NotificationChannelError) return error;
  throw new Error(`Expected a NotificationChannelError, not ${String(error)}`);
}

describe('a notification that is pushed', () => {
  it('arrives whole, in any writing', async () => {
    const server = await serve();
    const sent = message({
      title: 'Tür „Süd“ – дверь 🚪',
      message: 'Zeile 1\nZeile 2 "quoted" \\ 玄関',
      priority: 5,
      tags: ['warning', 'door'],
      iconUrl: 'https://example.org/door.png',
      clickUrl: 'http://pi.local:5656/',
    });
    await channel(server.port).send(sent, NO_WAITING);
    expect(server.published).toEqual([
      {
        path: '/',
        topic: 'house',
        title: sent.title,
        message: sent.message,
        priority: 5,
        tags: ['warning', 'door'],
        icon: sent.iconUrl,
        click: sent.clickUrl,
      },
    ]);
  });

  it('goes to the root of a server that lies under a path', async () => {
    const server = await serve();
    await channel(server.port, '/push/server/house').send(message({ title: null }), NO_WAITING);
    expect(server.published).toEqual([{ path: '/push/server/', topic: 'house', message: 'Open' }]);
  });

  it('carries the token where there is one', async () => {
    const server = await serve({ token: TOKEN });
    await channel(server.port, '/house', TOKEN).send(message(), NO_WAITING);
    expect(server.published).toHaveLength(1);
  });

  it('fits in every case: cut between characters, never refused for its size', async () => {
    const server = await serve();
    const home = channel(server.port);
    const texts = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', 'ü', '玄', '🚪'), maxLength: 4_096 });
    const titles = fc.string({ unit: fc.constantFrom('"', 'ü', '🚪'), maxLength: 120 });
    await fc.assert(
      fc.asyncProperty(texts, titles, async (text, title) => {
        await home.send(message({ message: text, title }), NO_WAITING);
        const arrived = server.published.pop();
        const shown = arrived?.message.replace(/…$/, '') ?? 'nothing';
        expect(text.startsWith(shown)).toBe(true);
        expect(shown).not.toMatch(/\p{Surrogate}/u);
        if (Buffer.byteLength(text) <= 3_000 && !/["\\\n]/.test(text)) expect(arrived?.message).toBe(text);
      }),
      { numRuns: 60 },
    );
    const longest = '\n'.repeat(4_096);
    await home.send(message({ message: longest, title: '"'.repeat(250) }), NO_WAITING);
    expect(server.published.pop()?.message.length).toBeGreaterThan(3_000);
  });
});

describe('a server that does not take it', () => {
  it.each([
    [400, false],
    [404, false],
    [408, true],
    [429, true],
    [500, true],
    [503, true],
  ])('with %i: worth another try is %s', async (status, isTemporary) => {
    const server = await serve({
      misbehave(_, response) {
        response.writeHead(status).end('<html>some proxy’s page</html>');
        return true;
      },
    });
    const error = await failureOf(channel(server.port).send(message(), NO_WAITING));
    expect(error).toMatchObject({ isTemporary });
    expect(error.message).toBe(`The ntfy server 127.0.0.1:${server.port} refused it (${status}).`);
  });

  it('is quoted, but nothing secret with it', async () => {
    const server = await serve({
      misbehave(request, response) {
        const { authorization } = request.headers;
        response.writeHead(403).end(JSON.stringify({ error: `forbidden: ${authorization} may not write house-x7` }));
        return true;
      },
    });
    const error = await failureOf(channel(server.port, '/house-x7', TOKEN).send(message(), NO_WAITING));
    expect(error.message).toBe(
      `The ntfy server 127.0.0.1:${server.port} refused it (403: forbidden: Bearer … may not write …). Is ntfy_token right?`,
    );
    expect(error.isTemporary).toBe(false);
  });

  it('is not quoted at length, nor with a secret that the end of the quotation would cut in two', async () => {
    const server = await serve({
      misbehave(_, response) {
        response.writeHead(400).end(JSON.stringify({ error: `${'x'.repeat(195)}${TOKEN}${'y'.repeat(999)}` }));
        return true;
      },
    });
    const error = await failureOf(channel(server.port, '/house', TOKEN).send(message(), NO_WAITING));
    expect(error.message).toMatch(/refused it \(400: x{195}…y{4}\)\.$/);
  });

  it('is not followed to another address, which would learn the token', async () => {
    const other = await serve();
    const server = await serve({
      misbehave(_, response) {
        response.writeHead(307, { Location: `http://127.0.0.1:${other.port}/` }).end();
        return true;
      },
    });
    const error = await failureOf(channel(server.port, '/house', TOKEN).send(message(), NO_WAITING));
    expect(error.message).toMatch(/redirects to another address\. Put that one into ntfy_url\.$/);
    expect(other.requests).toEqual([]);
  });

  it('is given up after the deadline, whether it is silent or never ends', async () => {
    const silent = await serve({ misbehave: () => true });
    const slow = await serve({
      misbehave(_, response) {
        response.writeHead(500);
        response.flushHeaders();
        return true;
      },
    });
    for (const { port } of [silent, slow]) {
      const error = await failureOf(channel(port, '/house', null, 200).send(message(), NO_WAITING));
      expect(error).toMatchObject({ message: expect.stringMatching(/did not answer in time/), isTemporary: true });
    }
  });

  it('is dropped at once when its client leaves', async () => {
    const server = await serve({ misbehave: () => true });
    const abort = new AbortController();
    const work = failureOf(channel(server.port).send(message(), abort.signal));
    abort.abort();
    expect((await work).message).toMatch(/did not answer in time/);
  });

  it('is reported by its host alone where it is not there', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const error = await failureOf(channel(port, '/house-x7', TOKEN).send(message(), NO_WAITING));
    expect(error.message).toBe(`The ntfy server 127.0.0.1:${port} can’t be reached (ECONNREFUSED).`);
    expect(error.isTemporary).toBe(true);
  });
});
