/** The fields that several kinds of parts share, described for clients that write an automation. */
import { z } from 'zod';

export const ACCESSORY = z.string().describe('Key of an accessory as in get_state, or its name');
export const SERVICE_GROUP = z.string().describe('Key or name of a service group instead of an accessory');
export const CHARACTERISTIC = z.string().describe('Property as in get_state: on, brightness, motion, hvac_mode …');
export const VALUE = z.union([z.boolean(), z.number(), z.string()]);

export const DURATION = z
  .unknown()
  .meta({ type: ['number', 'object'], description: 'Seconds or {hours, minutes, seconds}' });
