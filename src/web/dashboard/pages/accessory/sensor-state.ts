/** What the sheet of a sensor shows large, and since when it is so. */
import type { WordedEntry } from '../../activity/activity-words.ts';
import { type SensorRow, sensorsOf } from '../../devices/kinds/sensors.ts';
import { controlledServices } from '../../devices/panels/shown-services.ts';
import { flagOf } from '../../devices/reading.ts';
import type { HomeAccessory, HomeService } from '../../home/home-document.ts';
import { splitNumber } from '../../pickers/property.ts';
import { isRestingState } from '../history/resting-states.ts';

const MOTION = 'motion_detected';

export interface MainSensor {
  readonly service: HomeService;
  readonly row: SensorRow;
  /** `undefined` for a measurement. */
  readonly isNoticed: boolean | undefined;
}

/** The sensor that detects something now, else the first one. None for what has controls: these are the large ones. */
export function mainSensor(accessory: HomeAccessory): MainSensor | undefined {
  if (controlledServices(accessory).length > 0) return undefined;
  const sensors = sensorsOf(accessory)
    .filter(({ service }) => !service.isHidden)
    .map(({ service, row }) => ({ service, row, isNoticed: row.noticed && flagOf(service, row.noticed.by) }));
  return sensors.find(({ isNoticed }) => isNoticed) ?? sensors[0];
}

export interface StateSince {
  readonly at: string;
  /** The state is not the one of then. */
  readonly isOver: boolean;
}

/** @param entries the activity of the accessory, newest first */
export function stateSince(
  { row, isNoticed }: MainSensor,
  entries: readonly (WordedEntry & { readonly at: string })[],
): StateSince | undefined {
  if (isNoticed === undefined) return undefined;
  const latest = entries.find(
    ({ characteristic }) => characteristic !== null && splitNumber(characteristic).type === row.noticed?.by,
  );
  if (!latest) return undefined;
  const wasNoticed = !isRestingState(latest.value ?? '');
  if (wasNoticed === isNoticed) return { at: latest.at, isOver: false };
  // The end of a motion is no activity. Of other states, the entry has not arrived yet.
  return wasNoticed && row.noticed?.by === MOTION ? { at: latest.at, isOver: true } : undefined;
}
