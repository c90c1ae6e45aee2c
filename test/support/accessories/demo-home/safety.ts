import { Characteristic, Service } from '@homebridge/hap-nodejs';
import { addBattery, type Device } from './device.ts';

const SENSOR = 10;

/** Detects a person now and then, for five seconds. */
export const motionSensor: Device = {
  name: 'Motion Sensor',
  room: 'Hallway',
  model: 'PIR',
  category: SENSOR,
  build(accessory, life) {
    const service = accessory.addService(Service.MotionSensor, 'Motion Sensor');
    const motion = service.getCharacteristic(Characteristic.MotionDetected).updateValue(false);
    life.nowAndThen(20_000, () => {
      motion.updateValue(true);
      life.after(5000, () => motion.updateValue(false));
    });
    addBattery(accessory, life, 41);
  },
};

/** Arms and disarms in a second. */
export const alarm: Device = {
  name: 'Alarm',
  room: 'Hallway',
  model: 'Guard',
  category: 11,
  build(accessory, life) {
    const service = accessory.addService(Service.SecuritySystem, 'Alarm');
    const current = service.getCharacteristic(Characteristic.SecuritySystemCurrentState).updateValue(3);
    const target = service.getCharacteristic(Characteristic.SecuritySystemTargetState).updateValue(3);
    target.onSet((state) => life.after(1000, () => current.updateValue(state)));
  },
};

/** Rings now and then. */
export const doorbell: Device = {
  name: 'Doorbell',
  room: 'Hallway',
  model: 'Ring',
  category: 18,
  build(accessory, life) {
    const service = accessory.addService(Service.Doorbell, 'Doorbell');
    service.setPrimaryService(true);
    const press = service.getCharacteristic(Characteristic.ProgrammableSwitchEvent);
    press.setProps({ validValues: [0] });
    life.nowAndThen(45_000, () => press.sendEventNotification(0));
  },
};

/** Pressed once or twice, or held. */
export const wallButton: Device = {
  name: 'Wall Button',
  room: 'Bedroom',
  model: 'Button 1',
  category: 15,
  build(accessory, life) {
    const button = accessory.addService(Service.StatelessProgrammableSwitch, 'Wall Button');
    const press = button.getCharacteristic(Characteristic.ProgrammableSwitchEvent);
    life.nowAndThen(60_000, () => press.sendEventNotification(Math.floor(Math.random() * 3)));
  },
};

export const smokeDetector: Device = {
  name: 'Smoke Detector',
  room: 'Kitchen',
  model: 'Smoke',
  category: SENSOR,
  build(accessory, life) {
    accessory.addService(Service.SmokeSensor, 'Smoke Detector').setCharacteristic(Characteristic.SmokeDetected, 0);
    addBattery(accessory, life, 93);
  },
};

export const leakSensor: Device = {
  name: 'Leak Sensor',
  room: 'Bathroom',
  model: 'Leak',
  category: SENSOR,
  build(accessory, life) {
    accessory.addService(Service.LeakSensor, 'Leak Sensor').setCharacteristic(Characteristic.LeakDetected, 0);
    addBattery(accessory, life, 15);
  },
};

export const lightSensor: Device = {
  name: 'Light Sensor',
  room: 'Garden',
  model: 'Lux',
  category: SENSOR,
  build(accessory, life) {
    const service = accessory.addService(Service.LightSensor, 'Light Sensor');
    const lux = service.getCharacteristic(Characteristic.CurrentAmbientLightLevel).updateValue(420);
    life.wander(lux, { from: 1, to: 2000, by: 60, everyMs: 10_000 });
  },
};

export const speaker: Device = {
  name: 'Speaker',
  room: 'Living Room',
  model: 'Sound',
  category: 26,
  build(accessory) {
    accessory
      .addService(Service.Speaker, 'Speaker')
      .setCharacteristic(Characteristic.Mute, false)
      .setCharacteristic(Characteristic.Volume, 35);
  },
};
