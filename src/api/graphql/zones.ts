/** Zones: named sets of rooms. */
import { NewRoomSet, RoomSetChanges, Zone as ZoneAnswer } from '../../contract/rooms.ts';
import type { Zone } from '../../home/model.ts';
import { given, HOME_CHECK, type Maybe, requireHome } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';

export const PlatformZone = builder.objectRef<Zone>('PlatformZone').implement({
  description: 'A named set of rooms.',
  fields: (t) => fieldsOf(t, ZoneAnswer),
});

const DeleteZoneResult = builder.objectRef<ActionResult & { zoneId: string }>('DeleteZoneResult').implement({
  description: 'Whether a zone was deleted.',
  interfaces: [MutationResult],
  fields: (t) => ({ zoneId: t.exposeString('zoneId', { description: 'The zone.' }) }),
});

/** The zone that arguments name. @throws `zone_not_found` */
function getZone({ caller, deps }: GraphqlContext, id: string, homeId: Maybe<string>): Zone {
  return requireHome(deps.zones.get(caller, id), homeId, 'zone_not_found');
}

builder.queryFields((t) => ({
  zones: t.field({
    type: [PlatformZone],
    nullable: LIST,
    description: 'The zones of a home, by name.',
    args: { homeId: t.arg.string({ required: true }) },
    resolve: (_, { homeId }, { caller, deps }) => deps.zones.list(caller, homeId),
  }),
}));

builder.mutationFields((t) => ({
  createZone: t.field({
    type: PlatformZone,
    description: 'Makes a zone. For admins of the home.',
    args: argumentsOf(t.arg, NewRoomSet),
    resolve: (_, input, { caller, deps }) => deps.zones.create(caller, input),
  }),
  updateZone: t.field({
    type: PlatformZone,
    description: 'Changes what is given. For admins of its home.',
    args: {
      zoneId: t.arg.string({ required: true }),
      homeId: t.arg.string({ description: HOME_CHECK }),
      ...argumentsOf(t.arg, RoomSetChanges),
    },
    resolve: (_, { zoneId, homeId, ...changes }, context) =>
      context.deps.zones.update(context.caller, getZone(context, zoneId, homeId).id, given(changes)),
  }),
  deleteZone: t.field({
    type: DeleteZoneResult,
    description: 'Deletes a zone; its rooms stay. For admins of its home.',
    args: { zoneId: t.arg.string({ required: true }), homeId: t.arg.string({ description: HOME_CHECK }) },
    resolve: (_, { zoneId, homeId }, context) =>
      reportOutcome(
        () => {
          const { id } = getZone(context, zoneId, homeId);
          context.deps.zones.delete(context.caller, id);
          return { zoneId: id };
        },
        { zoneId },
      ),
  }),
}));
