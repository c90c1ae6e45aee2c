/** Shares as types: rows for their managers, and the view of an entity for people with a link. */
import type { OpenShare, ShareDescription } from '../../app/sharing/shares.ts';
import { Share, SharingInfo } from '../../contract/shares.ts';
import type { Accessory } from '../../home/model.ts';
import { shareUrlsFrom } from '../share-url.ts';
import { builder, LIST } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { fieldsOf } from './contract-fields.ts';
import { PlatformServiceGroup } from './service-groups.ts';

/** The URL of a share, for the client of this request. */
export function shareUrlOf(hash: string, { deps, webhookOrigin }: GraphqlContext): string {
  return shareUrlsFrom(deps.guards, webhookOrigin)(hash);
}

export const EntityAccess = builder.objectRef<Share>('EntityAccess').implement({
  description: 'One way in which an entity is shared: who comes in by its link, when, and what they may do.',
  fields: (t) => ({
    ...fieldsOf(t, Share),
    accessSchedule: t.string({
      description: 'When it is open, as a text that holds a JSON object; null for always.',
      resolve: ({ accessSchedule }) => accessSchedule && JSON.stringify(accessSchedule),
    }),
  }),
});

export const SharingSummary = builder.objectRef<SharingInfo>('SharingInfo').implement({
  description: 'How an entity is shared, all its shares together.',
  fields: (t) => ({
    ...fieldsOf(t, SharingInfo),
    shareUrl: t.string({
      description: 'The link; null while it is not shared.',
      resolve: ({ shareHash }, _, context) => shareHash && shareUrlOf(shareHash, context),
    }),
  }),
});

/** The public view of a link: not opened if it needs a passcode or a sign-in. */
export interface PublicView {
  readonly about: ShareDescription;
  readonly open: OpenShare | undefined;
}

const PublicAccessory = builder.objectRef<Accessory>('PublicEntityAccessory').implement({
  description: 'An accessory that is in a share.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: false, description: 'A UUID.' }),
    name: t.exposeString('name', { nullable: false, description: 'Its name.' }),
  }),
});

export const PublicEntity = builder.objectRef<PublicView>('PublicEntity').implement({
  description: 'What a link leads to. Names and accessories only for whom it opens.',
  fields: (t) => ({
    entityType: t.string({
      nullable: false,
      description: 'As in `EntityAccess`.',
      resolve: ({ about }) => about.entityType,
    }),
    entityId: t.string({
      nullable: false,
      description: 'As in `EntityAccess`.',
      resolve: ({ about }) => about.entityId,
    }),
    entityName: t.string({
      description: 'Its name; null while it is not open.',
      resolve: ({ open }) => open?.entityName,
    }),
    homeName: t.string({
      description: 'The home that it is in; null while it is not open, or where there are several.',
      resolve: ({ open }) => open?.homeName,
    }),
    role: t.string({
      description: 'What the caller may do: `view` or `control`; null for nothing, as with a wrong passcode.',
      resolve: ({ open }) => open?.role,
    }),
    requiresPasscode: t.boolean({
      nullable: false,
      description: 'Whether only a passcode opens it.',
      resolve: ({ about }) => about.requiresPasscode,
    }),
    canUpgradeWithPasscode: t.boolean({
      nullable: false,
      description: 'Whether a passcode would give more.',
      resolve: ({ about, open }) => (open ?? about).canUpgradeWithPasscode,
    }),
    requiresSignIn: t.boolean({
      nullable: false,
      description: 'Whether it opens for users who are signed in.',
      resolve: ({ about }) => about.requiresSignIn,
    }),
    isOpenNow: t.boolean({
      nullable: false,
      description: 'Whether it is within its schedule.',
      resolve: ({ about }) => about.isOpenNow,
    }),
    accessories: t.field({
      type: [PublicAccessory],
      nullable: LIST,
      description: 'The accessories in it, by name.',
      resolve: ({ open }) => [...(open?.accessories() ?? [])],
    }),
    data: t.string({
      description: 'The same as a text that holds a JSON object; null while it is not open.',
      resolve: ({ open }) => open && JSON.stringify(dataOf(open)),
    }),
    analyticsEnabled: t.boolean({
      nullable: false,
      description: 'Whether `publicHistory` shows what was recorded of it.',
      resolve: ({ open }) => open?.showsHistory ?? false,
    }),
    serviceGroups: t.field({
      type: [PlatformServiceGroup],
      nullable: LIST,
      description: 'The service groups that act on nothing else.',
      resolve: ({ open }) => [...(open?.serviceGroups() ?? [])],
    }),
  }),
});

function dataOf(share: OpenShare): object {
  const { entityName } = share;
  const accessories = share.accessories().map(({ id, name, roomId }) => ({ id, name, roomId }));
  return { entityName, accessories, serviceGroups: share.serviceGroups().map(({ id, name }) => ({ id, name })) };
}
