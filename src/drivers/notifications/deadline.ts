import { NotificationChannelError } from '../../home/notification-channel.ts';

/**
 * Does something that a signal can break off: aborted when `outer` is, and after `timeoutMs`. Keeps no process alive.
 * Node's `AbortSignal.any` and `timeout` would be shorter, but signals of theirs have been lost to the garbage collector.
 */
export async function withinDeadline<T>(
  outer: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, timeoutMs);
  timer.unref();
  outer.addEventListener('abort', abort, { once: true });
  if (outer.aborted) abort();
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', abort);
  }
}

/** Codes of Node, OpenSSL and the resolver that another try will meet again. */
const LASTING = new Set(['ENOTFOUND', 'ERR_INVALID_URL', 'EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER']);
const CERTIFICATE = /CERT|ISSUER|SIGNATURE|ERR_TLS_/;

/**
 * Why a server could not be spoken to, as a sentence. Only codes are taken over from the error: its message may hold addresses
 * with what is secret in them.
 * @param server for people: `The ntfy server ntfy.sh`
 */
export function connectionError(server: string, error: unknown): NotificationChannelError {
  const code = codeOf(error);
  if (CERTIFICATE.test(code)) {
    const sentence = `${server} shows a certificate that is not trusted (${code}). NODE_EXTRA_CA_CERTS adds one of your own.`;
    return new NotificationChannelError(sentence, false, { cause: error });
  }
  const sentence = `${server} can’t be reached (${code || 'no reason given'}).`;
  return new NotificationChannelError(sentence, !LASTING.has(code), { cause: error });
}

/** The innermost code: what wraps an error of the network says less than the error itself. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  // nodemailer puts a code of its own in the place of the one that there was.
  const { originalCode, code, cause } = error as { originalCode?: unknown; code?: unknown; cause?: unknown };
  return codeOf(cause) || [originalCode, code].find((one) => typeof one === 'string') || '';
}
