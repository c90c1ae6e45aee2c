/** Lamps whose colour temperature follows the day. */
import {
  AdaptiveLamp,
  AdaptiveLighting,
  AdaptiveLightingChanges,
  AdaptiveRoom,
  NewAdaptiveSetting,
} from '../../contract/adaptive-lighting.ts';
import { presentAdaptiveAccessory, presentAdaptiveLighting } from '../present/adaptive-lighting.ts';
import { given } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';

const AdaptiveRoomType = builder.objectRef<AdaptiveRoom>('AdaptiveRoom').implement({
  description: 'The setting of a room.',
  fields: (t) => fieldsOf(t, AdaptiveRoom),
});

const AdaptiveLampType = builder.objectRef<AdaptiveLamp>('AdaptiveLamp').implement({
  description: 'The setting of a lamp, and whether it follows the day now.',
  fields: (t) => fieldsOf(t, AdaptiveLamp),
});

const AdaptiveLightingType = builder.objectRef<AdaptiveLighting>('AdaptiveLighting').implement({
  description: 'How the lamps of a home follow the day.',
  fields: (t) => ({
    ...fieldsOf(t, AdaptiveLighting.omit({ rooms: true, lamps: true })),
    rooms: t.field({
      type: [AdaptiveRoomType],
      nullable: LIST,
      description: 'Every room.',
      resolve: ({ rooms }) => [...rooms],
    }),
    lamps: t.field({
      type: [AdaptiveLampType],
      nullable: LIST,
      description: 'Every lamp with a colour temperature.',
      resolve: ({ lamps }) => [...lamps],
    }),
  }),
});

builder.queryFields((t) => ({
  adaptiveLighting: t.field({
    type: AdaptiveLightingType,
    description: 'How the lamps of a home follow the day.',
    args: { homeId: t.arg.string({ required: true }) },
    resolve: (_, { homeId }, { caller, deps }) => presentAdaptiveLighting(deps.adaptiveLighting.get(caller, homeId)),
  }),
}));

builder.mutationFields((t) => ({
  updateAdaptiveLighting: t.field({
    type: AdaptiveLightingType,
    description: 'Changes the settings of a home. For its admins.',
    args: { homeId: t.arg.string({ required: true }), ...argumentsOf(t.arg, AdaptiveLightingChanges) },
    resolve: (_, { homeId, pauseHours, ...others }, { caller, deps }) => {
      const changes = { ...given(others), ...(pauseHours !== undefined && { pauseHours }) };
      return presentAdaptiveLighting(deps.adaptiveLighting.update(caller, homeId, changes));
    },
  }),
  setRoomAdaptiveLighting: t.field({
    type: AdaptiveLightingType,
    description: 'Sets whether the lamps of a room follow the day. For admins of its home.',
    args: { roomId: t.arg.string({ required: true }), ...argumentsOf(t.arg, NewAdaptiveSetting) },
    resolve: (_, { roomId, setting }, { caller, deps }) =>
      presentAdaptiveLighting(deps.adaptiveLighting.setRoom(caller, roomId, { setting })),
  }),
  setAccessoryAdaptiveLighting: t.field({
    type: [AdaptiveLampType],
    nullable: LIST,
    description:
      'Sets whether the lamps of an accessory follow the day, and ends their pause. For callers who may control it.',
    args: { accessoryId: t.arg.string({ required: true }), ...argumentsOf(t.arg, NewAdaptiveSetting) },
    resolve: (_, { accessoryId, setting }, { caller, deps }) => {
      const lamps = deps.adaptiveLighting.setAccessory(caller, accessoryId, { setting });
      return [...presentAdaptiveAccessory(accessoryId, lamps).lamps];
    },
  }),
}));
