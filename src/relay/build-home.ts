/** The home, in memory and in SQLite. */
import { AccessoryRegistry } from '../app/layout/accessory-registry.ts';
import { LastReachability } from '../app/layout/last-reachability.ts';
import { LastReachabilityStore } from '../app/layout/last-reachability-store.ts';
import { LastValues } from '../app/layout/last-values.ts';
import { LastValuesStore } from '../app/layout/last-values-store.ts';
import { Layout } from '../app/layout/layout.ts';
import { LayoutStore } from '../app/layout/layout-store.ts';
import { HomeReferences } from '../app/layout/references.ts';
import { MemberRoles } from '../app/users/member-roles.ts';
import { MemberStore } from '../app/users/member-store.ts';
import type { HomeEvents } from '../home/events.ts';
import { HomeState } from '../home/home-state.ts';
import { EventBus } from '../kernel/event-bus.ts';
import type { RelayDeps } from './relay-deps.ts';

export type HomeParts = ReturnType<typeof buildHome>;

export function buildHome({ database, clock, logger }: RelayDeps) {
  const bus = new EventBus<HomeEvents>(logger);
  const state = new HomeState(bus, clock);
  const layoutStore = new LayoutStore(database);
  const references = new HomeReferences(state);
  const reachabilityStore = new LastReachabilityStore(database);
  const lastReachability = new LastReachability({ store: reachabilityStore, state, bus, clock, logger });
  const layout = new Layout({ store: layoutStore, state, references, lastReachability, clock, logger });
  const lastValues = new LastValues({ store: new LastValuesStore(database), bus, clock, logger });
  const registry = new AccessoryRegistry({ store: layoutStore, state, lastValues, clock, logger });
  const memberRoles = new MemberRoles(new MemberStore(database));
  return { bus, state, layoutStore, references, lastReachability, layout, lastValues, registry, memberRoles };
}
