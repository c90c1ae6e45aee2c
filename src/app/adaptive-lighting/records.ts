/** What is stored about adaptive lighting. */
import type { CurveSettings } from '../../home/adaptive-lighting/curve.ts';
import type { HapId } from '../../home/model.ts';

export interface HomeSettings extends CurveSettings {
  readonly enabled: boolean;
  /** How long a colour that someone set stays; `null`: until the lamp is turned off. */
  readonly pauseHours: number | null;
}

export interface LampRecord {
  readonly accessoryId: string;
  readonly serviceIid: HapId;
  /** `null`: as its room. */
  readonly enabled: boolean | null;
  /** When someone set its colour; `null`: it is not paused. */
  readonly pausedAt: number | null;
  /** `null`: until it is turned off. */
  readonly pausedUntil: number | null;
  /** When the schedule starts that the lamp itself runs; `null`: it has none of ours. */
  readonly scheduleAt: number | null;
}

export type LampChanges = Partial<Omit<LampRecord, 'accessoryId' | 'serviceIid'>>;
