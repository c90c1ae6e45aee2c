/** Homes, with all their contents for clients that request a whole home at once. */
import { Home, HomeChanges, NewHome } from '../../contract/homes.ts';
import type { Home as StoredHome } from '../../home/model.ts';
import { slugKey } from '../../home/slug.ts';
import { isoTime } from '../../kernel/iso-time.ts';
import { PlatformAccessory } from './accessory-types.ts';
import { viewAccessory } from './accessory-views.ts';
import { given } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';
import { PlatformRoom } from './rooms.ts';
import { decodeJson } from './scalars.ts';
import { PlatformScene, viewScenes } from './scenes.ts';
import { PlatformServiceGroup } from './service-groups.ts';
import { PlatformZone } from './zones.ts';

const PlatformHome = builder.objectRef<StoredHome>('PlatformHome').implement({
  description: 'A home. A relay holds one or more.',
  fields: (t) => ({
    ...fieldsOf(t, Home, ['role', 'isAdmin'], {
      role: ({ id }: StoredHome, _, { caller, deps }) => deps.access.roleIn(caller, id),
      key: ({ id, name }) => slugKey(name, id),
      connected: ({ id }, _, { deps }) => deps.state.isConnected(id),
      isPrimary: ({ id }, _, { request }) => request.homes()[0]?.id === id,
      isAdmin: ({ privileges }) => privileges === 'edit',
      roomCount: ({ id }, _, { request }) => request.rooms(id).length,
      accessoryCount: ({ id }, _, { request }) => request.accessoriesOfHome(id).length,
    }),
    latitude: t.float({
      description: 'Where it stands, in degrees; null while it is not set.',
      resolve: ({ location }) => location?.latitude ?? null,
    }),
    longitude: t.float({
      description: 'The same, east positive.',
      resolve: ({ location }) => location?.longitude ?? null,
    }),
    radius: t.float({
      description: 'A person within this distance in metres is at home.',
      resolve: ({ location }) => location?.radiusM ?? null,
    }),
    rooms: t.field({
      type: [PlatformRoom],
      nullable: false,
      description: 'Its rooms, by name.',
      resolve: ({ id }, _, { request }) => request.rooms(id),
    }),
    accessories: t.field({
      type: [PlatformAccessory],
      nullable: false,
      description: 'Its accessories, by name.',
      resolve: ({ id }, _, { deps, request }) =>
        request.accessoriesOfHome(id).map((accessory) => viewAccessory(accessory, deps.state)),
    }),
    scenes: t.field({
      type: [PlatformScene],
      nullable: false,
      description: 'Its scenes, as the query of this name gives them.',
      resolve: ({ id }, _, { caller, deps }) => viewScenes(deps.scenes.list(caller, id), deps),
    }),
    zones: t.field({
      type: [PlatformZone],
      nullable: false,
      description: 'Its zones, by name.',
      resolve: ({ id }, _, { caller, deps }) => deps.zones.list(caller, id),
    }),
    serviceGroups: t.field({
      type: [PlatformServiceGroup],
      nullable: false,
      description: 'Its service groups, by name.',
      resolve: ({ id }, _, { caller, deps }) => deps.serviceGroups.list(caller, id),
    }),
  }),
});

export const CachedHome = builder.objectRef<StoredHome>('CachedHome').implement({
  description: 'A home in short, for lists: whether it can be reached, without what is in it.',
  fields: (t) => ({
    homeId: t.exposeString('id', { nullable: false, description: 'The home’s id.' }),
    name: t.exposeString('name', { nullable: false, description: 'The home’s name.' }),
    role: t.string({
      description: 'What the caller is in it: `owner`, `admin`, `control` or `view`.',
      resolve: ({ id }, _, { caller, deps }) => deps.access.roleIn(caller, id) ?? null,
    }),
    isConnected: t.boolean({
      description: 'Whether commands can be sent to it.',
      resolve: ({ id }, _, { deps }) => deps.state.isConnected(id),
    }),
    memberCount: t.int({
      description: 'How many people are members of it.',
      resolve: ({ id }, _, { deps }) => deps.members.count(id),
    }),
    id: t.exposeString('id', { nullable: false, description: 'The same as `homeId`.' }),
    relayConnected: t.boolean({
      description: 'The same as `isConnected`.',
      resolve: ({ id }, _, { deps }) => deps.state.isConnected(id),
    }),
    relayLastSeenAt: t.string({
      description: 'Now, as the relay itself answers: ISO 8601; null while the home is not connected.',
      resolve: ({ id }, _, { deps }) => (deps.state.isConnected(id) ? new Date(deps.clock.now()).toISOString() : null),
    }),
    updatedAt: t.string({
      description: 'When the home was made, ISO 8601: nothing is cached here that could be older than the home is.',
      resolve: ({ createdAt }) => isoTime(createdAt),
    }),
    ownerEmail: t.string({
      description: 'The owner’s address, the oldest one’s where there are several; null while it has none.',
      resolve: ({ id }, _, { deps }) => deps.members.ownerOf(id)?.email ?? null,
    }),
    mqttEnabled: t.boolean({
      description: 'Whether it is published over MQTT.',
      resolve: ({ id }, _, { deps }) => deps.brokers.isPublished(id),
    }),
  }),
});

const DeleteHomeResult = builder.objectRef<ActionResult & { homeId: string }>('DeleteHomeResult').implement({
  description: 'Whether a home was deleted.',
  interfaces: [MutationResult],
  fields: (t) => ({ homeId: t.exposeString('homeId', { description: 'The home.' }) }),
});

builder.queryFields((t) => ({
  homes: t.field({
    type: [PlatformHome],
    nullable: LIST,
    description: 'The homes that the caller may see, oldest first.',
    resolve: (_, __, { request }) => request.homes(),
  }),
  home: t.field({
    type: PlatformHome,
    description: 'One home. NOT_FOUND if the caller can’t see it.',
    args: { homeId: t.arg.string({ required: true }) },
    resolve: (_, { homeId }, { caller, deps }) => deps.homes.get(caller, homeId),
  }),
  cachedHomes: t.field({
    type: [CachedHome],
    nullable: LIST,
    description: 'The same homes in short.',
    resolve: (_, __, { request }) => request.homes(),
  }),
}));

builder.mutationFields((t) => ({
  createHome: t.field({
    type: PlatformHome,
    description: 'Makes a home with its default room. For owners.',
    args: argumentsOf(t.arg, NewHome),
    resolve: (_, input, { caller, deps }) => deps.homes.create(caller, input),
  }),
  updateHome: t.field({
    type: PlatformHome,
    description: 'Changes what is given; all of it or nothing. For admins of the home.',
    args: {
      homeId: t.arg.string({ required: true }),
      ...argumentsOf(t.arg, HomeChanges.omit({ location: true })),
      location: t.arg({
        type: 'JSON',
        description: '`{latitude, longitude, radius}` in degrees and metres; an empty text forgets it.',
      }),
    },
    resolve: (_, { homeId, location, background, ...changes }, { caller, deps }) =>
      deps.homes.update(caller, homeId, {
        ...given(changes),
        ...(background !== undefined && { background }),
        ...(location !== null &&
          location !== undefined && {
            location: location === '' ? null : (decodeJson(location, 'location') as HomeChanges['location']),
          }),
      }),
  }),
  renameHome: t.field({
    type: PlatformHome,
    description: 'Renames a home. For admins of it.',
    args: { homeId: t.arg.string({ required: true }), name: t.arg.string({ required: true }) },
    resolve: (_, { homeId, name }, { caller, deps }) => deps.homes.update(caller, homeId, { name }),
  }),
  setHomePaused: t.field({
    type: PlatformHome,
    description: 'Pauses or resumes a home’s devices. For admins of it.',
    args: { homeId: t.arg.string({ required: true }), paused: t.arg.boolean({ required: true }) },
    resolve: (_, { homeId, paused }, { caller, deps }) => deps.homes.update(caller, homeId, { paused }),
  }),
  deleteHome: t.field({
    type: DeleteHomeResult,
    description: 'Deletes a home with its rooms; refused while it has accessories or is the only one. For owners.',
    args: { homeId: t.arg.string({ required: true }) },
    resolve: (_, { homeId }, { caller, deps }) =>
      reportOutcome(
        () => {
          const { id } = deps.homes.get(caller, homeId);
          deps.homes.delete(caller, id);
          return { homeId: id };
        },
        { homeId },
      ),
  }),
}));
