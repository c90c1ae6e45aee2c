/** Builds dry runs over the services of the home. Only `app/operations.ts` calls it; it has no rules of its own. */
import type { Presence } from '../../../home/presence.ts';
import type { RehearseVirtuals } from '../../../home/virtual-rehearsal.ts';
import type { AppDeps } from '../../access/app-deps.ts';
import type { Makers } from '../../access/makers.ts';
import type { ServiceGroupStore } from '../../groups/service-group-store.ts';
import { ServiceGroups } from '../../groups/service-groups.ts';
import type { LayoutStore } from '../../layout/layout-store.ts';
import type { SceneStore } from '../../scenes/scene-store.ts';
import { Scenes } from '../../scenes/scenes.ts';
import type { VirtualAccessories } from '../../virtual-accessories/virtual-accessories.ts';
import type { Engine } from '../engine/engine.ts';
import type { Expressions } from '../expressions/expressions.ts';
import type { Flows } from '../flows/flows.ts';
import type { Automations } from '../native/automations.ts';
import { Simulations } from './simulations.ts';

export interface CreateSimulationsDeps extends AppDeps<'state' | 'access' | 'clock'> {
  readonly makers: Pick<Makers, 'isOwn'>;
  readonly people: Presence;
  readonly scenes: Scenes;
  readonly sceneStore: SceneStore;
  readonly serviceGroupStore: ServiceGroupStore;
  readonly layoutStore: LayoutStore;
  readonly virtuals: VirtualAccessories;
  readonly rehearseVirtuals: RehearseVirtuals;
  readonly flows: Flows;
  readonly automations: Automations;
  readonly engine: Pick<Engine, 'find'>;
  readonly expressions: Expressions;
  readonly runsPerMinute: () => number;
  readonly graceMs: () => number;
}

export function createSimulations(deps: CreateSimulationsDeps): Simulations {
  const { access, people, sceneStore, serviceGroupStore, layoutStore, automations, engine, virtuals } = deps;
  return new Simulations({
    ...deps,
    presence: people,
    timerOf: (id) => virtuals.timerOf(id),
    find: (id) => engine.find(id),
    furnish: (over) => ({
      scenes: new Scenes({ ...over, access, store: sceneStore, automationName: (id) => automations.nameOf(id) }),
      serviceGroups: new ServiceGroups({ ...over, access, store: serviceGroupStore, layoutStore }),
    }),
  });
}
