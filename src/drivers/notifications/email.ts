/**
 * Sends e-mail by SMTP (RFC 5321), as plain text. If a password is sent beyond this computer, the connection is
 * encrypted and the server's certificate is verified: `smtps://` from the first byte, `smtp://` by STARTTLS. Without a
 * password, STARTTLS is used if offered.
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
  /** The address alone, without a display name. */
  readonly from: string;
  readonly to: readonly string[];
}

/** For the whole exchange, including the connection and the greeting. */
const DEADLINE_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Shown as the sender. */
const SENDER_NAME = 'hearthd';
/** Subject of a message without a title; RFC 5322 §2.1.1 recommends no longer lines. */
const MAX_SUBJECT_LENGTH = 78;
const MAX_REASON_LENGTH = 200;
/** RFC 5321 §4.2.1: reply codes from here on are permanent errors. */
const PERMANENT = 500;
const STARTTLS_PORT = 587;
const TLS_PORT = 465;

/** The part of a nodemailer error that is read. */
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
    // Loaded with the first message: a home that never sends e-mail does not need it.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({ ...connectionOf(smtpUrl), ...this.#tls() });
    try {
      await transport.sendMail({
        from: { name: SENDER_NAME, address: from },
        to: [...to],
        subject: title || firstLine(message) || SENDER_NAME,
        text: message,
        date: new Date(at),
        // RFC 3834: prevents automatic replies.
        headers: { 'Auto-Submitted': 'auto-generated' },
        // Message content is text, even if it looks like a path or URL.
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
      const given = this.#withoutSecrets(typeof response === 'string' ? response : `${responseCode}`);
      return new NotificationChannelError(`${this.#server} refused it (${given}).`, responseCode < PERMANENT);
    }
    return connectionError(this.#server, error);
  }

  /** A server may repeat the credentials that it received. */
  #withoutSecrets(text: string): string {
    const { password } = new URL(this.#settings.smtpUrl);
    const secrets = [password, decodeURIComponent(password)].filter((secret) => secret !== '');
    // Before the text is truncated: half a password is a secret too.
    const shown = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
    return shown.replace(/\p{C}+/gu, ' ').slice(0, MAX_REASON_LENGTH);
  }
}

/** The nodemailer options for a URL. Only the configuration can set them. */
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
