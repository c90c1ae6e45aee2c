/**
 * The route `/mcp` (Model Context Protocol, streamable HTTP), and the parts that work without the SDK. The first
 * request loads the SDK, since many homes never use it. Every request carries its credentials; there are no sessions,
 * so no state is kept between requests.
 */
import { Hono } from 'hono';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { loadOnce } from '../../kernel/load-once.ts';
import { authenticate } from '../authenticate.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import { internalError } from '../error-table.ts';
import { isExpected } from '../failure-log.ts';
import { guardBody, guardJson, requestOrigin } from '../guards.ts';
import { presentMcpError } from './challenge.ts';
import type { McpApi } from './mcp-api.ts';
import type { McpFaceDeps } from './mcp-deps.ts';

export const MCP_PATH = '/mcp';

async function loadApi(deps: McpFaceDeps): Promise<McpApi> {
  const { McpApi } = await import('./mcp-api.ts');
  return new McpApi(deps);
}

export function mcpRoutes(deps: McpFaceDeps, load = loadApi): Hono<ApiEnv> {
  const originOf = requestOrigin(deps.guards);
  const api = loadOnce(() => load(deps));
  const handle = async (c: ApiContext): Promise<Response> => (await api()).handle(c);

  const app = new Hono<ApiEnv>();
  app.use(authenticate(deps.credentials, 'mcp'));
  app.use(guardBody());
  app.post('/', guardJson(), handle);
  // GET would open a stream and DELETE end a session, if there were sessions; to clients 405 means "there are none".
  app.all('/', () => {
    throw new HearthError('method_not_allowed', 'This MCP server keeps no sessions: send each message by POST.', {
      allow: ['POST'],
    });
  });
  app.onError((error, c) => {
    const requestId = c.get('caller')?.requestId ?? newId();
    deps.failures.note(error, { requestId, method: c.req.method, path: MCP_PATH });
    return presentMcpError(isExpected(error) ? error : internalError(), requestId, originOf(c));
  });
  return app;
}
