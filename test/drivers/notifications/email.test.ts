import { createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { EmailChannel, type EmailOptions } from '../../../src/drivers/notifications/email.ts';
import { NotificationChannelError, type OutgoingNotification } from '../../../src/home/notification-channel.ts';
import { MAIL_CERTIFICATE, type MailServer, startMailServer } from './mail-server.ts';

const NO_WAITING = new AbortController().signal;
const AT = Date.UTC(2030, 0, 31, 12);
/** `right:p@ss`, as it stands in an address. */
const LOGIN = 'anna%40example.org:right%3Ap%40ss@';
const TRUSTING: EmailOptions = { ca: MAIL_CERTIFICATE };

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function serve(options?: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const server = await startMailServer(options);
  cleanups.push(() => server.close());
  return server;
}

const message = (changes: Partial<OutgoingNotification> = {}): OutgoingNotification => ({
  title: 'Door',
  message: 'Open',
  at: AT,
  priority: null,
  tags: [],
  buttons: [],
  iconUrl: null,
  clickUrl: null,
  ...changes,
});

function channel(url: string, options?: EmailOptions): EmailChannel {
  return new EmailChannel(
    { smtpUrl: url, from: 'pi@example.org', to: ['anna@example.org', 'jo@example.org'] },
    options,
  );
}

async function failureOf(work: Promise<void>): Promise<NotificationChannelError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof NotificationChannelError) return error;
  throw new Error(`Expected a NotificationChannelError, not ${String(error)}`);
}

describe('a notification by e-mail', () => {
  it('arrives whole, in any writing, at every address', async () => {
    const server = await serve();
    const sent = message({ title: 'Tür „Süd“ – дверь 🚪', message: 'Zeile 1\n.\nZeile 3: 玄関' });
    await channel(`smtp://127.0.0.1:${server.port}`, TRUSTING).send(sent, NO_WAITING);
    expect(server.mails).toMatchObject([
      {
        from: 'pi@example.org',
        to: ['anna@example.org', 'jo@example.org'],
        subject: sent.title,
        text: sent.message,
        isEncrypted: true,
      },
    ]);
    expect(server.mails[0]?.headers.get('from')).toBe('hearthd <pi@example.org>');
    expect(server.mails[0]?.headers.get('date')).toBe('Thu, 31 Jan 2030 12:00:00 +0000');
    expect(server.mails[0]?.headers.get('auto-submitted')).toBe('auto-generated');
  });

  it('has its first line for a subject where it has no title', async () => {
    const server = await serve();
    const home = channel(`smtp://127.0.0.1:${server.port}`, TRUSTING);
    await home.send(message({ title: null, message: 'It burns.\nCall somebody.' }), NO_WAITING);
    await home.send(message({ title: null, message: 'x'.repeat(200) }), NO_WAITING);
    expect(server.mails.map(({ subject }) => subject)).toEqual(['It burns.', `${'x'.repeat(77)}…`]);
  });

  it('can’t be given another header or another receiver by anything in it', async () => {
    const server = await serve();
    const home = channel(`smtp://127.0.0.1:${server.port}`, TRUSTING);
    const hostile = fc.string({
      unit: fc.constantFrom(
        'a',
        '\r',
        '\n',
        ':',
        ' ',
        'Bcc: evil@example.org',
        '\r\n\r\n',
        '.',
        '\0',
        '=?utf-8?',
        '<',
        '@',
        'ü',
      ),
      maxLength: 30,
    });
    await home.send(message({ message: 'ü' }), NO_WAITING);
    const usual = [...(server.mails.pop()?.headers.keys() ?? [])];
    expect(usual).toEqual(expect.arrayContaining(['from', 'to', 'subject', 'content-transfer-encoding']));
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (title, text) => {
        await home.send(message({ title, message: text }), NO_WAITING);
        const [mail, ...others] = server.mails.splice(0);
        expect(others).toEqual([]);
        expect(mail?.to).toEqual(['anna@example.org', 'jo@example.org']);
        expect(usual).toEqual(expect.arrayContaining([...(mail?.headers.keys() ?? ['none'])]));
      }),
      { numRuns: 25 },
    );
  });

  it('reads no file and asks no server that a text names', async () => {
    const server = await serve();
    await channel(`smtp://127.0.0.1:${server.port}`, TRUSTING).send(
      message({ message: 'path: /etc/passwd href: http://127.0.0.1/' }),
      NO_WAITING,
    );
    expect(server.mails[0]?.text).toBe('path: /etc/passwd href: http://127.0.0.1/');
  });
});

describe('the way to a mail server', () => {
  it('is encrypted from the first byte with smtps, and logs in with the credentials of the address', async () => {
    const server = await serve({ secure: true });
    await channel(`smtps://${LOGIN}127.0.0.1:${server.port}`, TRUSTING).send(message(), NO_WAITING);
    expect(server.logins).toEqual([{ user: 'anna@example.org', password: 'right:p@ss', isEncrypted: true }]);
    expect(server.mails).toMatchObject([{ isEncrypted: true }]);
  });

  it.each(['smtp', 'smtps'])('is refused with %s where the certificate is not trusted', async (scheme) => {
    const server = await serve({ secure: scheme === 'smtps' });
    const error = await failureOf(channel(`${scheme}://${LOGIN}127.0.0.1:${server.port}`).send(message(), NO_WAITING));
    expect(error.message).toMatch(/shows a certificate that is not trusted \(\w+\)\. NODE_EXTRA_CA_CERTS/);
    expect(error.isTemporary).toBe(false);
    expect(server.logins).toEqual([]);
    expect(server.mails).toEqual([]);
  });

  it('sends no password where there is no encryption, but to this computer itself', async () => {
    const server = await serve({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
    await channel(`smtp://${LOGIN}127.0.0.1:${server.port}`).send(message(), NO_WAITING);
    expect(server.mails).toHaveLength(1);
    // Another name of the same computer, which the channel can't know.
    const elsewhere = await failureOf(
      channel(`smtp://${LOGIN}[::ffff:127.0.0.1]:${server.port}`).send(message(), NO_WAITING),
    );
    expect(elsewhere.message).toMatch(/offers no encryption, without which the password is not sent/);
    expect(server.logins).toHaveLength(1);
  });
});

describe('a mail server that does not take it', () => {
  it('reports it for the password, without showing it', async () => {
    const server = await serve();
    const error = await failureOf(
      channel(`smtp://anna:wrong-secret@127.0.0.1:${server.port}`, TRUSTING).send(message(), NO_WAITING),
    );
    expect(error.message).toBe(
      `The mail server 127.0.0.1:${server.port} does not accept the user and password of smtp_url.`,
    );
    expect(error.isTemporary).toBe(false);
  });

  it.each([
    [451, true],
    [550, false],
  ])('with %i: worth another try is %s', async (responseCode, isTemporary) => {
    const server = await serve({
      onRcptTo: (_address, _session, callback) =>
        callback(Object.assign(new Error('Mailbox of anna'), { responseCode })),
    });
    const error = await failureOf(channel(`smtp://127.0.0.1:${server.port}`, TRUSTING).send(message(), NO_WAITING));
    expect(error).toMatchObject({ isTemporary, message: expect.stringMatching(`${responseCode} Mailbox of anna`) });
  });

  it('is quoted without the password that it repeats', async () => {
    const server = await serve({
      onMailFrom: (_address, _session, callback) =>
        callback(Object.assign(new Error('Not for right:p@ss'), { responseCode: 550 })),
    });
    const error = await failureOf(
      channel(`smtp://${LOGIN}127.0.0.1:${server.port}`, TRUSTING).send(message(), NO_WAITING),
    );
    expect(error.message).toMatch(/refused it \(550 Not for …\)\.$/);
  });

  it('is given up after the deadline, and its connection with it', async () => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => new Promise((resolve) => server.close(resolve)));
    const { port } = server.address() as { port: number };
    const error = await failureOf(channel(`smtp://127.0.0.1:${port}`, { deadlineMs: 200 }).send(message(), NO_WAITING));
    expect(error).toMatchObject({ message: expect.stringMatching(/did not answer in time/), isTemporary: true });
    await expect.poll(() => sockets.size).toBe(0);
  });

  it('is reported by its host alone where it is not there', async () => {
    const server = await serve();
    await server.close();
    cleanups.length = 0;
    const error = await failureOf(channel(`smtp://${LOGIN}127.0.0.1:${server.port}`).send(message(), NO_WAITING));
    expect(error.message).toBe(`The mail server 127.0.0.1:${server.port} can’t be reached (ECONNREFUSED).`);
    expect(error.isTemporary).toBe(true);
  });
});
