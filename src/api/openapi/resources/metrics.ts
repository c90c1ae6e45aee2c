import { text } from '../json-schema.ts';
import type { Resource } from '../operation.ts';

const EXAMPLE = [
  '# HELP hearthd_accessories Accessories, by whether they answer',
  '# TYPE hearthd_accessories gauge',
  'hearthd_accessories{kind="device",status="reachable"} 12',
  '',
].join('\n');

export const metrics: Resource = {
  tag: 'Metrics',
  description: 'How the relay does, as numbers: for Prometheus and what reads its formats.',
  operations: [
    {
      method: 'get',
      path: '/metrics',
      id: 'metrics',
      summary: 'All metrics',
      description:
        'They count all homes alike and name no home, accessory or person. What ends in `_total` starts at 0 with the process. `hearthd metrics` prints the same.',
      audience: 'admin of any home',
      answer: {
        description: 'Prometheus’ text format.',
        type: 'text/plain',
        schema: text(),
        example: EXAMPLE,
        also: { type: 'application/openmetrics-text', schema: text(), example: `${EXAMPLE}# EOF\n` },
        headers: { Vary: 'Accept decides between the two formats.' },
      },
    },
  ],
};
