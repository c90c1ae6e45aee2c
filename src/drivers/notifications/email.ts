/**
 * E-mail by SMTP (RFC 5321), as plain text. Connections are encrypted and the server's certificate is verified wherever a password
 * is sent beyond this computer: `smtps://` from the first byte, `smtp://` by STARTTLS. Without a password, STARTTLS where it is offered.
 */
import { isIP } from 'node:net';
import {
  type NotificationChannel,
  NotificationChannelError,
  type OutgoingNotification,
} from '../../home/notification-channel.ts';
import { connectionError, withinDeadline } from './deadline.ts';

export interface EmailSettings {
  /** `smtp://user:password@host:587` or `smtps://…:465`; user and password percent-encoded. */
  readonly smtpUrl: string;
  /** Addresses alone, without names. */
  readonly from: string;
  readonly to: readonly string[];
}

/** For the whole exchange, of which connecting and the greeting are a part. */
const DEADLINE_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Shown as the sender. */
const SENDER_NAME = 'hearthd';
/** Of a message without a title; RFC 5322 §2.1.1 would have lines no longer. */
const MAX_SUBJECT_LENGTH = 78;
const MAX_REASON_LENGTH = 200;
/** RFC 5321 §4.2.1: reply codes from here on will be the same the next time. */
const PERMANENT = 500;
const STARTTLS_PORT = 587;
const TLS_PORT = 465;

/** What nodemailer says of a failure, as far as it is looked at. */
interface SmtpError {
  readonly code?: unknown;
  readonly command?: unknown;
  readonly responseCode?: unknown;
  readonly response?: unknown;
}

export interface EmailOptions {
  readonly deadlineMs?: number;
  /** Certificates (PEM) to trust instead of the usual authorities. */
  readonly ca?: string;
}

export class EmailChannel implements NotificationChannel {
  readonly name = 'email';
  readonly #settings: EmailSettings;
  readonly #options: EmailOptions;
  readonly #server: string;

  constructor(settings: EmailSettings, options: EmailOptions = {}) {
    this.#settings = settings;
    this.#options = options;
    this.#server = `The mail server ${new URL(settings.smtpUrl).host}`;
  }

  send(notification: OutgoingNotification, signal: AbortSignal): Promise<void> {
    return withinDeadline(signal, this.#options.deadlineMs ?? DEADLINE_MS, async (deadline) => {
      try {
        await this.#submit(notification, deadline);
      } catch (error) {
        if (deadline.aborted) throw new NotificationChannelError(`${this.#server} did not answer in time.`, true);
        throw this.#explain(error);
      }
    });
  }

  async #submit({ title, message, at }: OutgoingNotification, signal: AbortSignal): Promise<void> {
    const { from, to, smtpUrl } = this.#settings;
    // Loaded with the first message: a house that never sends one need not have it.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({ ...connectionOf(smtpUrl), ...this.#tls() });
    try {
      await transport.sendMail({
        from: { name: SENDER_NAME, address: from },
        to: [...to],
        subject: title || firstLine(message) || SENDER_NAME,
        text: message,
        date: new Date(at),
        // RFC 3834: no holiday notice is to answer it.
        headers: { 'Auto-Submitted': 'auto-generated' },
        // What stands in a message is text, whatever it looks like.
        disableFileAccess: true,
        disableUrlAccess: true,
        signal,
      });
    } finally {
      transport.close();
    }
  }

  #tls(): { readonly tls?: { readonly ca: string } } {
    return this.#options.ca === undefined ? {} : { tls: { ca: this.#options.ca } };
  }

  #explain(error: unknown): NotificationChannelError {
    const { code, command, responseCode, response } = error as SmtpError;
    if (command === 'STARTTLS') {
      return new NotificationChannelError(
        `${this.#server} offers no encryption, without which the password is not sent. Use smtps:// where it has that.`,
        false,
      );
    }
    if (code === 'EAUTH' && !(Number(responseCode) < PERMANENT)) {
      return new NotificationChannelError(`${this.#server} does not accept the user and password of smtp_url.`, false);
    }
    if (typeof responseCode === 'number') {
      const said = this.#withoutSecrets(typeof response === 'string' ? response : `${responseCode}`);
      return new NotificationChannelError(`${this.#server} refused it (${said}).`, responseCode < PERMANENT);
    }
    return connectionError(this.#server, error);
  }

  /** A server may repeat what it was sent. */
  #withoutSecrets(text: string): string {
    const { password } = new URL(this.#settings.smtpUrl);
    const secrets = [password, decodeURIComponent(password)].filter((secret) => secret !== '');
    // Before anything is cut off: half a password is a secret too.
    const shown = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
    return shown.replace(/\p{C}+/gu, ' ').slice(0, MAX_REASON_LENGTH);
  }
}

/** What nodemailer is told of an address; nothing in it can be set from outside the configuration. */
function connectionOf(smtpUrl: string) {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const secure = protocol === 'smtps:';
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const hasPassword = username !== '';
  return {
    host,
    port: Number(port) || (secure ? TLS_PORT : STARTTLS_PORT),
    secure,
    requireTLS: !secure && hasPassword && !isOwnMachine(host),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: DEADLINE_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    ...(hasPassword && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  };
}

function isOwnMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function firstLine(message: string): string {
  const [line = ''] = message.trim().split('\n', 1);
  return line.length <= MAX_SUBJECT_LENGTH ? line : `${line.slice(0, MAX_SUBJECT_LENGTH - 1)}…`;
}
