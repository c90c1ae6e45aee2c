/** Certificates for https: the ports of what makes and fetches them. */

/** A private key and its chain of certificates, both PEM. The server's own certificate comes first. */
export interface CertifiedKey {
  readonly key: string;
  readonly certificate: string;
}

interface Validity {
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** What an authority may sign for: these domains with all names below them, and these networks (`10.0.0.0/8`). */
export interface Permitted {
  readonly domains: readonly string[];
  readonly networks: readonly string[];
}

export interface AuthorityRequest extends Validity {
  /** How people recognise it in the list of their phone. */
  readonly commonName: string;
  readonly permitted: Permitted;
}

export interface ServerRequest extends Validity {
  /** Host names and IP addresses. */
  readonly names: readonly string[];
}

export interface CertificateMaker {
  makeAuthority(wanted: AuthorityRequest): CertifiedKey;
  /** Signs for a new key. */
  makeServer(authority: CertifiedKey, wanted: ServerRequest): CertifiedKey;
}

/** The name and certificate of this computer in its tailnet. Errors are `conflict`, with what to do in the sentence. */
export interface TailscaleCertificates {
  name(signal?: AbortSignal): Promise<string>;
  obtain(name: string, signal?: AbortSignal): Promise<CertifiedKey>;
}

export interface AcmeRequest {
  readonly names: readonly string[];
  /** PEM. The key of our account at the authority: with the same key it is the same account. */
  readonly accountKey: string;
}

/** Certificates of an authority that speaks ACME, proven by DNS. Errors are `conflict`, with what to do. */
export interface AcmeCertificates {
  /** @throws what is not configured */
  check(): void;
  newAccountKey(): string;
  obtain(request: AcmeRequest, signal?: AbortSignal): Promise<CertifiedKey>;
}
