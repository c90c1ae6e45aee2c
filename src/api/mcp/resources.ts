/**
 * Homes and accessories as resources: `hearthd://homes`, `hearthd://homes/{id}` and `hearthd://accessories/{id}`, each
 * as JSON and as REST presents it. A resource that the caller may not see does not exist for them.
 */
import type {
  CompleteRequestParams,
  CompleteResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from '@modelcontextprotocol/server';
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { Accessory, Home } from '../../home/model.ts';
import { HearthError } from '../../kernel/errors.ts';
import { presentAccessory } from '../present/accessory.ts';
import { presentHome } from '../present/home.ts';
import { readState } from './tools/get-state.ts';
import type { ToolContext } from './tools/mcp-tool.ts';
import { homesOf, keyOf } from './tools/places.ts';

const MIME_TYPE = 'application/json';
const HOMES_URI = 'hearthd://homes';
const HOME_TEMPLATE = 'hearthd://homes/{id}';
const ACCESSORY_TEMPLATE = 'hearthd://accessories/{id}';

/** `hearthd://homes/<id>` and `hearthd://accessories/<id>`. */
const ONE = /^hearthd:\/\/(homes|accessories)\/([0-9a-f-]{36})$/i;

const PAGE_SIZE = 200;
/** The protocol's maximum for a completion. */
const MAX_COMPLETIONS = 100;

export function homeUri(id: string): string {
  return `${HOMES_URI}/${id}`;
}

export function accessoryUri(id: string): string {
  return `hearthd://accessories/${id}`;
}

export { HOMES_URI };

/** One page of all resources, homes first. @param cursor as an earlier page returned it */
export function listResources(context: ToolContext, cursor: string | undefined): ListResourcesResult {
  const start = cursor === undefined ? 0 : parseCursor(cursor);
  const homes = homesOf(context);
  const all = [
    { uri: HOMES_URI, name: 'homes', title: 'Homes', mimeType: MIME_TYPE },
    ...homes.map((home) => describe(homeUri(home.id), home, 'Rooms and accessories with their state')),
    ...accessoriesOf(context).map((accessory) =>
      describe(accessoryUri(accessory.id), accessory, whereIs(context, accessory)),
    ),
  ];
  const end = start + PAGE_SIZE;
  return { resources: all.slice(start, end), ...(end < all.length && { nextCursor: String(end) }) };
}

function parseCursor(cursor: string): number {
  if (/^\d{1,7}$/.test(cursor)) return Number(cursor);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is none that an earlier page gave.');
}

function describe(uri: string, thing: Home | Accessory, description: string) {
  return { uri, name: keyOf(thing), title: thing.name, description, mimeType: MIME_TYPE };
}

function whereIs({ deps: { state } }: ToolContext, { homeId, roomId }: Accessory): string {
  return [state.home(homeId)?.name, state.room(roomId)?.name].filter((name) => name !== undefined).join(', ');
}

export function listResourceTemplates(): ListResourceTemplatesResult {
  const common = { mimeType: MIME_TYPE };
  return {
    resourceTemplates: [
      {
        ...common,
        uriTemplate: HOME_TEMPLATE,
        name: 'home',
        title: 'Home',
        description: 'Rooms and accessories of a home with their state',
      },
      {
        ...common,
        uriTemplate: ACCESSORY_TEMPLATE,
        name: 'accessory',
        title: 'Accessory',
        description: 'An accessory with its services and characteristics',
      },
    ],
  };
}

/** @throws ResourceNotFoundError, also for a resource that the caller may not see */
export function readResource(context: ToolContext, uri: string): ReadResourceResult {
  const data = find(context, uri);
  if (data === undefined) throw new ResourceNotFoundError(uri.slice(0, 200), 'There is no such resource.');
  return { contents: [{ uri, mimeType: MIME_TYPE, text: JSON.stringify(data, null, 2) }] };
}

function find(context: ToolContext, uri: string): object | undefined {
  const { caller, deps } = context;
  const homes = homesOf(context);
  if (uri.toLowerCase() === HOMES_URI) return homes.map((home) => presentHome(deps, caller, home));
  const [, kind, id = ''] = ONE.exec(uri) ?? [];
  if (kind?.toLowerCase() === 'homes') {
    const home = homes.find((one) => one.id === id.toLowerCase());
    return home && readState(context, [home], {});
  }
  return kind === undefined
    ? undefined
    : unlessMissing(() => presentAccessory(deps.control.getAccessory(caller, id), deps));
}

function unlessMissing(read: () => object): object | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof HearthError && error.code === 'accessory_not_found') return undefined;
    throw error;
  }
}

/**
 * Ids that begin with the input, and those of objects whose names contain it. @throws ProtocolError no such template
 */
export function complete(context: ToolContext, { ref, argument }: CompleteRequestParams): CompleteResult {
  const things = ref.type === 'ref/resource' ? thingsOf(context, ref.uri) : undefined;
  if (!things) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such resource template.');
  const wanted = argument.value.toLowerCase();
  const ids = argument.name === 'id' ? things.filter((thing) => suits(thing, wanted)).map(({ id }) => id) : [];
  const values = ids.slice(0, MAX_COMPLETIONS);
  return { completion: { values, total: ids.length, hasMore: values.length < ids.length } };
}

function thingsOf(context: ToolContext, template: string): readonly (Home | Accessory)[] | undefined {
  if (template === HOME_TEMPLATE) return homesOf(context);
  return template === ACCESSORY_TEMPLATE ? accessoriesOf(context) : undefined;
}

function suits(thing: Home | Accessory, wanted: string): boolean {
  return thing.id.startsWith(wanted) || thing.name.toLowerCase().includes(wanted) || keyOf(thing).includes(wanted);
}

function accessoriesOf({ caller, deps }: ToolContext): readonly Accessory[] {
  return deps.control.listAccessories(caller);
}
