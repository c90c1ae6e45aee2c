import { Characteristic, Service } from '@homebridge/hap-nodejs';
import type { Device } from './device.ts';

/** Turns its key in a second. */
export const lock: Device = {
  name: 'Front Door',
  room: 'Hallway',
  model: 'Bolt',
  category: 6,
  build(accessory, life) {
    const service = accessory.addService(Service.LockMechanism, 'Front Door');
    const current = service.getCharacteristic(Characteristic.LockCurrentState).updateValue(1);
    const target = service.getCharacteristic(Characteristic.LockTargetState).updateValue(1);
    target.onSet((state) => life.after(1000, () => current.updateValue(state)));
  },
};

/** Takes eight seconds, and reports that it is moving. */
export const garageDoor: Device = {
  name: 'Garage Door',
  room: 'Garage',
  model: 'Lift',
  category: 4,
  build(accessory, life) {
    const service = accessory.addService(Service.GarageDoorOpener, 'Garage Door');
    const current = service.getCharacteristic(Characteristic.CurrentDoorState).updateValue(1);
    const target = service.getCharacteristic(Characteristic.TargetDoorState).updateValue(1);
    service.setCharacteristic(Characteristic.ObstructionDetected, false);
    const { OPENING, CLOSING } = Characteristic.CurrentDoorState;
    target.onSet((state) => {
      if (current.value === state) return;
      current.updateValue(state === 0 ? OPENING : CLOSING);
      life.after(8000, () => {
        if (target.value === state) current.updateValue(state);
      });
    });
  },
};

/** Five percent every 300 ms. */
export const blind: Device = {
  name: 'Blind',
  room: 'Bedroom',
  model: 'Roller',
  category: 14,
  build(accessory, life) {
    const service = accessory.addService(Service.WindowCovering, 'Blind');
    const current = service.getCharacteristic(Characteristic.CurrentPosition).updateValue(100);
    const target = service.getCharacteristic(Characteristic.TargetPosition).updateValue(100);
    const motion = service.getCharacteristic(Characteristic.PositionState).updateValue(2);
    const { DECREASING, INCREASING, STOPPED } = Characteristic.PositionState;
    target.on('change', ({ newValue }) => {
      const wasMoving = motion.value !== STOPPED;
      motion.updateValue(Number(newValue) > Number(current.value) ? INCREASING : DECREASING);
      if (wasMoving) return;
      life.approach(
        current,
        () => Number(target.value),
        { by: 5, everyMs: 300 },
        () => motion.updateValue(STOPPED),
      );
    });
  },
};

export const balconyDoor: Device = {
  name: 'Balcony Door',
  room: 'Living Room',
  model: 'Contact',
  category: 10,
  build(accessory, life) {
    const service = accessory.addService(Service.ContactSensor, 'Balcony Door');
    const contact = service.getCharacteristic(Characteristic.ContactSensorState).updateValue(0);
    life.nowAndThen(40_000, () => contact.updateValue(contact.value === 0 ? 1 : 0));
  },
};
