/** Everything that starts and stops, in the order of starting. It stops in reverse. */
import { originOfLinks } from '../api/share-url.ts';
import type { Layout } from '../app/layout/layout.ts';
import { announceSetup } from '../app/users/announce-setup.ts';
import type { PairingStore } from '../drivers/hap/pairing/pairing-store.ts';
import type { Startable } from '../kernel/lifecycle.ts';
import type { Logger } from '../kernel/logger.ts';
import type { WallTimers } from '../kernel/wall-timers.ts';
import type { ApiParts } from './build-api.ts';
import type { DeviceParts } from './build-devices.ts';
import type { HomeParts } from './build-home.ts';
import type { OperationParts } from './build-operations.ts';
import type { OutgoingParts } from './build-outgoing.ts';

export type StartOrder = readonly (readonly [name: string, part: Startable])[];

export interface BuiltParts {
  readonly home: HomeParts;
  readonly devices: DeviceParts;
  readonly outgoing: OutgoingParts;
  readonly operations: OperationParts;
  readonly api: ApiParts;
  readonly advertisement: Startable;
}

export function startOrder(parts: BuiltParts, logger: Logger): StartOrder {
  const { home, devices, outgoing, api, advertisement } = parts;
  const { app, historyDatabase, housekeeping } = parts.operations;
  const { operations, loaders, recording, automation } = app;
  const announcement = { start: () => announceSetup(operations, originOfLinks(api.guards, ''), logger), stop() {} };
  return [
    ['deadlines', { start() {}, stop: () => devices.timers.stop() }],
    ['last values', home.lastValues],
    ['last reachability', home.lastReachability],
    ['layout', startLayout(home.layout, devices.pairings)],
    ['members', loaders.members],
    ['access upkeep', app.accessUpkeep],
    ['zones', loaders.zones],
    ['room groups', loaders.roomGroups],
    ['service groups', loaders.serviceGroups],
    ['scenes', loaders.scenes],
    ['people', loaders.people],
    ['brokers', loaders.brokers],
    ['publications', loaders.publications],
    ['adaptive lighting', loaders.adaptiveSettings],
    ['notifications', loaders.notifications],
    ['devices of people', loaders.pushDevices],
    ['ntfy topics of people', loaders.ntfyTopics],
    ['history database', historyDatabase],
    ['history settings', recording.settings],
    ['history recorder', recording.recorder],
    ['activity log', recording.activityLog],
    ['history retention', recording.keeper],
    ['energy', app.energyRecorder],
    ['outgoing requests', outgoing.sender],
    ['webhooks', app.webhooks.deliverer],
    ...Object.entries(automation.startables),
    // After its listeners: a timer that came due while the daemon was down finishes at once.
    ['virtual accessories', devices.virtual],
    // The API starts before device discovery: an early request gets "Relay not connected" instead of a refused
    // connection.
    ['server', api.server],
    ['https', app.certificateKeeper],
    ['setup code', announcement],
    ['lamp follower', app.lampFollower],
    ['service search', devices.serviceSearch],
    ['discovery', devices.discovery],
    ['accessories', devices.hap],
    // Controllers forget what is missing when a bridge opens: all accessories are there by now. It stops before them.
    ['published bridges', operations.publications.servers],
    // Stops before the devices: broker clients learn that the home is offline.
    ['mqtt', operations.mqttBridge],
    ['housekeeping', housekeeping],
    ['readiness', api.readiness],
    ['advertisement', advertisement],
    ['announcements', app.announcements],
    ['update check', app.updateCheck],
    ['load history', app.loadHistory],
    // After everything that it may stop.
    ['makers', app.makers],
    ['automations at work', { start() {}, stop: () => stopWork(devices.timers, automation.engine) }],
  ];
}

/**
 * Runs before anything else stops. Work that comes due from now on is left to the next start. Steps in progress still
 * have their devices; without them they would fail, and their runs would end instead of continuing later.
 */
async function stopWork(timers: WallTimers, engine: Startable): Promise<void> {
  timers.stop();
  await engine.stop();
}

/** Restores homes that only the second copy of the pairings contains, before the layout creates a first one. */
function startLayout(layout: Layout, pairings: PairingStore): Startable {
  return {
    start() {
      for (const { id, name } of pairings.homesToRestore()) layout.restoreHome(id, name);
      layout.start();
      pairings.open();
    },
    stop: () => layout.stop(),
  };
}
