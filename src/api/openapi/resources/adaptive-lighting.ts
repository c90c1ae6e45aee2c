import {
  AdaptiveAccessory,
  AdaptiveLighting,
  AdaptiveLightingChanges,
  NewAdaptiveSetting,
} from '../../../contract/adaptive-lighting.ts';
import type { Resource } from '../operation.ts';

const SETTINGS = { 'Follow the day': { setting: 'on' }, 'As the level above': { setting: 'inherit' } };

export const adaptiveLighting: Resource = {
  tag: 'Adaptive lighting',
  description:
    'Lamps whose colour temperature follows the day: cold around noon, warm in the evening. A lamp is as it is set itself, else as its ' +
    'room, else as its home. A colour that someone sets pauses a lamp until it was turned off, or for the hours of `pauseHours`. ' +
    'The property `adaptive_lighting` of a lamp switches it too.',
  operations: [
    {
      method: 'get',
      path: '/rest/homes/:id/adaptive-lighting',
      id: 'getAdaptiveLighting',
      summary: 'The settings of a home, with its rooms and lamps',
      audience: 'view',
      answer: { description: 'The settings.', schema: AdaptiveLighting },
      errors: [404],
    },
    {
      method: 'patch',
      path: '/rest/homes/:id/adaptive-lighting',
      id: 'updateAdaptiveLighting',
      summary: 'Change the settings of a home',
      audience: 'admin',
      body: {
        schema: AdaptiveLightingChanges,
        examples: {
          'Switch it on': { enabled: true },
          'Change the day': { warmest: 400, coldest: 182, wake: '07:00', sleep: '22:30', pauseHours: 4 },
        },
      },
      answer: { description: 'The settings as they are now.', schema: AdaptiveLighting },
      errors: [404],
    },
    {
      method: 'patch',
      path: '/rest/rooms/:id/adaptive-lighting',
      id: 'setRoomAdaptiveLighting',
      summary: 'Set whether the lamps of a room follow the day',
      audience: 'admin',
      body: { schema: NewAdaptiveSetting, examples: SETTINGS },
      answer: { description: 'The settings of its home.', schema: AdaptiveLighting },
      errors: [404],
    },
    {
      method: 'patch',
      path: '/rest/accessories/:id/adaptive-lighting',
      id: 'setAccessoryAdaptiveLighting',
      summary: 'Set whether the lamps of an accessory follow the day',
      description: 'It also ends their pause.',
      audience: 'control',
      body: { schema: NewAdaptiveSetting, examples: SETTINGS },
      answer: { description: 'Its lamps.', schema: AdaptiveAccessory },
      errors: [404, 422],
    },
  ],
};
