/** Builds the publications of homes. */
import type { OpenMatterBridge } from '../../home/matter-port.ts';
import type { OpenBridge } from '../../home/publication-port.ts';
import type { Database } from '../../storage/database.ts';
import type { AppDeps } from '../access/app-deps.ts';
import type { Attempts } from '../access/attempts.ts';
import type { SecretHasher } from '../access/secret-hasher.ts';
import type { AdaptiveLighting } from '../adaptive-lighting/adaptive-lighting.ts';
import type { Cameras } from '../control/cameras.ts';
import type { Control } from '../control/control.ts';
import type { ServiceGroups } from '../groups/service-groups.ts';
import type { Scenes } from '../scenes/scenes.ts';
import { BridgeStore } from './homekit/bridge-store.ts';
import { HomeKitKind } from './homekit/homekit-kind.ts';
import { LockPins } from './lock-pins.ts';
import type { OnPinRefused } from './matter/matter-content.ts';
import { MatterKind } from './matter/matter-kind.ts';
import { MatterStore } from './matter/matter-store.ts';
import type { Publication } from './publication.ts';
import { PublicationStore } from './publication-store.ts';
import { Publications } from './publications.ts';
import { selectThings } from './thing.ts';

interface CreatePublicationsDeps extends AppDeps<'state' | 'access' | 'bus' | 'clock' | 'logger'> {
  readonly database: Database;
  readonly control: Control;
  readonly cameras: Cameras;
  readonly serviceGroups: ServiceGroups;
  readonly scenes: Scenes;
  readonly adaptiveLighting: AdaptiveLighting;
  readonly openBridge: OpenBridge;
  readonly openMatterBridge: OpenMatterBridge;
  readonly attempts: Attempts;
  readonly passwords: SecretHasher;
  readonly onPinRefused: OnPinRefused;
}

export function createPublications(deps: CreatePublicationsDeps): Publications {
  const { database, state, access, bus, scenes, clock, attempts, passwords: hasher } = deps;
  const lockPins = new LockPins({ attempts, hasher });
  const scenesOf = (homeId: string) => scenes.alwaysIn(homeId);
  const homekit = new HomeKitKind({
    ...deps,
    store: new BridgeStore(database),
    thingsOf: ({ homeId, selection }) => selectThings({ state, scenesOf }, homeId, selection),
    onChange: ({ homeId }: Publication) => bus.emit('publications.changed', { homeId }),
  });
  const matter = new MatterKind({
    ...deps,
    store: new MatterStore(database),
    lockPins,
    thingsOf: ({ homeId, selection }) => selectThings({ state, scenesOf }, homeId, selection),
    onChange: ({ homeId }: Publication) => bus.emit('publications.changed', { homeId }),
  });
  return new Publications({
    store: new PublicationStore(database),
    kinds: { homekit, matter },
    lockPins,
    state,
    scenesOf,
    access,
    bus,
    clock,
  });
}
