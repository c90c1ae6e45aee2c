import type { Clock } from '../../kernel/clock.ts';
import type { RelayFacts } from './relay-deps.ts';

interface RelayFactsDeps {
  readonly info: Pick<RelayFacts, 'name' | 'version' | 'instanceId'>;
  readonly install: RelayFacts['install'];
  readonly previousVersion: string | null;
  readonly clock: Clock;
  readonly dataDirectory: string;
  /** The current configuration. */
  readonly config: () => {
    readonly publicUrl: string | null;
    readonly interfaces: readonly string[];
    readonly tls: object | null;
  };
  readonly server: () => { readonly url: string; readonly port: number; readonly wsPort: number };
  /** The origin at which other devices reach it. */
  readonly lanOrigin: () => string | undefined;
  readonly advertisedAs: () => string | undefined;
  readonly links: () => readonly { readonly name: string; readonly addresses: readonly string[] }[];
  readonly settingProblems: () => readonly string[];
}

/** @returns a function that reads the daemon's current facts. Uptime uses the monotonic clock. */
export function readFacts(deps: RelayFactsDeps): () => RelayFacts {
  const { info, install, previousVersion, clock, dataDirectory, config, server, settingProblems } = deps;
  const startedAt = clock.now();
  const begunAt = clock.monotonic();
  return () => {
    const { publicUrl, interfaces, tls } = config();
    const { url, port, wsPort } = server();
    return {
      name: info.name,
      version: info.version,
      instanceId: info.instanceId,
      startedAt,
      uptimeMs: Math.round(clock.monotonic() - begunAt),
      dataDirectory,
      addresses: [...new Set([publicUrl, deps.lanOrigin(), new URL(url).origin].filter(isThere))],
      port,
      wsPort,
      hasTls: tls !== null,
      publicUrl,
      advertisedAs: deps.advertisedAs() ?? null,
      interfaces: deps.links().map(({ name, addresses }) => ({ name, addresses: [...addresses] })),
      areInterfacesChosen: interfaces.length > 0,
      settingProblems: settingProblems(),
      install,
      previousVersion,
    };
  };
}

function isThere(origin: string | null | undefined): origin is string {
  return typeof origin === 'string';
}
