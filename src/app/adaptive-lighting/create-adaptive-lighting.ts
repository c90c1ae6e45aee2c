/** Builds adaptive lighting: its settings, its operations, and what stands between callers and drivers. */
import type { AccessoryDriver } from '../../home/accessory-driver.ts';
import type { Database } from '../../storage/database.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { AdaptiveDriver } from './adaptive-driver.ts';
import { AdaptiveLighting } from './adaptive-lighting.ts';
import { AdaptiveLightingStore } from './adaptive-lighting-store.ts';
import { AdaptiveSettings } from './adaptive-settings.ts';
import { Follower } from './follower.ts';

interface CreateAdaptiveLightingDeps extends AppDeps<'state' | 'access' | 'bus' | 'clock' | 'logger'> {
  readonly database: Database;
  readonly driver: Pick<AccessoryDriver, 'write' | 'identify'>;
}

export function createAdaptiveLighting(deps: CreateAdaptiveLightingDeps) {
  const settings = new AdaptiveSettings({ store: new AdaptiveLightingStore(deps.database) });
  const follower = new Follower({ ...deps, settings });
  const adaptiveLighting = new AdaptiveLighting({ ...deps, settings, follower });
  const setLamp = adaptiveLighting.setLamp.bind(adaptiveLighting);
  return { settings, follower, adaptiveLighting, driver: new AdaptiveDriver({ ...deps, follower, setLamp }) };
}
