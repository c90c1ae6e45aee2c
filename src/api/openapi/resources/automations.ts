import { z } from 'zod';
import {
  Automation,
  AutomationChanges,
  DeletedAutomation,
  NewAutomation,
  NewAutomationActions,
  NewAutomationTrigger,
} from '../../../contract/automations.ts';
import { AutomationDraft, SavedAutomation } from '../../../contract/flows.ts';
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
const DRAFT = {
  name: 'Hall Light',
  triggers: [{ type: 'state', accessoryId: ACCESSORY_ID, characteristicType: 'motion_detected', to: true }],
  actions: [{ type: 'set_characteristic', accessoryId: ACCESSORY_ID, characteristicType: 'power_state', value: true }],
  until: [{ type: 'duration', seconds: 300 }],
};
const SAVED = { description: 'Its id, and what it was saved as.', schema: SavedAutomation };
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
      method: 'post',
      path: '/rest/automations/drafts',
      id: 'saveAutomation',
      summary: 'Save a new automation of either kind',
      description:
        'In the simplest form: as a native automation where one can express it, else as a flow. It is a flow with `until`, triggers that end it, and `executeOnce`.',
      audience: 'admin',
      body: { schema: AutomationDraft, examples: { 'A light for five minutes': { homeId: HOME_ID, ...DRAFT } } },
      answer: SAVED,
      errors: [404],
    },
    {
      method: 'get',
      path: '/rest/automations/:id/draft',
      id: 'getAutomationDraft',
      summary: 'An automation of either kind, as it can be saved',
      audience: 'view',
      answer: { description: 'The draft.', schema: AutomationDraft },
    },
    {
      method: 'put',
      path: '/rest/automations/:id/draft',
      id: 'replaceAutomation',
      summary: 'Replace an automation of either kind as a whole',
      description:
        'A native automation that needs more than it can express becomes a flow with its id. A flow stays one, and takes neither `until` nor `executeOnce`.',
      audience: 'admin',
      body: { schema: AutomationDraft, examples: { 'All of it': DRAFT } },
      answer: SAVED,
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
