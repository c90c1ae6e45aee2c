/** A real SMTP server on loopback that keeps what it is given, and reads messages as a mail program does. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

const FIXTURES = join(import.meta.dirname, 'fixtures');
/** For 127.0.0.1; trusted by clients that the test configures so. */
export const MAIL_CERTIFICATE = readFileSync(join(FIXTURES, 'mail.cert.pem'), 'utf8');
const MAIL_KEY = readFileSync(join(FIXTURES, 'mail.key.pem'), 'utf8');

export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  /** In lower case → as it travelled, unfolded. */
  readonly headers: ReadonlyMap<string, string>;
  readonly subject: string;
  readonly text: string;
  readonly isEncrypted: boolean;
}

export interface MailServer {
  readonly port: number;
  readonly mails: Mail[];
  /** User and password of every log-in that was tried, and whether the connection was encrypted. */
  readonly logins: { readonly user: string; readonly password: string; readonly isEncrypted: boolean }[];
  close(): Promise<void>;
}

export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: Mail[] = [];
  const logins: MailServer['logins'] = [];
  const server = new SMTPServer({
    key: MAIL_KEY,
    cert: MAIL_CERTIFICATE,
    authOptional: true,
    logger: false,
    onAuth({ username: user, password }, { secure: isEncrypted }, callback) {
      logins.push({ user: user ?? '', password: password ?? '', isEncrypted });
      if (password === 'right:p@ss') callback(null, { user: user ?? '' });
      else callback(new Error(`Invalid password ${password}`));
    },
    onData(stream, { envelope, secure }, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({ from, to, ...readMail(Buffer.concat(chunks).toString('latin1')), isEncrypted: secure });
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    logins,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function readMail(raw: string): Pick<Mail, 'headers' | 'subject' | 'text'> {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = raw.slice(end + 4);
  const encoding = headers.get('content-transfer-encoding');
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : Buffer.from(encoding === 'quoted-printable' ? unquote(body.replaceAll('=\r\n', '')) : body, 'latin1');
  const text = bytes.toString('utf8').replaceAll('\r\n', '\n').trimEnd();
  return { headers, subject: decodeWords(headers.get('subject') ?? ''), text };
}

/** RFC 2047. */
function decodeWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, coded: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(coded, 'base64').toString('latin1')
        : unquote(coded.replaceAll('_', ' ')),
    )
    .replaceAll(/[\x80-\xff]+/g, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'));
}

function unquote(text: string): string {
  return text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
