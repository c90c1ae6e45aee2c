/**
 * A Matter controller in a process of its own: matter.js's, which is no part of hearthd. It does what its parent asks
 * and answers with JSON.
 */
import { type Endpoint, Environment, Logger, LogLevel, Seconds, ServerNode, StorageService } from '@matter/main';
import { type ClientNode, ControllerBehavior } from '@matter/main/node';
import { answerParent } from '../../support/asked-process.ts';

export type ControllerRequest =
  | { readonly do: 'commission'; readonly code: string }
  /** What it knows of the bridge's endpoints, from its subscription. */
  | { readonly do: 'endpoints' }
  /** The lengths of the aggregator's list of endpoints, as it was reported since the last time. */
  | { readonly do: 'lists' }
  | { readonly do: 'state'; readonly endpoint: number; readonly cluster: string }
  | { readonly do: 'read'; readonly endpoint: number; readonly cluster: string }
  | {
      readonly do: 'invoke';
      readonly endpoint: number;
      readonly cluster: string;
      readonly command: string;
      readonly fields?: object;
    }
  | { readonly do: 'write'; readonly endpoint: number; readonly cluster: string; readonly values: object }
  /** The events that arrived since the last time. */
  | { readonly do: 'events'; readonly endpoint: number; readonly cluster: string };

export interface EndpointSummary {
  readonly number: number;
  readonly deviceTypes: readonly number[];
  readonly label: string | null;
  readonly uniqueId: string | null;
  readonly reachable: boolean | null;
}

const environment = Environment.default;
environment.get(StorageService).configuredDriver = 'memory';
environment.vars.set('runtime.signals', false);
// It reports what a test expects to be refused.
Logger.level = LogLevel.FATAL;

const controller = await ServerNode.create(ServerNode.RootEndpoint.with(ControllerBehavior), {
  id: 'controller',
  network: { port: 0, ble: false },
  commissioning: { enabled: false },
  controller: { adminFabricLabel: process.argv[2] ?? 'test' },
});
await controller.start();
let bridge: ClientNode | undefined;
const seen = new Map<string, object[]>();
const AGGREGATOR = 1;
let lists: number[] | undefined;

answerParent(answer);

async function answer(request: ControllerRequest): Promise<unknown> {
  switch (request.do) {
    case 'commission':
      bridge = await controller.peers.commission({ pairingCode: request.code, timeout: Seconds(60) });
      return;
    case 'endpoints':
      return [...theBridge().endpoints].map(summary);
    case 'lists':
      return listsOf();
    case 'state':
      return endpointOf(request.endpoint).stateOf(request.cluster);
    case 'read':
      return endpointOf(request.endpoint).getStateOf(request.cluster);
    case 'write':
      return endpointOf(request.endpoint).setStateOf(request.cluster, { ...request.values });
    case 'invoke':
      return invoke(endpointOf(request.endpoint), request.cluster, request.command, withBytes(request.fields));
    case 'events':
      return eventsOf(request.endpoint, request.cluster);
  }
}

function theBridge(): ClientNode {
  if (!bridge) throw new Error('Nothing is commissioned');
  return bridge;
}

function endpointOf(number: number): Endpoint {
  return theBridge().endpoints.for(number);
}

function summary(endpoint: Endpoint): EndpointSummary {
  // One that was only just listed has none yet.
  const descriptor = endpoint.maybeStateOf('descriptor') as { deviceTypeList?: { deviceType: number }[] } | undefined;
  const about = endpoint.maybeStateOf('bridgedDeviceBasicInformation') as
    | { nodeLabel?: string; uniqueId?: string; reachable?: boolean }
    | undefined;
  return {
    number: endpoint.number,
    deviceTypes: descriptor?.deviceTypeList?.map(({ deviceType }) => deviceType) ?? [],
    label: about?.nodeLabel ?? null,
    uniqueId: about?.uniqueId ?? null,
    reachable: about?.reachable ?? null,
  };
}

/** The library's own `commandsOf` keeps a cluster as it was first; its features may be others by now. */
async function invoke(endpoint: Endpoint, cluster: string, command: string, fields?: object): Promise<unknown> {
  return endpoint.act((agent) => {
    const type = endpoint.behaviors.supported[cluster];
    if (!type) throw new Error(`There is no ${cluster}`);
    const commands = agent.get(type) as unknown as Readonly<Record<string, (input?: object) => Promise<unknown>>>;
    return commands[command]?.(fields);
  });
}

/** Messages between processes hold no bytes: PINs come as texts. */
function withBytes(fields: object | undefined): object | undefined {
  const isPin = (name: string) => name === 'pinCode' || name === 'credentialData';
  return (
    fields &&
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, isPin(name) ? Buffer.from(String(value)) : value]),
    )
  );
}

/** Those of a button and of a lock. */
const EVENTS = [
  'initialPress',
  'shortRelease',
  'longPress',
  'longRelease',
  'multiPressOngoing',
  'multiPressComplete',
  'lockOperation',
  'lockOperationError',
  'doorLockAlarm',
] as const;

/** The first call begins to listen. */
function eventsOf(number: number, cluster: string): readonly object[] {
  const key = `${number}.${cluster}`;
  const known = seen.get(key);
  if (known) return known.splice(0);
  const list: object[] = [];
  seen.set(key, list);
  const events = (
    endpointOf(number).events as Record<string, Record<string, { on(listener: (value: object) => void): void }>>
  )[cluster];
  for (const name of EVENTS) events?.[name]?.on((value) => list.push({ name, ...value }));
  return [];
}

/** The first call begins to listen. */
function listsOf(): readonly number[] {
  if (lists) return lists.splice(0);
  const reported: number[] = [];
  lists = reported;
  const { descriptor } = endpointOf(AGGREGATOR).events as unknown as Record<
    string,
    Record<string, { on(listener: (value: readonly number[]) => void): void }>
  >;
  descriptor?.partsList$Changed?.on((list) => reported.push(list.length));
  return [];
}
