/**
 * The GraphQL transport over a schema of the test's own, with the guards and the error presenter of the real API
 * around it.
 */
import type { GraphQLSchema } from 'graphql';
import { Hono } from 'hono';
import { authenticate } from '../../../src/api/authenticate.ts';
import type { ApiEnv } from '../../../src/api/env.ts';
import { internalError } from '../../../src/api/error-table.ts';
import { FailureLog, isExpected } from '../../../src/api/failure-log.ts';
import { GraphqlApi, type GraphqlFaceDeps } from '../../../src/api/graphql/graphql-api.ts';
import { GRAPHQL_PATH, graphqlRoutes, presentGraphqlError } from '../../../src/api/graphql/graphql-routes.ts';
import { guardBody } from '../../../src/api/guards.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { createToken, TEST_GUARDS } from '../../support/rest-client.ts';
import type { TestHome } from '../../support/test-home.ts';

export interface LoggedLine {
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

export interface GraphqlAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
  readonly body: any;
}

export type GraphqlFixture = ReturnType<typeof createGraphqlFixture>;

export function createGraphqlFixture(home: TestHome, schema: GraphQLSchema) {
  const lines: LoggedLine[] = [];
  const record = (fields: object, message: string): void => {
    lines.push({ fields: fields as Record<string, unknown>, message });
  };
  const failures = new FailureLog({ logger: { ...silentLogger, error: record, warn: record }, clock: home.clock });
  // The schemas of these tests ask for no operation that the transport itself does not call.
  const deps = { guards: TEST_GUARDS, ...home, failures } as unknown as GraphqlFaceDeps;
  const app = new Hono<ApiEnv>();
  app.use(authenticate(home.tokens));
  app.use(guardBody());
  app.route(
    GRAPHQL_PATH,
    graphqlRoutes(deps, async () => new GraphqlApi(schema, deps)),
  );
  app.onError((error, c) => {
    const { requestId } = c.get('caller');
    failures.note(error, { requestId, method: c.req.method, path: c.req.path });
    return presentGraphqlError(c, isExpected(error) ? error : internalError(), requestId, 'http://localhost');
  });
  const token = createToken(home);

  const send = async (path: string, init: RequestInit): Promise<GraphqlAnswer> => {
    const headers = { Host: 'localhost', Authorization: `Bearer ${token}`, ...init.headers };
    const response = await app.request(path, { ...init, headers });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: text === '' ? null : JSON.parse(text) };
  };
  return {
    app,
    lines,
    send,
    /** By POST, as JSON. */
    ask: (query: string, variables?: object, headers: Record<string, string> = {}) =>
      send(GRAPHQL_PATH, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ query, variables }),
      }),
    /** By POST, for any request. */
    post: (body: string, headers: Record<string, string> = {}) =>
      send(GRAPHQL_PATH, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body }),
    get: (parameters: Record<string, string>, headers: Record<string, string> = {}) =>
      send(`${GRAPHQL_PATH}?${new URLSearchParams(parameters)}`, { headers }),
  };
}
