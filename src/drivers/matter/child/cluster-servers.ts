/**
 * The server of each cluster. The library keeps the attributes and the rules of the specification; servers of our own
 * leave out what would show a state that the device has not reached yet.
 */
import type { ClusterBehavior } from '@matter/main';
import { AirQualityServer } from '@matter/main/behaviors/air-quality';
import { BooleanStateServer } from '@matter/main/behaviors/boolean-state';
import { CarbonDioxideConcentrationMeasurementServer } from '@matter/main/behaviors/carbon-dioxide-concentration-measurement';
import { ColorControlServer } from '@matter/main/behaviors/color-control';
import { FanControlServer } from '@matter/main/behaviors/fan-control';
import { IlluminanceMeasurementServer } from '@matter/main/behaviors/illuminance-measurement';
import { LevelControlServer } from '@matter/main/behaviors/level-control';
import { NitrogenDioxideConcentrationMeasurementServer } from '@matter/main/behaviors/nitrogen-dioxide-concentration-measurement';
import { OccupancySensingServer } from '@matter/main/behaviors/occupancy-sensing';
import { OnOffServer } from '@matter/main/behaviors/on-off';
import { OzoneConcentrationMeasurementServer } from '@matter/main/behaviors/ozone-concentration-measurement';
import { Pm10ConcentrationMeasurementServer } from '@matter/main/behaviors/pm10-concentration-measurement';
import { Pm25ConcentrationMeasurementServer } from '@matter/main/behaviors/pm25-concentration-measurement';
import { PowerSourceServer } from '@matter/main/behaviors/power-source';
import { PressureMeasurementServer } from '@matter/main/behaviors/pressure-measurement';
import { RelativeHumidityMeasurementServer } from '@matter/main/behaviors/relative-humidity-measurement';
import { SmokeCoAlarmServer } from '@matter/main/behaviors/smoke-co-alarm';
import { SwitchServer } from '@matter/main/behaviors/switch';
import { TemperatureMeasurementServer } from '@matter/main/behaviors/temperature-measurement';
import { ThermostatServer } from '@matter/main/behaviors/thermostat';
import { TotalVolatileOrganicCompoundsConcentrationMeasurementServer } from '@matter/main/behaviors/total-volatile-organic-compounds-concentration-measurement';
import { ValveConfigurationAndControlServer } from '@matter/main/behaviors/valve-configuration-and-control';
import { WindowCoveringServer } from '@matter/main/behaviors/window-covering';
import { ValveConfigurationAndControl } from '@matter/main/clusters/valve-configuration-and-control';
import type { MatterPress } from '../../../home/matter-port.ts';
import { BridgeEvents } from './bridge-events.ts';
import { LockServer } from './lock-server.ts';

/** The level of a lamp and its power change together, so both are locked before either is. */
class LevelServer extends LevelControlServer.with('OnOff', 'Lighting') {
  override couple(...args: Parameters<LevelControlServer['couple']>) {
    const [withOnOff] = args;
    if (!withOnOff || !this.agent.has(OnOffServer)) return super.couple(...args);
    const lock = this.context.transaction.addResources(this.agent.get(OnOffServer));
    return lock.then(() => super.couple(...args));
  }
}

/** The covering moves, and reports where it is. */
class CoveringServer extends WindowCoveringServer.with('Lift', 'Tilt', 'PositionAwareLift', 'PositionAwareTilt') {
  override handleMovement(): void {}

  override handleStopMovement(): void {
    this.env.get(BridgeEvents).stopMotion(this.endpoint.id);
  }
}

class ValveServer extends ValveConfigurationAndControlServer {
  override open(): void {
    this.state.targetState = ValveConfigurationAndControl.ValveState.Open;
  }

  override close(): void {
    this.state.targetState = ValveConfigurationAndControl.ValveState.Closed;
  }
}

/** A button of which only whole presses are known. The events are those of the specification (§1.13.6). */
export class ButtonServer extends SwitchServer.with(
  'MomentarySwitch',
  'MomentarySwitchRelease',
  'MomentarySwitchLongPress',
  'MomentarySwitchMultiPress',
) {
  press(press: MatterPress): void {
    if (press === 'long') this.#hold();
    else this.#tap(press === 'single' ? 1 : 2);
  }

  #tap(count: number): void {
    const { events, context } = this;
    for (let presses = 1; presses <= count; presses += 1) {
      events.initialPress.emit({ newPosition: 1 }, context);
      if (presses > 1) {
        events.multiPressOngoing.emit({ newPosition: 1, currentNumberOfPressesCounted: presses }, context);
      }
      events.shortRelease.emit({ previousPosition: 1 }, context);
    }
    events.multiPressComplete.emit({ previousPosition: 1, totalNumberOfPressesCounted: count }, context);
  }

  #hold(): void {
    const { events, context } = this;
    events.initialPress.emit({ newPosition: 1 }, context);
    events.longPress.emit({ newPosition: 1 }, context);
    events.longRelease.emit({ previousPosition: 1 }, context);
  }
}

/** By the names that behaviors have on an endpoint. */
export const CLUSTER_SERVERS = {
  airQuality: AirQualityServer,
  booleanState: BooleanStateServer,
  carbonDioxideConcentrationMeasurement: CarbonDioxideConcentrationMeasurementServer,
  colorControl: ColorControlServer,
  doorLock: LockServer,
  fanControl: FanControlServer,
  illuminanceMeasurement: IlluminanceMeasurementServer,
  pressureMeasurement: PressureMeasurementServer,
  levelControl: LevelServer,
  nitrogenDioxideConcentrationMeasurement: NitrogenDioxideConcentrationMeasurementServer,
  occupancySensing: OccupancySensingServer,
  onOff: OnOffServer,
  ozoneConcentrationMeasurement: OzoneConcentrationMeasurementServer,
  pm10ConcentrationMeasurement: Pm10ConcentrationMeasurementServer,
  pm25ConcentrationMeasurement: Pm25ConcentrationMeasurementServer,
  powerSource: PowerSourceServer,
  relativeHumidityMeasurement: RelativeHumidityMeasurementServer,
  smokeCoAlarm: SmokeCoAlarmServer,
  switch: ButtonServer,
  temperatureMeasurement: TemperatureMeasurementServer,
  thermostat: ThermostatServer,
  totalVolatileOrganicCompoundsConcentrationMeasurement: TotalVolatileOrganicCompoundsConcentrationMeasurementServer,
  valveConfigurationAndControl: ValveServer,
  windowCovering: CoveringServer,
} as const satisfies Record<string, ClusterBehavior.Type>;
