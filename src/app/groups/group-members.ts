/** Which services a group is made of: from what a client names to references that hold, and what has become of those since. */
import { groupKindOf, membersOf } from '../../home/group-accessory.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory, Service, ServiceGroup, ServiceGroupKind, ServiceRef } from '../../home/model.ts';
import { determineType } from '../../home/vocabulary/device-types.ts';
import { HearthError } from '../../kernel/errors.ts';
import { notFound } from '../access/authorize.ts';
import { parseIdList } from './id-list.ts';

/** A write to a group goes to every member at once. */
export const MAX_MEMBERS = 200;

export interface MemberInput {
  /** `<accessoryId>.<iid>`, as GET /rest/accessories gives the ids of services. */
  readonly serviceIds?: unknown;
  /** Accessories stand for their main service of the group's kind. */
  readonly accessoryIds?: unknown;
}

/** Beside the rest of an accessory's services, a member is named by both ids. */
export function serviceIdOf({ accessoryId, serviceIid }: ServiceRef): string {
  return `${accessoryId}.${serviceIid}`;
}

/**
 * @returns the members in the order given, services before accessories, and the one kind that they all are.
 * @throws `invalid_value` none, too many, one twice, of no kind or of several · `accessory_not_found` none of this home
 */
export function parseMembers(
  { serviceIds, accessoryIds }: MemberInput,
  homeId: string,
  state: HomeState,
): Pick<ServiceGroup, 'kind' | 'members'> {
  const find = (id: string): Accessory => {
    const accessory = state.accessory(id);
    if (accessory?.homeId !== homeId) throw notFound('accessory_not_found');
    return accessory;
  };
  const named = serviceIds === undefined ? [] : parseIdList(serviceIds, 'serviceIds', MAX_MEMBERS);
  const whole = accessoryIds === undefined ? [] : parseIdList(accessoryIds, 'accessoryIds', MAX_MEMBERS);
  if (named.length + whole.length === 0) {
    throw new HearthError(
      'invalid_value',
      'A service group needs at least one member: give serviceIds or accessoryIds.',
    );
  }
  if (named.length + whole.length > MAX_MEMBERS) {
    throw new HearthError('invalid_value', `A service group has at most ${MAX_MEMBERS} members.`);
  }
  const services = named.map((id) => findService(id, find));
  const accessories = whole.map(find);
  const kind = commonKind(services, accessories);
  const mains = accessories.map((accessory) => ({ accessory, service: mainServiceOf(accessory, kind) }));
  const members = [...services, ...mains].map(({ accessory, service }) => ({
    accessoryId: accessory.id,
    serviceIid: service.iid,
  }));
  requireDistinct(members, state);
  return { kind, members };
}

interface Found {
  readonly accessory: Accessory;
  readonly service: Service;
}

function findService(id: string, find: (accessoryId: string) => Accessory): Found {
  const [accessoryId = '', serviceIid = '', ...rest] = id.split('.');
  const accessory = find(accessoryId);
  const service = accessory.services.find(({ iid }) => iid === serviceIid);
  if (service && rest.length === 0) return { accessory, service };
  throw new HearthError(
    'invalid_value',
    `"${accessory.name}" has no service ${id.slice(0, 80)}. GET /rest/accessories/${accessory.id} lists those it has.`,
    { field: 'serviceIds' },
  );
}

/** That of the first member; the others must be alike. */
function commonKind(services: readonly Found[], accessories: readonly Accessory[]): ServiceGroupKind {
  const kinds = services.map(({ accessory, service }) => groupKindOf(service) ?? refuseKind(accessory));
  const [first] = accessories;
  const kind = kinds[0] ?? (first && (groupKindOf(mainFirst(first)[0] as Service) ?? refuseKind(first)));
  const stranger = services.find((_, index) => kinds[index] !== kind);
  if (kind && !stranger) return kind;
  throw mixed(stranger?.accessory.name ?? '', kind);
}

function mainServiceOf(accessory: Accessory, kind: ServiceGroupKind): Service {
  const service = mainFirst(accessory).find((one) => groupKindOf(one) === kind);
  if (!service) throw mixed(accessory.name, kind);
  return service;
}

/** The services that can be grouped: the primary one first, then the one that makes the accessory what it is. */
function mainFirst(accessory: Accessory): readonly Service[] {
  const main = determineType(accessory.services)?.service;
  const rankOf = (service: Service): number => (service.primary ? 0 : service === main ? 1 : 2);
  const grouped = accessory.services.filter((service) => groupKindOf(service) !== undefined);
  if (grouped.length === 0) refuseKind(accessory);
  return grouped.sort((a, b) => rankOf(a) - rankOf(b));
}

function refuseKind({ name }: Accessory): never {
  throw new HearthError(
    'invalid_value',
    `"${name}" can't be in a service group: it takes lights, switches, outlets, fans and blinds.`,
  );
}

function mixed(name: string, kind: ServiceGroupKind | undefined): HearthError {
  return new HearthError('invalid_value', `"${name}" is no ${kind}: a service group has members of one kind only.`);
}

function requireDistinct(members: readonly ServiceRef[], state: HomeState): void {
  const ids = members.map(serviceIdOf);
  const twice = members.find((_, index) => ids.indexOf(ids[index] as string) !== index);
  if (!twice) return;
  const name = state.accessory(twice.accessoryId)?.name;
  throw new HearthError('invalid_value', `"${name}" is named twice: a service is in a group once.`);
}

/** A member to write to, or why there is none. */
export type MemberTarget = { readonly ref: ServiceRef; readonly name: string } & (
  | { readonly accessory: Accessory; readonly service: Service; readonly fault: null }
  | { readonly fault: HearthError }
);

/**
 * Every member of a group, in its order. One that was unpaired keeps its place: it may come back.
 * @param storedName the name of an accessory that is not shown.
 */
export function targetsOf(
  group: ServiceGroup,
  state: HomeState,
  storedName: (accessoryId: string) => string | undefined,
): readonly MemberTarget[] {
  const present = new Map(membersOf(group, state).map((member) => [memberKey(member), member]));
  return group.members.map((ref): MemberTarget => {
    const accessory = state.accessory(ref.accessoryId);
    const name = accessory?.name ?? storedName(ref.accessoryId) ?? ref.accessoryId;
    const member = present.get(serviceIdOf(ref));
    return member ? { ref, name, ...member, fault: null } : { ref, name, fault: faultOf(accessory, ref) };
  });
}

function memberKey({ accessory, service }: Found): string {
  return serviceIdOf({ accessoryId: accessory.id, serviceIid: service.iid });
}

function faultOf(accessory: Accessory | undefined, { serviceIid }: ServiceRef): HearthError {
  if (!accessory) return notFound('accessory_not_found');
  if (accessory.vanishedAt !== null) return new HearthError('accessory_unreachable', 'Accessory unreachable');
  return new HearthError('characteristic_not_found', `It has no service ${serviceIid} any more`);
}
