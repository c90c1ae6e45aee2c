import type { SecureServer } from '../../src/app/https/certificate-keeper.ts';

/** The https port of a server that is not there: it notes the certificates that it is given. */
export class FakeSecureServer implements SecureServer {
  securePort = 0;
  /** PEM, the newest last. */
  readonly served: string[] = [];

  async openSecure(port: number, { cert }: { readonly cert: string }): Promise<number> {
    this.securePort = port || 5658;
    this.served.push(cert);
    return this.securePort;
  }

  replaceSecure({ cert }: { readonly cert: string }): void {
    this.served.push(cert);
  }

  async closeSecure(): Promise<void> {
    this.securePort = 0;
  }
}
