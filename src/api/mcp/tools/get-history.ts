import { z } from 'zod';
import { ReportQuery } from '../../../contract/history.ts';
import { presentReport } from '../../present/history.ts';
import { type McpTool, READS } from './mcp-tool.ts';
import { describeHomes } from './places.ts';
import { seriesFields } from './series.ts';

const DESCRIPTION = `Reads the recorded history of one accessory over the last hours: numbers as averages with a summary, states as the times they changed.
History is opt-in for each home; where it is off, the message explains how to turn it on. For several accessories, or a time in the past, use query_history.`;

const output = z.object({
  home: z.string().describe('Its key'),
  accessory: z.object({ key: z.string(), name: z.string(), id: z.string() }),
  from: z.string(),
  to: z.string(),
  series: z.array(z.object({ ...seriesFields, openingValue: z.string().nullish() })),
  _meta: z.object({ message: z.string() }),
});

/** Like GET /rest/history. */
export const getHistory: McpTool<typeof ReportQuery, typeof output> = {
  name: 'get_history',
  title: 'Get history',
  description: (context) => `${DESCRIPTION}\n${describeHomes(context)}`,
  needs: 'view',
  annotations: READS,
  input: ReportQuery,
  output,
  async run({ caller, deps, signal }, query) {
    return presentReport(await deps.history.report(caller, { ...query, signal }));
  },
};
