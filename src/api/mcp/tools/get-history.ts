import { z } from 'zod';
import { presentReport } from '../../present/history.ts';
import { type McpTool, READS } from './mcp-tool.ts';
import { describeHomes } from './places.ts';
import { seriesFields } from './series.ts';

const DESCRIPTION = `Reads the recorded history of one accessory over the last hours: numbers as averages with a summary, states as the times they changed.
History is opt-in for each home; where it is off, the message says how to turn it on. For several accessories, or a time in the past, use query_history.`;

const input = z.strictObject({
  accessory: z.string().describe('Key, id, name or part of a name; the first that matches'),
  home: z.string().optional().describe('Part of a home’s name or key; every home if left out'),
  characteristic: z
    .string()
    .optional()
    .describe('For example current_temperature; the six most telling ones if left out'),
  hours: z.number().optional().describe('How far back, 0.25 to 8784; 24 if left out'),
  max_points: z.number().optional().describe('For each series, 10 to 1000; 200 if left out'),
});

const output = z.object({
  home: z.string().describe('Its key'),
  accessory: z.object({ key: z.string(), name: z.string(), id: z.string() }),
  from: z.string(),
  to: z.string(),
  series: z.array(z.object({ ...seriesFields, openingValue: z.string().nullish() })),
  _meta: z.object({ message: z.string() }),
});

/** Like GET /rest/history. */
export const getHistory: McpTool<typeof input, typeof output> = {
  name: 'get_history',
  title: 'Get history',
  description: (context) => `${DESCRIPTION}\n${describeHomes(context)}`,
  needs: 'view',
  annotations: READS,
  input,
  output,
  async run({ caller, deps, signal }, { accessory, home, characteristic, hours, max_points: maxPoints }) {
    return presentReport(
      await deps.history.report(caller, { accessory, home, characteristic, hours, maxPoints, signal }),
    );
  },
};
