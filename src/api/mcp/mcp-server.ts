/**
 * One server of the SDK for one request: it binds the protocol's methods to tools and resources, on behalf of one
 * caller. Nothing outlives the request, so no sessions can be stolen, exhausted or leaked.
 */
import { ProtocolError, Server } from '@modelcontextprotocol/server';
import type { Caller } from '../../app/access/caller.ts';
import type { Operations } from '../../app/operations.ts';
import { internalError } from '../error-table.ts';
import { isExpected } from '../failure-log.ts';
import { complete, listResources, listResourceTemplates, readResource } from './resources.ts';
import { callTool, listTools } from './tool-calls.ts';
import type { ToolContext } from './tools/mcp-tool.ts';

export interface McpServerDeps {
  readonly deps: Readonly<Operations>;
  readonly caller: Caller;
  readonly version: string;
  /** Whether the client can receive changes: only with a stream, which older protocols tie to a session. */
  readonly canListen: boolean;
  /** Called with unexpected errors, and with storage errors. */
  readonly note: (error: unknown) => void;
}

/** For the model, before it has seen any tool. */
const INSTRUCTIONS = [
  'hearthd controls the accessories of a home: lights, locks, blinds, climate, sensors and virtual accessories.',
  'Everything goes by slug keys such as "lamp_1a2b", which get_state shows; names will do where only one thing has them.',
  'Call get_state before you set anything: _settable lists what each accessory accepts. Temperatures are in °C.',
].join(' ');

export function createServer({ deps, caller, version, canListen, note }: McpServerDeps): Server {
  const server = new Server(
    { name: 'hearthd', title: 'hearthd', version },
    {
      instructions: INSTRUCTIONS,
      capabilities: {
        tools: { listChanged: canListen },
        resources: { listChanged: canListen, subscribe: canListen },
        completions: {},
      },
    },
  );
  const contextOf = (signal: AbortSignal): ToolContext => ({ caller, deps, signal });
  /** Replaces unexpected errors by one without details. */
  const guarded = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      if (isProtocolError(error)) throw error;
      note(error);
      throw isExpected(error) ? error : internalError();
    }
  };
  server.setRequestHandler('tools/list', (_request, { mcpReq }) =>
    guarded(() => ({ tools: listTools(contextOf(mcpReq.signal)) })),
  );
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    callTool(contextOf(mcpReq.signal), { name: params.name, input: params.arguments }, note),
  );
  server.setRequestHandler('resources/list', ({ params }, { mcpReq }) =>
    guarded(() => listResources(contextOf(mcpReq.signal), params?.cursor)),
  );
  server.setRequestHandler('resources/templates/list', () => listResourceTemplates());
  server.setRequestHandler('resources/read', ({ params }, { mcpReq }) =>
    guarded(() => readResource(contextOf(mcpReq.signal), params.uri)),
  );
  server.setRequestHandler('completion/complete', ({ params }, { mcpReq }) =>
    guarded(() => complete(contextOf(mcpReq.signal), params)),
  );
  return server;
}

/** The SDK's errors are meant for clients. */
function isProtocolError(error: unknown): boolean {
  return error instanceof ProtocolError;
}
