/** Looks for brokers on the network that a home could be published on, as an operation. */
import type { MqttService } from '../../contract/mqtt.ts';
import { parseHost } from '../../home/mqtt-target.ts';
import type { FoundService, ServiceSearch } from '../../home/service-search.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { requireMaker } from '../access/authority.ts';
import type { Caller } from '../access/caller.ts';
import type { Brokers } from './brokers.ts';

interface Deps extends AppDeps<'state' | 'access'> {
  readonly services: ServiceSearch;
  readonly brokers: Pick<Brokers, 'list'>;
}

export class BrokerSearch {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Brokers, and Home Assistant, that announce themselves now: brokers first. It takes some seconds, and connects to
   * none of them. Requires an admin of the home who may add a broker.
   * @throws `home_not_found` · `insufficient_permissions`
   */
  async find(caller: Caller, homeId: string): Promise<readonly MqttService[]> {
    const { access, state, services, brokers } = this.#deps;
    const home = access.authorizeHome(caller, 'manage', state.home(homeId));
    requireMaker(caller, 'mqtt_broker');
    const found = (await services.search()).flatMap(reachable);
    const known = brokers.list(caller, home.id);
    return found.map((service) => ({
      ...service,
      isAdded: known.some(({ host, port }) => port === service.port && service.addresses.includes(host)),
    }));
  }
}

/** Without addresses that a broker can't be added with, and without the service if none is left. */
function reachable({ addresses, ...service }: FoundService): readonly Omit<MqttService, 'isAdded'>[] {
  const hosts = addresses.filter(isHost);
  const [host] = hosts;
  return host === undefined ? [] : [{ ...service, host, addresses: hosts }];
}

function isHost(address: string): boolean {
  try {
    return parseHost(address) === address;
  } catch {
    return false;
  }
}
