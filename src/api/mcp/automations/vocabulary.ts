/** What names things of the home, described for clients that write an automation. */
import { z } from 'zod';

export const ACCESSORY = z.string().describe('Key of an accessory as in get_state, or its name');
export const VIRTUAL = z.string().describe('Key or name of a virtual accessory');
export const SCENE = z.string().describe('Name of a scene');
export const CHARACTERISTIC = z.string().describe('Property as in get_state: on, brightness, motion, hvac_mode …');

export const TARGET = {
  accessory: ACCESSORY.optional(),
  service_group: z.string().describe('Instead, the key or name of a service group').optional(),
};
