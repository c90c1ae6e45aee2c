import { Characteristic, type Formats, type Perms, Service } from '@homebridge/hap-nodejs';
import type { Device } from './device.ts';
import type { Life } from './life.ts';

const FLOAT = 'float' as Formats.FLOAT;
const READ = ['pr' as Perms.PAIRED_READ, 'ev' as Perms.NOTIFY];
const EVERY_MS = 5_000;
const MS_PER_HOUR = 3_600_000;
const WATTS_PER_KW = 1_000;

/** Eve's characteristics, which apps read as energy: power and total consumption. */
function addMeter(
  service: Service,
  life: Life,
  { watts, kwh }: { readonly watts: number; readonly kwh: number },
): void {
  const power = service.addCharacteristic(
    new Characteristic('Current Consumption', 'E863F10D-079E-48FF-8F27-9C2605A29F52', {
      format: FLOAT,
      unit: 'W',
      perms: READ,
      minValue: 0,
      maxValue: 12_000,
      minStep: 0.1,
    }),
  );
  const total = service.addCharacteristic(
    new Characteristic('Total Consumption', 'E863F10C-079E-48FF-8F27-9C2605A29F52', {
      format: FLOAT,
      unit: 'kWh',
      perms: READ,
      minValue: 0,
      minStep: 0.001,
    }),
  );
  const on = service.getCharacteristic(Characteristic.On);
  let counted = kwh;
  const measure = (): void => {
    power.updateValue(on.value === true ? watts : 0);
  };
  total.updateValue(counted);
  on.on('change', measure);
  measure();
  life.nowAndThen(EVERY_MS, () => {
    counted += (Number(power.value) / WATTS_PER_KW) * (EVERY_MS / MS_PER_HOUR);
    total.updateValue(Math.round(counted * WATTS_PER_KW) / WATTS_PER_KW);
  });
}

export const coffeeMachine: Device = {
  name: 'Coffee Machine',
  room: 'Kitchen',
  model: 'Smart Switch',
  category: 8,
  build(accessory, life) {
    const machine = accessory.addService(Service.Switch, 'Coffee Machine').setCharacteristic(Characteristic.On, false);
    addMeter(machine, life, { watts: 1_150, kwh: 214.37 });
  },
};

/** Three outlets in one accessory, two of them in use. */
export const powerStrip: Device = {
  name: 'Power Strip',
  room: 'Office',
  model: 'Strip 3',
  category: 7,
  build(accessory, life) {
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
      addMeter(outlet, life, { watts: [86, 31.5, 4][index] ?? 0, kwh: 1_203.5 / (index + 1) });
    }
  },
};
