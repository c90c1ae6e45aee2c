/** The operations, their nightly jobs and what they know of the daemon. */
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { lanOrigins } from '../api/lan-origin.ts';
import { Access } from '../app/access/authorize.ts';
import { Housekeeping } from '../app/housekeeping.ts';
import { pruneOAuth } from '../app/oauth/create-oauth.ts';
import { createOperations } from '../app/operations.ts';
import { readFacts } from '../app/relay-status/read-facts.ts';
import { notePreviousVersion } from '../app/updates/previous-version.ts';
import { pruneUsers } from '../app/users/create-users.ts';
import type { Config } from '../config/config.ts';
import { DriverRouter } from '../drivers/driver-router.ts';
import { Acme } from '../drivers/https/acme.ts';
import { Tailscale } from '../drivers/https/tailscale.ts';
import { rehearseVirtuals } from '../drivers/virtual/rehearsal.ts';
import { installKind } from '../kernel/install-kind.ts';
import { PROGRAM_FOLDER } from '../kernel/program-folder.ts';
import { VERSION } from '../kernel/version.ts';
import { HISTORY_DATABASE } from '../storage/data-directory.ts';
import { DisposableDatabase } from '../storage/disposable-database.ts';
import { announcementTexts } from './announcement-texts.ts';
import { blueprintTexts } from './blueprint-texts.ts';
import type { DeviceParts } from './build-devices.ts';
import type { HomeParts } from './build-home.ts';
import type { OutgoingParts } from './build-outgoing.ts';
import type { OwnAddresses } from './own-addresses.ts';
import type { RelayDeps } from './relay-deps.ts';

const BYTES_PER_MB = 1_000_000;
const MS_PER_SECOND = 1_000;
const MS_PER_MINUTE = 60_000;
/**
 * Timers are not exact to the millisecond: a delay up to this on a busy machine does not count as late, even with
 * strict settings.
 */
const PUNCTUAL_MS = 10_000;

export type OperationParts = ReturnType<typeof buildOperations>;

export function buildOperations(
  deps: RelayDeps,
  home: HomeParts,
  devices: DeviceParts,
  outgoing: OutgoingParts,
  addresses: OwnAddresses,
) {
  const { live, log, logger, directory, database, backupFolder, restorer, clock } = deps;
  const { layoutStore, state, references, bus, memberRoles } = home;
  const { hap, virtual, multicast, timers, openBridge, openMatterBridge, instanceId, serviceSearch } = devices;
  const info = { name: hostname(), version: VERSION, instanceId };
  const origins = lanOrigins({ ownHosts: outgoing.ownHosts, url: () => addresses.server.url });
  const historyDatabase = new DisposableDatabase({ path: directory.file(HISTORY_DATABASE), clock, logger });
  const facts = readFacts({
    info,
    install: installKind({ program: fileURLToPath(new URL('..', PROGRAM_FOLDER)), exists: existsSync }),
    previousVersion: notePreviousVersion(database, VERSION),
    clock,
    dataDirectory: live.current.dataDir,
    config: () => live.current,
    server: () => addresses.server,
    lanOrigin: () => origins()[0],
    advertisedAs: () => addresses.hostName,
    links: () => multicast.links(),
    settingProblems: () => live.problems,
  });
  const app = createOperations({
    database,
    backupFolder,
    restorer,
    layoutStore,
    state,
    references,
    bus,
    access: new Access(memberRoles),
    memberRoles,
    drivers: { hap, virtual, router: new DriverRouter({ hap, virtual }) },
    rehearseVirtuals,
    timers,
    mqtt: { ...outgoing.mqtt, services: serviceSearch },
    http: outgoing.sender,
    openBridge,
    openMatterBridge,
    automations: {
      runsPerMinute: () => live.current.automationRunsPerMinute,
      graceMs: () => Math.max(live.current.automationLateMinutes * MS_PER_MINUTE, PUNCTUAL_MS),
    },
    notificationChannels: outgoing.notificationChannels,
    webPush: outgoing.webPush,
    ntfy: outgoing.ntfy,
    publicUrl: () => live.current.publicUrl,
    secondStepRequiredFor: () => live.current.secondStepRequiredFor,
    refreshGraceMs: () => live.current.oauthRefreshGraceSeconds * MS_PER_SECOND,
    historyDatabase,
    blueprintTexts,
    announcementTexts,
    relay: { settings: live, logs: log.ring, facts },
    updateCheckIsOn: () => live.current.updateCheck,
    https: {
      server: () => addresses.server,
      port: () => live.current.httpsPort,
      redirectsHttp: () => live.current.httpsRedirect,
      hosts: outgoing.ownHosts,
      configuredNames: () => namesIn(live.current),
      lanOrigin: () => origins()[0],
      label: `hearthd on ${info.name} (${instanceId})`,
      tailscale: new Tailscale(),
      acme: new Acme({
        clock,
        directory: () => live.current.acme.directory,
        hook: () => live.current.acme.hook,
        ca: () => live.current.acme.ca,
      }),
      loadMaker: async () => (await import('../drivers/https/certificate-maker.ts')).certificateMaker,
    },
    historyMaxBytes: () => live.current.historyMaxMb * BYTES_PER_MB,
    clock,
    logger,
  });
  return { app, info, lanOrigins: origins, historyDatabase, housekeeping: buildHousekeeping(deps, app) };
}

/** The names that people configured for this relay. */
function namesIn({ allowedHosts, publicUrl }: Config): readonly string[] {
  return [...allowedHosts, ...(publicUrl === null ? [] : [new URL(publicUrl).hostname])];
}

function buildHousekeeping({ clock, logger }: RelayDeps, app: ReturnType<typeof createOperations>): Housekeeping {
  const { operations, webhooks } = app;
  const housekeeping = new Housekeeping({ clock, logger });
  housekeeping.add('users', () => pruneUsers(operations));
  housekeeping.add('apps', () => pruneOAuth(operations));
  housekeeping.add('shares', () => operations.shares.sweep());
  housekeeping.add('notifications', () => operations.notifications.prune());
  housekeeping.add('webhooks', () => webhooks.prune());
  housekeeping.add('notification preferences', () => operations.notificationPreferences.sweep());
  return housekeeping;
}
