import { z } from 'zod';
import {
  Automation,
  AutomationChanges,
  DeletedAutomation,
  NewAutomation,
  NewAutomationActions,
  NewAutomationTrigger,
} from '../../../contract/automations.ts';
import type { Resource } from '../operation.ts';
import { ANY_HOME } from '../parameters.ts';
import { ACCESSORY_ID } from './accessories.ts';
import { HOME_ID } from './homes.ts';

const MOTION = {
  type: 'characteristic',
  accessoryId: ACCESSORY_ID,
  characteristicType: 'motion_detected',
  triggerValue: true,
};
const TURN_ON = { accessoryId: ACCESSORY_ID, characteristicType: 'power_state', targetValue: true };
const TRIGGER = { type: 'event', events: [MOTION], endEvents: [{ type: 'duration', durationSeconds: 300 }] };
/** The fields that the operation parses, not the route. */
const PARSED = { trigger: NewAutomationTrigger, actions: NewAutomationActions };

export const automations: Resource = {
  tag: 'Native automations',
  description:
    'The home platform’s kind of automations: a trigger and what it sets. The relay runs them itself. In GraphQL some of this is JSON in texts; here it is JSON.',
  operations: [
    {
      method: 'get',
      path: '/rest/automations',
      id: 'listAutomations',
      summary: 'The native automations of a home, or of all homes',
      audience: 'token',
      query: [ANY_HOME],
      answer: { description: 'The automations, by name.', schema: z.array(Automation) },
      errors: [400, 404],
    },
    {
      method: 'post',
      path: '/rest/automations',
      id: 'createAutomation',
      summary: 'Make a native automation',
      description: 'It is enabled from now on. If anything of it is not valid nothing is made.',
      audience: 'admin',
      body: {
        schema: NewAutomation,
        fields: PARSED,
        examples: {
          'A light with a motion sensor': { homeId: HOME_ID, name: 'Hall Light', trigger: TRIGGER, actions: [TURN_ON] },
          'Every morning': {
            homeId: HOME_ID,
            name: 'Morning',
            trigger: { type: 'timer', hour: 7, minute: 0, recurrenceType: 'daily' },
            actions: [TURN_ON],
          },
        },
      },
      answer: { description: 'The automation.', schema: Automation },
      errors: [404],
    },
    {
      method: 'get',
      path: '/rest/automations/:id',
      id: 'getAutomation',
      summary: 'One native automation',
      audience: 'view',
      answer: { description: 'The automation.', schema: Automation },
    },
    {
      method: 'patch',
      path: '/rest/automations/:id',
      id: 'updateAutomation',
      summary: 'Change a native automation',
      description: 'What is given is changed, all of it or nothing. Its trigger can be sent back as it is shown.',
      audience: 'admin',
      body: {
        schema: AutomationChanges,
        fields: PARSED,
        examples: { 'Disable it': { enabled: false }, 'Replace its actions': { actions: [TURN_ON] } },
      },
      answer: { description: 'The automation as it is now.', schema: Automation },
    },
    {
      method: 'delete',
      path: '/rest/automations/:id',
      id: 'deleteAutomation',
      summary: 'Delete a native automation',
      description: 'With the scene of its own; what it has set stays.',
      audience: 'admin',
      answer: { description: 'It is gone.', schema: DeletedAutomation },
    },
  ],
};
