/** A series as the history tools show it, in the format of REST's `presentData`. */
import { z } from 'zod';

const point = z.array(z.union([z.string(), z.number()])).describe('[time, average]');

export const seriesFields = {
  characteristic: z.string(),
  kind: z.string().describe('numeric, or the kind of state'),
  unit: z.string().nullable(),
  resolution: z.string().describe('raw, hourly or daily'),
  values: z.array(point).optional().describe('Of numbers'),
  summary: z
    .object({ min: z.number(), max: z.number(), avg: z.number(), latest: z.number() })
    .nullish()
    .describe('Of numbers, over the whole time; null if nothing is known'),
  transitions: z
    .array(z.array(z.string()))
    .optional()
    .describe('Of states: [time, state]; at hourly and daily resolution the state that held longest'),
};
