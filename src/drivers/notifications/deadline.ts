import { NotificationChannelError } from '../../home/notification-channel.ts';

/**
 * Runs a task with a signal that aborts when `outer` aborts, or after `timeoutMs`. The timer does not keep the process
 * alive. Node's `AbortSignal.any` and `timeout` would be shorter, but the garbage collector has lost their signals.
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

/** Codes of Node, OpenSSL and the resolver that a retry would meet again. */
const LASTING = new Set(['ENOTFOUND', 'ERR_INVALID_URL', 'EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER']);
const CERTIFICATE = /CERT|ISSUER|SIGNATURE|ERR_TLS_/;

/**
 * A connection error as a sentence. It uses only the code of the error: the message may hold addresses with secrets.
 * @param server for display: `The ntfy server ntfy.sh`
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

/** The innermost code: a wrapping error is less specific than the network error. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  // nodemailer replaces the original code with its own.
  const { originalCode, code, cause } = error as { originalCode?: unknown; code?: unknown; cause?: unknown };
  return codeOf(cause) || [originalCode, code].find((one) => typeof one === 'string') || '';
}
