/** The API: its server, who may reach it, and whether it is ready. */
import type { GuardOptions } from '../api/guards.ts';
import { createHttpApi } from '../api/http.ts';
import { LiveRing } from '../api/live/live-ring.ts';
import { HttpServer } from '../api/server.ts';
import type { Startable } from '../kernel/lifecycle.ts';
import { VERSION } from '../kernel/version.ts';
import { SOCKET_FILE } from '../storage/data-directory.ts';
import type { HomeParts } from './build-home.ts';
import type { OperationParts } from './build-operations.ts';
import type { OutgoingParts } from './build-outgoing.ts';
import type { OwnAddresses } from './own-addresses.ts';
import type { RelayDeps } from './relay-deps.ts';

export type ApiParts = ReturnType<typeof buildApi>;

export function buildApi(
  deps: RelayDeps,
  { bus }: HomeParts,
  { ownHosts }: OutgoingParts,
  { app, info, lanOrigins }: OperationParts,
  addresses: OwnAddresses,
) {
  const { live, overrides, directory, clock, logger } = deps;
  const { host, port, wsPort, tls } = live.current;
  let ready = false;
  const readiness: Startable = {
    start() {
      ready = true;
      bus.emit('relay.started', { version: VERSION, at: clock.now() });
    },
    stop() {
      ready = false;
    },
  };
  const guards: GuardOptions = {
    ownHosts: joined(ownHosts, () => app.certificateKeeper.servedNames),
    get allowedHosts() {
      return live.current.allowedHosts;
    },
    get allowedOrigins() {
      return live.current.allowedOrigins;
    },
    get publicUrl() {
      return live.current.publicUrl;
    },
    get trustedProxies() {
      return live.current.trustedProxies;
    },
    lanOrigin: () => lanOrigins()[0],
    lanOrigins,
    redirectPort: () => (live.current.httpsRedirect ? addresses.server.securePort : 0),
    ownUrl: () => addresses.server.url,
  };
  const ring = new LiveRing({ ...app.operations, bus, logger }, overrides.liveLimits);
  const { pagesDirectory } = overrides;
  const isReady = () => ready;
  const { app: api, quick } = createHttpApi({
    ...app.operations,
    bus,
    logger,
    live: ring,
    info,
    guards,
    isReady,
    pagesDirectory,
  });
  const socketPath = directory.file(SOCKET_FILE);
  const server = new HttpServer({
    fetch: (request, env) => api.fetch(request, env),
    quick,
    host,
    port,
    wsPort,
    socketPath,
    tls,
    logger,
  });
  return { ring, api, server, guards, readiness };
}

/** @returns a function that returns the members of both. They are joined again when one of them is another object. */
function joined(first: () => ReadonlySet<string>, second: () => ReadonlySet<string>): () => ReadonlySet<string> {
  let of: readonly ReadonlySet<string>[] = [];
  let all: ReadonlySet<string> = new Set();
  return () => {
    const now = [first(), second()];
    if (now.some((set, index) => set !== of[index])) {
      of = now;
      all = new Set(now.flatMap((set) => [...set]));
    }
    return all;
  };
}
