import { Characteristic, Service } from '@homebridge/hap-nodejs';
import { addBattery, type Device } from './device.ts';

/** Target Heating Cooling State that Current has no word for. */
const AUTO = 3;

/** Drifts to its target a tenth of a degree a second, while it may. */
export const thermostat: Device = {
  name: 'Thermostat',
  room: 'Living Room',
  model: 'Round 3',
  category: 9,
  build(accessory, life) {
    const service = accessory.addService(Service.Thermostat, 'Thermostat');
    const mode = service.getCharacteristic(Characteristic.TargetHeatingCoolingState).updateValue(1);
    const action = service.getCharacteristic(Characteristic.CurrentHeatingCoolingState);
    const current = service.getCharacteristic(Characteristic.CurrentTemperature).updateValue(19.4);
    const target = service.getCharacteristic(Characteristic.TargetTemperature).updateValue(21);
    const { OFF, HEAT, COOL } = Characteristic.CurrentHeatingCoolingState;
    /** What its mode lets it do about the temperature now. */
    const choose = () => {
      const rest = Number(target.value) - Number(current.value);
      const wanted = rest > 0 ? HEAT : COOL;
      return rest !== 0 && (mode.value === AUTO || mode.value === wanted) ? wanted : OFF;
    };
    let drifting = false;
    const drift = () => {
      action.updateValue(choose());
      if (drifting) return;
      drifting = true;
      const goal = () => Number(choose() === OFF ? current.value : target.value);
      life.approach(current, goal, { by: 0.1, everyMs: 1000 }, () => {
        drifting = false;
        action.updateValue(OFF);
      });
    };
    target.on('change', drift);
    mode.on('change', drift);
    drift();
    // A person opens a window.
    life.nowAndThen(45_000, () => {
      if (drifting) return;
      current.updateValue(Math.round((Number(current.value) - 0.5) * 10) / 10);
      drift();
    });
  },
};

/** Temperature, humidity and a battery. */
export const climateSensor: Device = {
  name: 'Climate Sensor',
  room: 'Bathroom',
  model: 'TH-2',
  category: 10,
  build(accessory, life) {
    const temperature = accessory.addService(Service.TemperatureSensor, 'Temperature');
    const humidity = accessory.addService(Service.HumiditySensor, 'Humidity');
    const celsius = temperature.getCharacteristic(Characteristic.CurrentTemperature);
    celsius.setProps({ minValue: -40 }).updateValue(22.3);
    const percent = humidity.getCharacteristic(Characteristic.CurrentRelativeHumidity).updateValue(54);
    life.wander(celsius, { from: 17, to: 28, by: 0.3, everyMs: 10_000 });
    life.wander(percent, { from: 30, to: 90, by: 2, everyMs: 10_000 });
    addBattery(accessory, life, 76);
  },
};

export const airQualitySensor: Device = {
  name: 'Air Quality',
  room: 'Office',
  model: 'AQ-1',
  category: 10,
  build(accessory, life) {
    const air = accessory.addService(Service.AirQualitySensor, 'Air Quality');
    const grade = air.getCharacteristic(Characteristic.AirQuality).updateValue(1);
    const dust = air.getCharacteristic(Characteristic.PM2_5Density).updateValue(8);
    const { EXCELLENT, POOR } = Characteristic.AirQuality;
    dust.on('change', ({ newValue }) => {
      grade.updateValue(Math.min(POOR, Math.max(EXCELLENT, Math.ceil(Number(newValue) / 12))));
    });
    life.wander(dust, { from: 2, to: 60, by: 5, everyMs: 15_000 });
  },
};

/** Two kinds of word for the same: it is active, and it turns at a speed. */
export const fan: Device = {
  name: 'Fan',
  room: 'Bedroom',
  model: 'Breeze',
  category: 3,
  build(accessory, life) {
    const service = accessory.addService(Service.Fanv2, 'Fan');
    const state = service.getCharacteristic(Characteristic.CurrentFanState);
    service.setCharacteristic(Characteristic.RotationSpeed, 40);
    service.setCharacteristic(Characteristic.RotationDirection, 0);
    service.getCharacteristic(Characteristic.Active).onSet((active) => {
      const { BLOWING_AIR, INACTIVE } = Characteristic.CurrentFanState;
      life.after(800, () => state.updateValue(active === 1 ? BLOWING_AIR : INACTIVE));
    });
  },
};
