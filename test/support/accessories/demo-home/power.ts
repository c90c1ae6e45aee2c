import { Characteristic, Service } from '@homebridge/hap-nodejs';
import type { Device } from './device.ts';

export const coffeeMachine: Device = {
  name: 'Coffee Machine',
  room: 'Kitchen',
  model: 'Smart Switch',
  category: 8,
  build(accessory) {
    accessory.addService(Service.Switch, 'Coffee Machine').setCharacteristic(Characteristic.On, false);
  },
};

/** Three outlets in one accessory, two of them in use. */
export const powerStrip: Device = {
  name: 'Power Strip',
  room: 'Office',
  model: 'Strip 3',
  category: 7,
  build(accessory) {
    for (const [index, name] of ['Computer', 'Screen', 'Printer'].entries()) {
      const outlet = accessory.addService(Service.Outlet, name, `outlet-${index}`);
      const inUse = outlet.getCharacteristic(Characteristic.OutletInUse).updateValue(index < 2);
      outlet
        .setCharacteristic(Characteristic.Name, name)
        .setCharacteristic(Characteristic.On, index < 2)
        .getCharacteristic(Characteristic.On)
        .onSet((on) => {
          inUse.updateValue(on === true && index < 2);
        });
    }
  },
};
