/** A process that runs a share of a fleet. Started by `fleet.ts` and controlled over IPC. */
import type { FleetOrder, FleetReport, FleetShare } from './fleet.ts';
import { createSigningKeys } from './identity.ts';
import { type RawAccessory, startRawAccessory } from './raw-accessory.ts';
import { bridgeDatabase, fullAccessory } from './sample-databases.ts';

const accessories = new Map<string, RawAccessory>();

function report(message: FleetReport): void {
  process.send?.(message);
}

async function start({ members, controllers, mdns, replyDelayMs, reportWrites }: FleetShare): Promise<void> {
  const started = members.map(async ({ deviceId, seed, port, children, name }) => {
    const accessory = await startRawAccessory({
      database: children > 0 ? bridgeDatabase(children) : [fullAccessory(name)],
      name,
      deviceId,
      port,
      mdns,
      replyDelayMs,
      keepLog: false,
      category: children > 0 ? 2 : 5,
      keys: createSigningKeys(Buffer.from(seed, 'hex')),
      paired: controllers.map(({ id, publicKey }) => ({ id, publicKey: Buffer.from(publicKey, 'hex') })),
    });
    accessories.set(deviceId, accessory);
    if (reportWrites)
      accessory.onWrite((write) => report({ type: 'write', deviceId, ...write, at: absolute(write.at) }));
  });
  await Promise.all(started);
  report({ type: 'started' });
}

/** `performance.now()` of this process on the clock that all processes share. */
function absolute(at: number): number {
  return performance.timeOrigin + at;
}

function set({ deviceId, aid, iid, value }: Extract<FleetOrder, { type: 'set' }>): void {
  accessories.get(deviceId)?.set(aid, iid, value);
  report({ type: 'set', at: absolute(performance.now()) });
}

function count(): void {
  const all = [...accessories.values()];
  const subscribed = all.filter((accessory) => accessory.subscriptions().size > 0).length;
  const connections = all.reduce((sum, accessory) => sum + accessory.connections(), 0);
  const requests = all.reduce((sum, accessory) => sum + accessory.requestCount, 0);
  report({ type: 'counts', connections, subscribed, requests });
}

process.on('message', (order: FleetOrder) => {
  if (order.type === 'start') void start(order.share);
  else if (order.type === 'set') set(order);
  else count();
});
// A fleet without its owner ends.
process.on('disconnect', () => process.exit());
