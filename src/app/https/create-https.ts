import type { AcmeCertificates, CertificateMaker, TailscaleCertificates } from '../../home/certificates.ts';
import type { Database } from '../../storage/database.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { AcmeSource } from './acme-source.ts';
import { CertificateKeeper, type SecureServer } from './certificate-keeper.ts';
import type { CertificateSource } from './certificate-source.ts';
import { Https, type PasskeyPerson } from './https.ts';
import { HttpsStore, type StoredHttps } from './https-store.ts';
import { OwnSource } from './own-source.ts';
import { TailscaleSource } from './tailscale-source.ts';

/** What https takes of the daemon. All functions are called at each use, since their values change. */
export interface HttpsParts {
  readonly server: () => SecureServer;
  readonly port: () => number;
  /** The setting `https_redirect`. */
  readonly redirectsHttp: () => boolean;
  /** Names and addresses of this computer. */
  readonly hosts: () => Iterable<string>;
  /** Names that people configured. */
  readonly configuredNames: () => readonly string[];
  readonly lanOrigin: () => string | undefined;
  /** How people recognise the authority. */
  readonly label: string;
  /** Loads what makes certificates: it is needed a few times a year. */
  readonly loadMaker: () => Promise<CertificateMaker>;
  readonly tailscale: TailscaleCertificates;
  readonly acme: AcmeCertificates;
}

interface Deps extends AppDeps<'state' | 'access' | 'clock' | 'logger'> {
  readonly database: Database;
  readonly https: HttpsParts;
  readonly passkeyPeople: () => readonly PasskeyPerson[];
}

export function createHttps({ database, https, ...deps }: Deps) {
  const store = new HttpsStore(database);
  const sourceOf = ({ source, names }: StoredHttps, newAuthority = false): CertificateSource =>
    ({
      own: () => new OwnSource({ ...https, store, clock: deps.clock }, names, newAuthority),
      tailscale: () => new TailscaleSource(https.tailscale, names),
      acme: () => new AcmeSource({ ...https, store, clock: deps.clock }, names),
    })[source]();
  const keeper = new CertificateKeeper({ ...https, ...deps, store, sourceOf });
  return {
    keeper,
    https: new Https({ ...https, ...deps, store, keeper, wanted: (stored) => sourceOf(stored).wanted() }),
  };
}
