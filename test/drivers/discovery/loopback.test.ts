/** Discovery against HAP-NodeJS and its responder, over real sockets on the loopback interface. */
import { Accessory, Characteristic, Service, uuid } from '@homebridge/hap-nodejs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Sighting } from '../../../src/drivers/discovery/discovery.ts';
import { MdnsDiscovery } from '../../../src/drivers/discovery/mdns-discovery.ts';
import { MulticastNetwork } from '../../../src/drivers/discovery/multicast-network.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { keepOnLoopback } from '../../support/accessories/demo-home/loopback-only.ts';
import { testStorage, useHapStorage } from '../../support/accessories/hap-storage.ts';
import { freePort } from '../../support/free-port.ts';
import { PATIENCE_MS } from '../../support/patience.ts';

const DEADLINE = { timeout: PATIENCE_MS, interval: 20 };
const FIXTURE = { clock: systemClock, logger: silentLogger };
const LIGHTBULB = 5;
const NAME = 'Küche. Lamp v1.0 💡';
/** Of this process alone: other tests advertise on the same loopback interface. */
const ID = `0E:${[24, 16, 8, 0].map((shift) => byte(process.pid >> shift)).join(':')}:01`;

/** What HAP-NodeJS does itself at the end of a pairing. */
interface Insides {
  readonly _accessoryInfo: { addPairedClient(id: string, publicKey: Buffer, permissions: number): void };
  readonly _advertiser: { updateAdvertisement(): void };
}

describe('Discovery of a HAP-NodeJS accessory on loopback', () => {
  let accessory: Accessory;
  let port: number;
  let discovery: MdnsDiscovery;
  const sightings: Sighting[] = [];
  const kinds = (): string[] =>
    sightings.filter(({ advertisement }) => advertisement.deviceId === ID).map(({ kind }) => kind);

  function createAccessory(): Accessory {
    const created = new Accessory(NAME, uuid.generate(ID));
    created
      .getService(Service.AccessoryInformation)
      ?.setCharacteristic(Characteristic.Manufacturer, 'Maker')
      .setCharacteristic(Characteristic.Model, 'Bulb 7');
    created.addService(Service.Lightbulb, 'Lamp');
    return created;
  }

  async function publish(): Promise<void> {
    port = await freePort();
    await accessory.publish({
      username: ID,
      pincode: '031-45-154',
      category: LIGHTBULB,
      port,
      bind: 'lo',
      advertiser: 'ciao' as never, // A const enum, out of reach of isolated modules.,
      addIdentifyingMaterial: false,
    });
  }

  beforeAll(async () => {
    // HAP-NodeJS dislikes the name, at length.
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    useHapStorage(testStorage());
    keepOnLoopback();
    discovery = new MdnsDiscovery({ ...FIXTURE, network: new MulticastNetwork({ ...FIXTURE, interfaces: ['lo'] }) });
    discovery.onSighting((sighting) => sightings.push(sighting));
    discovery.start();
    accessory = createAccessory();
    await publish();
  });

  afterAll(async () => {
    await accessory.unpublish();
    discovery.stop();
    vi.restoreAllMocks();
  });

  it('it is found, and everything it announces is right', async () => {
    await vi.waitFor(() => expect(discovery.find(ID)).toBeDefined(), DEADLINE);
    expect(discovery.find(ID)).toMatchObject({
      deviceId: ID,
      name: NAME,
      model: 'Bulb 7',
      category: LIGHTBULB,
      statusFlags: 1,
      protocolVersion: '1.1',
      port,
      via: 'mdns',
    });
    expect(discovery.find(ID)?.addresses[0]).toBe('127.0.0.1');
    expect(discovery.find(ID)?.configNumber).toBeGreaterThanOrEqual(1);
  });

  it('a discovery that starts later finds it by asking', async () => {
    const later = new MdnsDiscovery({ ...FIXTURE, network: new MulticastNetwork({ ...FIXTURE, interfaces: ['lo'] }) });
    later.start();
    await vi.waitFor(() => expect(later.find(ID)?.port).toBe(port), DEADLINE);
    later.stop();
  });

  it('that it has been paired is seen: its responder announces the TXT record alone', async () => {
    const { _accessoryInfo, _advertiser } = accessory as unknown as Insides;
    _accessoryInfo.addPairedClient('controller', Buffer.alloc(32), 1);
    _advertiser.updateAdvertisement();
    await vi.waitFor(() => expect(discovery.find(ID)?.statusFlags).toBe(0), DEADLINE);
  });

  it('that its database has changed is seen by c#', async () => {
    const before = discovery.find(ID)?.configNumber ?? 0;
    accessory.addService(Service.Switch, 'Switch');
    await vi.waitFor(() => expect(discovery.find(ID)?.configNumber).toBe(before + 1), DEADLINE);
  });

  it('a restart on another port is seen, and unpublishing is a loss', async () => {
    await accessory.unpublish();
    await vi.waitFor(() => expect(kinds().at(-1)).toBe('lost'), DEADLINE);
    expect(discovery.find(ID)).toBeUndefined();
    const before = port;
    accessory = createAccessory();
    await publish();
    expect(port).not.toBe(before);
    await vi.waitFor(() => expect(discovery.find(ID)?.port).toBe(port), DEADLINE);
  });

  it('a query for it alone is answered, and has it alone', async () => {
    await vi.waitFor(() => expect(discovery.find(ID)).toBeDefined(), DEADLINE);
    sightings.length = 0;
    discovery.refresh(ID);
    await vi.waitFor(() => expect(kinds()).toContain('seen'), DEADLINE);
  });
});

function byte(value: number): string {
  return (value & 0xff).toString(16).padStart(2, '0').toUpperCase();
}
