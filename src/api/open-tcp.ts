/** TCP ports of the API, and what to do about one that can't be opened. */
import { HearthError, messageOf } from '../kernel/errors.ts';
import { HttpListener, type ListenerDeps } from './listener.ts';

/** @throws `conflict` the TLS files are not usable */
export function createTcpListener(deps: ListenerDeps): HttpListener {
  try {
    return new HttpListener(deps);
  } catch (error) {
    throw new HearthError(
      'conflict',
      `The TLS files are not usable (${messageOf(error)}). Give a certificate chain with --tls-cert and its private key with --tls-key, both PEM.`,
      {},
      { cause: error },
    );
  }
}

/** The setting for the port. */
export type PortFlag = 'port' | 'ws-port' | 'https-port';

interface Place {
  readonly host: string | undefined;
  readonly port: number;
  /**
   * Beside other addresses `::` means IPv6 only: with IPv4 as well, it would conflict with `0.0.0.0` or `127.0.0.1`.
   */
  readonly ipv6Only: boolean;
}

/** @throws `conflict` in one line with the remedy */
export async function openTcp(listener: HttpListener, place: Place, flag: PortFlag): Promise<void> {
  const { host, port, ipv6Only } = place;
  try {
    await listener.listen(host === undefined ? { port } : { host, port, ipv6Only });
  } catch (error) {
    throw new HearthError('conflict', describeListenError(error, place, flag), {}, { cause: error });
  }
}

function describeListenError(error: unknown, { host, port }: Place, flag: PortFlag): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use by another program. Stop that one, or choose another port with --${flag}.`;
  }
  if (code === 'EACCES')
    return `Port ${port} may not be used without privileges. Choose one above 1023 with --${flag}.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `${host} is not an address of this machine. Correct --host, or leave it out to listen everywhere.`;
  }
  return `Can't listen on port ${port}: ${messageOf(error)}`;
}
