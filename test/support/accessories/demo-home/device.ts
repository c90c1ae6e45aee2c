import { type Accessory, Characteristic, Service } from '@homebridge/hap-nodejs';
import type { Life } from './life.ts';

const LOW_PERCENT = 20;

/** One kind of device, as a row of the home: what it is called, where it stands and how it is built. */
export interface Device {
  readonly name: string;
  /** Where it belongs. */
  readonly room: string;
  readonly model: string;
  /** HAP category number. */
  readonly category: number;
  /** Adds services and behaviour. */
  build(accessory: Accessory, life: Life): void;
  /** Makes it a bridge with these behind it. */
  readonly children?: readonly Device[];
}

/** Fills in the accessory information, without which HAP-NodeJS warns. */
export function describe(accessory: Accessory, device: Device, serial: string): void {
  accessory
    .getService(Service.AccessoryInformation)
    ?.setCharacteristic(Characteristic.Manufacturer, 'hearthd house')
    .setCharacteristic(Characteristic.Model, device.model)
    .setCharacteristic(Characteristic.SerialNumber, serial)
    .setCharacteristic(Characteristic.FirmwareRevision, '1.2.3');
}

/** Adds a battery that runs down and is changed when it is empty. */
export function addBattery(accessory: Accessory, life: Life, level: number): void {
  const battery = accessory.addService(Service.Battery, 'Battery');
  const left = battery.getCharacteristic(Characteristic.BatteryLevel).updateValue(level);
  const low = () => Number(Number(left.value) < LOW_PERCENT);
  const isLow = battery.getCharacteristic(Characteristic.StatusLowBattery).updateValue(low());
  battery.setCharacteristic(Characteristic.ChargingState, Characteristic.ChargingState.NOT_CHARGEABLE);
  life.nowAndThen(60_000, () => {
    left.updateValue(Number(left.value) > 1 ? Number(left.value) - 1 : 100);
    isLow.updateValue(low());
  });
}
