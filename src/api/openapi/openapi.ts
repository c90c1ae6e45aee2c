/**
 * The OpenAPI 3.1 description of the REST API, for people (`/docs/api`) and for client generators. One file a resource
 * in `resources/`, one row a route. Request bodies are the zod schemas that the routes parse with. Responses are
 * described here, and tests compare them with the routes and with real responses. It holds no data of the home and
 * needs no token.
 */
import type { JsonSchema } from '../../contract/json-schema.ts';
import { ERROR_SCHEMAS, errorResponses } from './errors.ts';
import { presentOperation, templateOf } from './operation.ts';
import { RESOURCES } from './resources.ts';

export const OPENAPI_VERSION = '3.1.1';

const INTRODUCTION = `hearthd finds, pairs and drives the HomeKit accessories of a home and serves them here.

Every request but those marked otherwise carries \`Authorization: Bearer hc_…\`; \`hearthd token create\` makes such a token.
Bodies are JSON in UTF-8. Ids are UUIDs. Times are ISO 8601 in UTC. What a token may not see answers exactly as what does not exist.
A method that an address does not have is answered 405, with those it has in \`Allow\`; every error has the same shape.
GraphQL over the same operations is at \`/graphql\`, a place to try it at \`/graphiql\`.`;

/** @param version of the daemon. */
export function createOpenApi(version: string): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  const schemas: Record<string, JsonSchema> = { ...ERROR_SCHEMAS };
  for (const { tag, operations, schemas: own = {} } of RESOURCES) {
    Object.assign(schemas, own);
    for (const operation of operations) {
      const path = templateOf(operation.path);
      paths[path] = { ...paths[path], [operation.method]: presentOperation(operation, tag, schemas) };
    }
  }
  return {
    openapi: OPENAPI_VERSION,
    info: {
      title: 'hearthd',
      version,
      summary: 'The home over HTTP.',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The relay that serves this document' }],
    security: [{ accessToken: [] }],
    tags: RESOURCES.map(({ tag, description }) => ({ name: tag, description })),
    paths,
    components: {
      schemas,
      responses: errorResponses(),
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'hc_…',
          description: 'An access token, such as `hearthd token create` makes.',
        },
      },
    },
  };
}
