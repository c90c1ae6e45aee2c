/** `/health` and `/ready`. Clients read `status` and `mode` (wire-facts §10.6). */
import { z } from 'zod';
import { flag, text } from './fields.ts';
import type { Output } from './parse.ts';

export const Health = z.object({
  status: z.literal('ok'),
  mode: z.literal('community'),
  name: text('Of the computer.', 'hearth'),
  version: text('Of hearthd.', '1.0.0'),
  instanceId: text('Eight hex digits that stay the same for this installation.', '0a1b2c3d'),
  authEnabled: flag('Whether requests need a token.', true),
});
export type Health = Output<typeof Health>;

export const Readiness = z.object({ status: z.literal('ready') });
export type Readiness = Output<typeof Readiness>;
