/**
 * Where `/mcp` is (Model Context Protocol, streamable HTTP): what of it works without the SDK, which is loaded at the first request,
 * for many houses never ask. Every request says who asks; there are no sessions, so that there is nothing to keep between two.
 */
import { Hono } from 'hono';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { loadOnce } from '../../kernel/load-once.ts';
import { authenticate } from '../authenticate.ts';
import type { FaceContext, FaceEnv } from '../env.ts';
import { internalError } from '../error-table.ts';
import { isExpected } from '../failure-log.ts';
import { guardBody, guardJson, requestOrigin } from '../guards.ts';
import { presentMcpError } from './challenge.ts';
import type { McpFaceDeps } from './mcp-deps.ts';
import type { McpFace } from './mcp-face.ts';

export const MCP_PATH = '/mcp';

async function loadFace(deps: McpFaceDeps): Promise<McpFace> {
  const { McpFace } = await import('./mcp-face.ts');
  return new McpFace(deps);
}

export function mcpRoutes(deps: McpFaceDeps, load = loadFace): Hono<FaceEnv> {
  const originOf = requestOrigin(deps.guards);
  const face = loadOnce(() => load(deps));
  const handle = async (c: FaceContext): Promise<Response> => (await face()).handle(c);

  const app = new Hono<FaceEnv>();
  app.use(authenticate(deps.credentials, 'mcp'));
  app.use(guardBody());
  app.post('/', guardJson(), handle);
  // GET would open a stream and DELETE end a session, where there were sessions; clients take 405 for "there are none".
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
