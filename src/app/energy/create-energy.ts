/** Builds energy: what counts it, and its operations. */
import type { Database } from '../../storage/database.ts';
import type { DisposableDatabase } from '../../storage/disposable-database.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { Energy } from './energy.ts';
import { EnergyRecorder } from './energy-recorder.ts';
import { EnergyStore } from './energy-store.ts';
import { TariffStore } from './tariff-store.ts';

interface CreateEnergyDeps extends AppDeps<'state' | 'access' | 'bus' | 'clock' | 'logger'> {
  readonly database: Database;
  readonly historyDatabase: Pick<DisposableDatabase, 'current'>;
}

export function createEnergy(deps: CreateEnergyDeps) {
  const store = new EnergyStore(deps.historyDatabase);
  const recorder = new EnergyRecorder({ ...deps, store });
  return { recorder, energy: new Energy({ ...deps, store, tariffStore: new TariffStore(deps.database), recorder }) };
}
