/**
 * Hands what controllers change to the home. A command and a write both end in a transaction with new values; before it
 * is committed, the home gets all of them at once, and its answer commits or undoes it.
 */
import type { ActionContext, Endpoint, Observable } from '@matter/main';
import { hasRemoteActor } from '@matter/main/protocol';
import type { MatterAttributes, MatterClusters, MatterValue } from '../../../home/matter-port.ts';
import { BridgeEvents } from './bridge-events.ts';
import { HOME_VALUES } from './home-values.ts';
import { requireOk } from './write-status.ts';

type Changing = Observable<[value: MatterValue, oldValue: MatterValue, context: ActionContext]>;

/** Watches an endpoint for as long as it exists. */
export function watchRemoteWrites(endpoint: Endpoint): void {
  const allEvents = endpoint.events as Readonly<Record<string, Readonly<Record<string, Changing | undefined>>>>;
  for (const [cluster, { controlled }] of Object.entries(HOME_VALUES)) {
    for (const attribute of controlled) {
      allEvents[cluster]?.[`${attribute}$Changing`]?.on((value, _, context) => {
        if (hasRemoteActor(context)) writeOf(context, endpoint).note(cluster, attribute, value);
      });
    }
  }
}

function writeOf(context: ActionContext, endpoint: Endpoint): RemoteWrite {
  const { transaction } = context;
  const known = transaction.getParticipant(endpoint);
  if (known instanceof RemoteWrite) return known;
  const write = new RemoteWrite(context, endpoint);
  transaction.addParticipants(write);
  return write;
}

/** The changes of one transaction at one endpoint. */
class RemoteWrite {
  readonly role: Endpoint;
  readonly #context: ActionContext;
  #changes: Record<string, Record<string, MatterValue>> = {};
  #state: 'none' | 'changed' | 'settled' = 'none';

  constructor(context: ActionContext, endpoint: Endpoint) {
    this.role = endpoint;
    this.#context = context;
  }

  toString(): string {
    return `write to ${this.role.id}`;
  }

  note(cluster: string, attribute: string, value: MatterValue): void {
    const attributes = this.#changes[cluster] ?? {};
    attributes[attribute] = value;
    this.#changes[cluster] = attributes;
    this.#state = 'changed';
  }

  /** Called in cycles until no participant changes anything: others may add changes to the same transaction. */
  async preCommit(): Promise<boolean> {
    if (this.#state === 'none') return false;
    if (this.#state === 'changed') {
      this.#state = 'settled';
      return true;
    }
    const changes = this.#changes;
    this.#state = 'none';
    this.#changes = {};
    const result = await this.role.env.get(BridgeEvents).write({
      key: this.role.id,
      fabricIndex: this.#context.fabric ?? null,
      clusters: this.#withColorMode(changes),
    });
    requireOk(result);
    return false;
  }

  /** A new color is read by its mode, which may be the one of before. */
  #withColorMode(changes: Readonly<Record<string, MatterAttributes>>): MatterClusters {
    const { colorControl } = changes;
    if (!colorControl || 'colorMode' in colorControl) return changes;
    const { colorMode } = this.role.stateOf('colorControl') as { readonly colorMode: number };
    return { ...changes, colorControl: { ...colorControl, colorMode } };
  }
}
