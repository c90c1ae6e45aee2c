/**
 * Shares (API §4.2): managing them, and the actions of people with a link and without a session. The latter are public
 * fields (`public-fields.ts`); the share authorizes each action separately.
 */
import type { Share as ListedShare } from '../../app/sharing/share.ts';
import type { OpenShare } from '../../app/sharing/shares.ts';
import { HistoryQuery } from '../../contract/history.ts';
import { NewShare, type Share, ShareChanges, ShareTarget } from '../../contract/shares.ts';
import type { CharacteristicValue } from '../../home/model.ts';
import { HearthError } from '../../kernel/errors.ts';
import { presentShare } from '../present/share.ts';
import { PlatformAccessory } from './accessory-types.ts';
import { viewAccessory } from './accessory-views.ts';
import { given, type Maybe } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { argumentsOf, meaningOf } from './contract-fields.ts';
import { SeriesData, SeriesInput, SeriesRow } from './history.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';
import { decodeValue, JSON_TEXT } from './scalars.ts';
import { EntityAccess, PublicEntity, type PublicView, SharingSummary, shareUrlOf } from './share-types.ts';

const Target = ShareTarget.omit({ homeId: true });
/** As text, in `SCHEDULE`. */
const TEXTS = { accessSchedule: true } as const;
const SCHEDULE =
  'A text that holds JSON: `{starts_at?, expires_at?, time_windows?: [{days?: ["mon"…"sun"], start: "HH:MM", end: "HH:MM"}], timezone?}`. An empty text takes it away.';
const HASH = 'The last part of the link.';
const PASSCODE = 'Where it needs one. A wrong one counts, wherever it is tried: 5 in 15 minutes.';

interface AccessResult extends ActionResult {
  readonly share?: Share;
}

const ShareResult = builder.objectRef<AccessResult>('EntityAccessResult').implement({
  description: 'What became of a share.',
  interfaces: [MutationResult],
  fields: (t) => ({
    entityAccess: t.field({ type: EntityAccess, description: 'The share.', resolve: ({ share }) => share }),
    access: t.field({ type: EntityAccess, description: 'The same.', resolve: ({ share }) => share }),
    shareHash: t.string({ description: 'The last part of its link.', resolve: ({ share }) => share?.shareHash }),
    shareUrl: t.string({ description: 'Its link.', resolve: ({ share }) => share?.shareUrl }),
  }),
});

const DeleteShareResult = builder.objectRef<ActionResult>('DeleteEntityAccessResult').implement({
  description: 'Whether a share was ended.',
  interfaces: [MutationResult],
});

const urlOf = (context: GraphqlContext) => (hash: string) => shareUrlOf(hash, context);

function present(shares: readonly ListedShare[], context: GraphqlContext): Share[] {
  return shares.map((share) => presentShare(share, urlOf(context)));
}

/** The requested write; clients read it back from the response. */
interface PublicTarget {
  readonly accessoryId?: string;
  readonly groupId?: string;
  readonly characteristicType: string;
}

interface PublicSetResult extends ActionResult, PublicTarget {
  readonly value: CharacteristicValue;
  readonly affectedCount: number;
}

const PublicSet = builder.objectRef<PublicSetResult>('PublicEntitySetResult').implement({
  description: 'What became of a write through a link.',
  interfaces: [MutationResult],
  fields: (t) => ({
    accessoryId: t.exposeString('accessoryId', { description: 'The accessory, as given; null for a group.' }),
    groupId: t.exposeString('groupId', { description: 'The group, as given; null for an accessory.' }),
    characteristicType: t.exposeString('characteristicType', { nullable: false, description: 'As given.' }),
    value: t.expose('value', { type: 'JSON', description: 'What the device confirmed; null where it did not.' }),
    affectedCount: t.exposeInt('affectedCount', { nullable: false, description: 'How many accessories took it.' }),
  }),
});

interface Link {
  readonly shareHash: string;
  readonly passcode?: Maybe<string>;
}

/** @throws as `Shares.open` */
function open({ shareHash: hash, passcode }: Link, { caller, deps }: GraphqlContext): Promise<OpenShare> {
  return deps.shares.open(caller, { hash, passcode: passcode ?? undefined });
}

/** The view reports why a link does not open, except too many attempts. @throws `share_not_found` · `rate_limited` */
async function view(link: Link, context: GraphqlContext): Promise<PublicView> {
  const about = context.deps.shares.describe(context.caller, link.shareHash);
  try {
    return { about, open: await open(link, context) };
  } catch (error) {
    const isShut = error instanceof HearthError && SHUT.has(error.code);
    if (!isShut) throw error;
    return { about, open: undefined };
  }
}

const SHUT: ReadonlySet<string> = new Set(['passcode_required', 'insufficient_permissions']);

/** The message that clients know for a read-only link (wire-facts §8.6). */
const ACCESS_DENIED = 'Access denied';

/**
 * Reports an outcome without a session: a link without permission is an expected error, like a device that does not
 * respond.
 */
function reportPublic(
  target: PublicTarget,
  act: () => Promise<{ value?: CharacteristicValue; affectedCount: number }>,
): Promise<PublicSetResult> {
  const nothing = { ...target, value: null, affectedCount: 0 };
  return reportOutcome(async () => ({ ...nothing, ...(await act()) }), nothing).catch((error: unknown) => {
    if (!(error instanceof HearthError) || error.code !== 'insufficient_permissions') throw error;
    return { ...nothing, success: false, error: error.message, code: error.code };
  });
}

function requireControl(share: OpenShare): OpenShare {
  if (share.role === 'control') return share;
  throw new HearthError('insufficient_permissions', ACCESS_DENIED);
}

/** The one home of a share that shows its history. @throws `insufficient_permissions` */
function historyHome(share: OpenShare): string {
  const [homeId] = share.homeIds;
  if (share.showsHistory && homeId !== undefined) return homeId;
  throw new HearthError('insufficient_permissions', 'The history of this is not shared.');
}

builder.queryFields((t) => ({
  entityAccess: t.field({
    type: [EntityAccess],
    nullable: LIST,
    description: 'How an entity is shared, in each way. For owners and admins of its home; a collection for its owner.',
    args: argumentsOf(t.arg, Target),
    resolve: (_, { entityType, entityId }, context) =>
      present(context.deps.shares.list(context.caller, entityType, entityId), context),
  }),
  sharingInfo: t.field({
    type: SharingSummary,
    description: 'The same in numbers.',
    args: argumentsOf(t.arg, Target),
    resolve: (_, { entityType, entityId }, { caller, deps }) => deps.shares.info(caller, entityType, entityId),
  }),
  homeShares: t.field({
    type: [EntityAccess],
    nullable: LIST,
    description:
      'Everything in a home that is shared, in each way and by all its users. For owners and admins of the home.',
    args: { homeId: t.arg.string({ required: true }) },
    resolve: (_, { homeId }, context) => present(context.deps.shares.ofHome(context.caller, homeId), context),
  }),
  mySharedEntities: t.field({
    type: [EntityAccess],
    nullable: LIST,
    description: 'What the caller has shared, in each way, and may still manage.',
    resolve: (_, __, context) => present(context.deps.shares.mine(context.caller), context),
  }),
}));

builder.queryFields((t) => ({
  publicEntity: t.field({
    type: PublicEntity,
    description: 'What a link leads to. Needs no token. NOT_FOUND for what is no link, or not any more.',
    args: {
      shareHash: t.arg.string({ required: true, description: HASH }),
      passcode: t.arg.string({ description: PASSCODE }),
    },
    resolve: (_, link, context) => view(link, context),
  }),
  publicEntityAccessories: t.field({
    type: [PlatformAccessory],
    nullable: LIST,
    description: 'The accessories that a link leads to, with what they do now. Needs no token.',
    args: {
      shareHash: t.arg.string({ required: true, description: HASH }),
      passcode: t.arg.string({ description: PASSCODE }),
    },
    resolve: async (_, link, context) => {
      const accessories = (await open(link, context)).accessories();
      return accessories.map((accessory) => viewAccessory(accessory, context.deps.state));
    },
  }),
  publicHistorySeries: t.field({
    type: [SeriesRow],
    nullable: LIST,
    description:
      'What was recorded of the accessories that a link leads to, where their home shares it. Needs no token.',
    args: {
      shareHash: t.arg.string({ required: true, description: HASH }),
      passcode: t.arg.string({ description: PASSCODE }),
    },
    resolve: async (_, link, context) => {
      const share = await open(link, context);
      return context.deps.history.series(share.caller, historyHome(share));
    },
  }),
  publicHistory: t.field({
    type: [SeriesData],
    nullable: LIST,
    description: 'As `history`, through a link. Needs no token.',
    args: {
      shareHash: t.arg.string({ required: true, description: HASH }),
      passcode: t.arg.string({ description: PASSCODE }),
      series: t.arg({ type: [SeriesInput], required: true, description: meaningOf(HistoryQuery.shape.series) }),
      ...argumentsOf(t.arg, HistoryQuery.pick({ fromTs: true, toTs: true, maxPoints: true }), { maxPoints: 'Int' }),
    },
    resolve: async (_, { shareHash, passcode, series, fromTs, toTs, ...options }, context) => {
      const share = await open({ shareHash, passcode }, context);
      const query = { homeId: historyHome(share), series, fromTs, toTs, ...given(options) };
      return context.deps.history.query(share.caller, { ...query, signal: context.request.signal });
    },
  }),
}));

builder.mutationFields((t) => ({
  createEntityAccess: t.field({
    type: ShareResult,
    description: 'Shares an entity in one more way. For owners and admins of its home; a collection for its owner.',
    args: {
      ...argumentsOf(t.arg, NewShare.omit(TEXTS)),
      entityName: t.arg.string({ description: 'Accepted from clients that send it, and not needed.' }),
      accessSchedule: t.arg.string({ description: SCHEDULE, ...JSON_TEXT }),
    },
    resolve: (_, { entityType, entityId, accessType, role, entityName: _unused, ...rest }, context) =>
      reportOutcome(async () => {
        const input = { entityType, entityId, accessType, role, ...given(rest) };
        const { share } = await context.deps.shares.create(context.caller, input);
        return { share: presentShare(share, urlOf(context)) };
      }, {}),
  }),
  updateEntityAccess: t.field({
    type: ShareResult,
    description: 'Changes what is given. As `createEntityAccess`.',
    args: {
      accessId: t.arg.string({ required: true }),
      ...argumentsOf(t.arg, ShareChanges.omit(TEXTS)),
      accessSchedule: t.arg.string({ description: SCHEDULE, ...JSON_TEXT }),
    },
    resolve: (_, { accessId, ...changes }, context) =>
      reportOutcome(async () => {
        const share = await context.deps.shares.update(context.caller, accessId, given(changes));
        return { share: presentShare(share, urlOf(context)) };
      }, {}),
  }),
  deleteEntityAccess: t.field({
    type: DeleteShareResult,
    description: 'Ends a share at once. With the last one of an entity its link is dead for good.',
    args: { accessId: t.arg.string({ required: true }) },
    resolve: (_, { accessId }, { caller, deps }) =>
      reportOutcome(() => {
        deps.shares.delete(caller, accessId);
        return {};
      }, {}),
  }),
}));

builder.mutationFields((t) => ({
  publicEntitySetCharacteristic: t.field({
    type: PublicSet,
    description:
      'Writes one characteristic of an accessory that a link leads to, and waits for the device. Needs no token.',
    args: {
      shareHash: t.arg.string({ required: true, description: HASH }),
      accessoryId: t.arg.string({ required: true }),
      characteristicType: t.arg.string({ required: true, description: 'In any spelling.' }),
      value: t.arg({ type: 'JSON', required: true, description: 'The value, or a text that holds it in JSON.' }),
      passcode: t.arg.string({ description: PASSCODE }),
    },
    resolve: (_, { accessoryId, characteristicType, value, ...link }, context) =>
      reportPublic({ accessoryId, characteristicType }, async () => {
        const share = requireControl(await open(link, context));
        const write = { accessoryId, characteristicType, value: decodeValue(value) };
        return { ...(await context.deps.shareControl.setCharacteristic(share, write)), affectedCount: 1 };
      }),
  }),
  publicEntitySetServiceGroup: t.field({
    type: PublicSet,
    description: 'Writes one characteristic of all members of a group that a link leads to. Needs no token.',
    args: {
      shareHash: t.arg.string({ required: true, description: HASH }),
      groupId: t.arg.string({ required: true }),
      characteristicType: t.arg.string({ required: true, description: 'In any spelling.' }),
      value: t.arg({ type: 'JSON', required: true, description: 'The value, or a text that holds it in JSON.' }),
      passcode: t.arg.string({ description: PASSCODE }),
    },
    resolve: (_, { groupId, characteristicType, value, ...link }, context) =>
      reportPublic({ groupId, characteristicType }, async () => {
        const share = requireControl(await open(link, context));
        const write = { groupId, characteristicType, value: decodeValue(value) };
        const { affectedCount, errors } = await context.deps.shareControl.setServiceGroup(share, write);
        const [first] = errors;
        return { affectedCount, ...(first !== undefined && { success: false, error: first, code: 'accessory_error' }) };
      }),
  }),
}));
