/**
 * The members of a group: resolves client input to service references, and stored references to their current services.
 */
import { type GroupMember, groupKindOf, membersOf } from '../../home/group-accessory.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory, HapId, Service, ServiceGroup, ServiceGroupKind, ServiceRef } from '../../home/model.ts';
import { rankServices } from '../../home/vocabulary/bindings.ts';
import { HearthError } from '../../kernel/errors.ts';
import { notFound } from '../access/authorize.ts';
import { parseIdList } from './id-list.ts';

/** A write to a group goes to every member at once. */
const MAX_MEMBERS = 200;

export interface MemberInput {
  /** `<accessoryId>.<iid>`, the service id of GET /rest/accessories. */
  readonly serviceIds?: unknown;
  /** An accessory id selects its main service of the group's kind. */
  readonly accessoryIds?: unknown;
}

/** The service id of GET /rest/accessories. */
function serviceIdOf({ accessoryId, serviceIid }: ServiceRef): string {
  return `${accessoryId}.${serviceIid}`;
}

/** A named thing and its possible member services, the likeliest first. */
interface Candidate {
  readonly accessoryId: string;
  readonly name: string;
  readonly choices: readonly { readonly serviceIid: HapId; readonly kind: ServiceGroupKind }[];
}

/**
 * @param current the group to change: its members may be named again while they are absent.
 * @returns the members in the order given, services before accessories, and their common kind.
 * @throws `invalid_value` none, too many, one twice, of no kind or of several · `accessory_not_found` not in this home
 */
export function parseMembers(
  { serviceIds, accessoryIds }: MemberInput,
  { homeId, current }: { readonly homeId: string; readonly current?: ServiceGroup },
  state: HomeState,
): Pick<ServiceGroup, 'kind' | 'members'> {
  const services = serviceIds === undefined ? [] : parseIdList(serviceIds, 'serviceIds', MAX_MEMBERS);
  const accessories = accessoryIds === undefined ? [] : parseIdList(accessoryIds, 'accessoryIds', MAX_MEMBERS);
  const reader = new CandidateReader(homeId, current, state);
  const candidates = [
    ...services.map((id) => reader.byService(id)),
    ...accessories.map((id) => reader.byAccessory(id)),
  ];
  const kind = candidates[0]?.choices[0]?.kind;
  if (!kind) throw invalid('A service group needs at least one member: give serviceIds or accessoryIds.');
  if (candidates.length > MAX_MEMBERS) throw invalid(`A service group has at most ${MAX_MEMBERS} members.`);
  const members = candidates.map(({ accessoryId, name, choices }): ServiceRef => {
    const choice = choices.find((one) => one.kind === kind);
    if (!choice) throw invalid(`"${name}" is no ${kind}: a service group has members of one kind only.`);
    return { accessoryId, serviceIid: choice.serviceIid };
  });
  requireDistinct(members, candidates);
  return { kind, members };
}

class CandidateReader {
  readonly #homeId: string;
  readonly #current: ServiceGroup | undefined;
  readonly #state: HomeState;

  constructor(homeId: string, current: ServiceGroup | undefined, state: HomeState) {
    this.#homeId = homeId;
    this.#current = current;
    this.#state = state;
  }

  byService(id: string): Candidate {
    const dot = id.indexOf('.');
    const [accessoryId, serviceIid] = dot < 0 ? [id, ''] : [id.slice(0, dot), id.slice(dot + 1)];
    const accessory = this.#find(accessoryId);
    const service = accessory?.services.find(({ iid }) => iid === serviceIid);
    if (accessory && service) return candidateOf(accessory, [service]);
    const known = this.#known(accessoryId, accessory, (ref) => ref.serviceIid === serviceIid);
    if (known) return known;
    if (!accessory) throw notFound('accessory_not_found');
    throw invalid(`"${accessory.name}" has no service ${id.slice(0, 80)}. GET /rest/accessories shows those it has.`);
  }

  byAccessory(id: string): Candidate {
    const accessory = this.#find(id);
    if (accessory && accessory.services.length > 0) return candidateOf(accessory, rankServices(accessory.services));
    const known = this.#known(id, accessory, () => true);
    if (known) return known;
    if (!accessory) throw notFound('accessory_not_found');
    return candidateOf(accessory, []);
  }

  #find(id: string): Accessory | undefined {
    return this.#state.accessoryIn(this.#homeId, id);
  }

  /** Current members of the group. */
  #known(
    accessoryId: string,
    accessory: Accessory | undefined,
    isMeant: (ref: ServiceRef) => boolean,
  ): Candidate | undefined {
    const { kind, members } = this.#current ?? { kind: undefined, members: [] };
    const refs = members.filter((ref) => ref.accessoryId === accessoryId && isMeant(ref));
    if (!kind || refs.length === 0) return undefined;
    const choices = refs.map(({ serviceIid }) => ({ serviceIid, kind }));
    return { accessoryId, name: accessory?.name ?? accessoryId, choices };
  }
}

function candidateOf({ id, name }: Accessory, services: readonly Service[]): Candidate {
  const choices = services.flatMap((service) => {
    const kind = groupKindOf(service);
    return kind ? [{ serviceIid: service.iid, kind }] : [];
  });
  if (choices.length > 0) return { accessoryId: id, name, choices };
  throw invalid(`"${name}" can't be in a service group: it takes lights, switches, outlets, fans and blinds.`);
}

function requireDistinct(members: readonly ServiceRef[], candidates: readonly Candidate[]): void {
  const ids = members.map(serviceIdOf);
  const twice = candidates.find((_, index) => ids.indexOf(ids[index] ?? '') !== index);
  if (twice) throw invalid(`"${twice.name}" is named twice: a service is in a group once.`);
}

function invalid(sentence: string): HearthError {
  return new HearthError('invalid_value', sentence);
}

/** A member to write to, or why it cannot be written. */
export type MemberTarget = { readonly ref: ServiceRef; readonly name: string } & (
  | { readonly accessory: Accessory; readonly service: Service; readonly fault: null }
  | { readonly fault: HearthError }
);

/**
 * Every member of a group, in its order. An unpaired one keeps its place, because it may come back.
 * @param storedName the name of an accessory that is not shown.
 */
export function targetsOf(
  group: ServiceGroup,
  state: HomeState,
  storedName: (accessoryId: string) => string | undefined,
): readonly MemberTarget[] {
  const present = new Map(membersOf(group, state).map((member) => [memberKey(member), member]));
  return group.members.map((ref): MemberTarget => {
    const accessory = state.accessoryIn(group.homeId, ref.accessoryId);
    const name = accessory?.name ?? storedName(ref.accessoryId) ?? ref.accessoryId;
    const member = present.get(serviceIdOf(ref));
    return member ? { ref, name, ...member, fault: null } : { ref, name, fault: faultOf(accessory, ref) };
  });
}

function memberKey({ accessory, service }: GroupMember): string {
  return serviceIdOf({ accessoryId: accessory.id, serviceIid: service.iid });
}

function faultOf(accessory: Accessory | undefined, { serviceIid }: ServiceRef): HearthError {
  if (!accessory) return notFound('accessory_not_found');
  if (accessory.vanishedAt !== null) return new HearthError('accessory_unreachable', 'Accessory unreachable');
  return new HearthError('characteristic_not_found', `It has no service ${serviceIid} any more`);
}
