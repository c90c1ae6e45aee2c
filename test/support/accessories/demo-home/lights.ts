import { Characteristic, Service } from '@homebridge/hap-nodejs';
import type { Device } from './device.ts';

const LIGHTBULB = 5;

/** Dimmable, in colour. */
export const colourLamp: Device = {
  name: 'Reading Lamp',
  room: 'Living Room',
  model: 'Colour A19',
  category: LIGHTBULB,
  build(accessory) {
    accessory
      .addService(Service.Lightbulb, 'Reading Lamp')
      .setCharacteristic(Characteristic.On, false)
      .setCharacteristic(Characteristic.Brightness, 80)
      .setCharacteristic(Characteristic.Hue, 30)
      .setCharacteristic(Characteristic.Saturation, 60);
  },
};

/** Nothing but on and off. */
export const plainLamp: Device = {
  name: 'Ceiling Light',
  room: 'Kitchen',
  model: 'Plain E27',
  category: LIGHTBULB,
  build(accessory) {
    accessory.addService(Service.Lightbulb, 'Ceiling Light').setCharacteristic(Characteristic.On, true);
  },
};

/** White from cold to warm; its range is narrower than HAP's. */
export const whiteLamp: Device = {
  name: 'Desk Lamp',
  room: 'Office',
  model: 'White Ambiance',
  category: LIGHTBULB,
  build(accessory) {
    const lamp = accessory.addService(Service.Lightbulb, 'Desk Lamp');
    const mireds = lamp.getCharacteristic(Characteristic.ColorTemperature).updateValue(250);
    mireds.setProps({ minValue: 153, maxValue: 454 });
    lamp.setCharacteristic(Characteristic.On, false).setCharacteristic(Characteristic.Brightness, 100);
  },
};
