/** Which device an id or an address means, and where it is. */
import { describe, expect, it } from 'vitest';
import { NearbyDevices } from '../../../src/drivers/hap/nearby-devices.ts';
import { ScriptedDiscovery } from '../../support/scripted-discovery.ts';
import { TestClock } from '../../support/test-clock.ts';

const LAMP = 'AA:BB:CC:DD:EE:01';

function open() {
  const discovery = new ScriptedDiscovery(new TestClock());
  const nearby = new NearbyDevices({ discovery, manual: {} as never, clock: new TestClock() });
  return { discovery, nearby };
}

describe('the addresses of a device', () => {
  it('are the current ones, or the last ones while it announces none', () => {
    const { discovery, nearby } = open();
    discovery.announce({ deviceId: LAMP, addresses: ['192.168.7.1'], port: 80 });
    const { addresses } = nearby.find(LAMP);
    expect(addresses()).toEqual([{ host: '192.168.7.1', port: 80 }]);
    discovery.announce({ deviceId: LAMP, addresses: ['192.168.7.2'], port: 81 });
    expect(addresses()).toEqual([{ host: '192.168.7.2', port: 81 }]);
    discovery.announce({ deviceId: LAMP, addresses: [] });
    expect(addresses()).toEqual([{ host: '192.168.7.2', port: 81 }]);
    discovery.remove(LAMP);
    expect(addresses()).toEqual([{ host: '192.168.7.2', port: 81 }]);
  });

  it('are the one that was given, while it announces none', () => {
    const { discovery, nearby } = open();
    discovery.announce({ deviceId: LAMP, host: 'Lamp.local', addresses: [], port: 80 });
    const { addresses } = nearby.find('lamp.local:80');
    expect(addresses()).toEqual([{ host: 'lamp.local', port: 80 }]);
    discovery.announce({ deviceId: LAMP, addresses: ['192.168.7.1'] });
    expect(addresses()).toEqual([{ host: '192.168.7.1', port: 80 }]);
  });
});

describe('an address', () => {
  it('means the device at that host and port, and at another port one that is not known', () => {
    const { discovery, nearby } = open();
    discovery.announce({ deviceId: LAMP, name: 'Lamp', host: 'Lamp.local', addresses: ['192.168.7.1'], port: 80 });
    for (const address of ['192.168.7.1:80', 'lamp.local:80']) expect(nearby.find(address).name).toBe('Lamp');
    expect(nearby.find('192.168.7.1:81').name).toBe('192.168.7.1:81');
  });
});
