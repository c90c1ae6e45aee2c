/**
 * What two sides of a table have in common: a built daemon, of this commit or another one, or the smallest possible
 * relay (`floor-child.ts`). Each has accessories of its own.
 */
import type { FleetMember } from '../support/accessories/fleet.ts';
import { BenchDaemon } from './bench-daemon.ts';
import { Floor, floorBody, setBodies } from './floor.ts';
import type { KeepAliveClient } from './keep-alive-client.ts';

export interface Side {
  readonly url: string;
  readonly token: string;
  /** The bridge whose lamps are set and report. */
  readonly bridge: FleetMember;
  /** What a client does, by its name. */
  readonly requests: Readonly<Record<RequestName, Request>>;
  residentMb(): number;
  processorMs(): number;
  stop(): Promise<void>;
}

/** Sends the nth request of a client. */
export type Request = (client: KeepAliveClient, n: number, lamp: number) => Promise<Buffer>;

export const REQUESTS = [
  'all accessories',
  'all accessories, unchanged',
  'one accessory',
  'homes',
  'the whole home by GraphQL',
  'a set',
] as const;
export type RequestName = (typeof REQUESTS)[number];

/** Starts a side and resolves when everything is connected. */
export type StartSide = (members: readonly FleetMember[]) => Promise<Side>;

const WHOLE_HOME = `{ homes { id name role rooms { id name accessories {
  id name homeId roomId category reachable
  services { id type name characteristics { id type value format unit minValue maxValue canWrite } }
} } } }`;

/** @param program `bin/hearthd.js` of a build; of this one by default */
export function daemonSide(program?: string): StartSide {
  return async (members) => {
    const [bridge] = members;
    if (!bridge) throw new Error('a side needs an accessory');
    const daemon = await BenchDaemon.start(members, program === undefined ? {} : { program });
    await daemon.untilConnected(members.length);
    const { body: accessories } = await daemon.asSystem('GET', '/rest/accessories');
    const body = await setBodies(daemon, bridge);
    const query = JSON.stringify({ query: WHOLE_HOME });
    return {
      url: daemon.url,
      token: daemon.token,
      bridge,
      requests: {
        'all accessories': (client) => client.get('/rest/accessories'),
        'all accessories, unchanged': (client) => client.getChange('/rest/accessories'),
        'one accessory': (client) => client.get(`/rest/accessories/${accessories[0].id}`),
        homes: (client) => client.get('/rest/homes'),
        'the whole home by GraphQL': (client) => client.post('/graphql', query),
        'a set': (client, n, lamp) => client.post('/rest/state', body(n, lamp)),
      },
      residentMb: () => daemon.residentMb(),
      processorMs: () => daemon.processorMs(),
      stop: () => daemon.stop(),
    };
  };
}

/** Of several bridges it serves the first: its library has a client a device. */
export const floorSide: StartSide = async ([bridge]) => {
  if (!bridge) throw new Error('a side needs an accessory');
  const floor = await Floor.start(bridge);
  return {
    url: floor.url,
    token: '',
    bridge,
    requests: {
      'all accessories': (client) => client.get('/accessories'),
      // It reads them to know.
      'all accessories, unchanged': (client) => client.get('/accessories'),
      'one accessory': (client) => client.get('/accessories/2'),
      homes: (client) => client.get('/homes'),
      'the whole home by GraphQL': (client) => client.get('/accessories'),
      'a set': (client, n, lamp) => client.post('/rest/state', floorBody(n, lamp)),
    },
    residentMb: () => floor.residentMb(),
    processorMs: () => floor.processorMs(),
    stop: async () => floor.stop(),
  };
};
