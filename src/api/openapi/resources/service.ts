import { Health, Readiness } from '../../../contract/health.ts';
import { mapOf } from '../json-schema.ts';
import type { Resource } from '../operation.ts';

export const service: Resource = {
  tag: 'Service',
  description: 'The relay itself. Nothing here needs a token or reveals anything about the home.',
  operations: [
    {
      method: 'get',
      path: '/health',
      id: 'health',
      summary: 'The process answers',
      audience: 'everyone',
      answer: { description: 'It does.', schema: Health },
    },
    {
      method: 'get',
      path: '/ready',
      id: 'ready',
      summary: 'It has started and looked around once',
      audience: 'everyone',
      answer: { description: 'It has.', schema: Readiness },
      errors: [503],
    },
    {
      method: 'get',
      path: '/openapi.json',
      id: 'openapi',
      summary: 'This document',
      audience: 'everyone',
      answer: {
        description: 'The description of the REST interface, in OpenAPI 3.1.',
        schema: mapOf({}),
        headers: { ETag: 'For If-None-Match: the document changes with the version of the daemon only.' },
      },
      errors: [304],
    },
  ],
};
