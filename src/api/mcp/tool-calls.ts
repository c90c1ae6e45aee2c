/**
 * Lists the tools that the caller may use in some home, and calls them. An operation's error is a result with
 * `isError`, so that the model reads the message and corrects its call; only an unknown tool is an error of the
 * protocol.
 */
import { type CallToolResult, ProtocolError, ProtocolErrorCode, type Tool } from '@modelcontextprotocol/server';
import { shorten } from '../../home/vocabulary/values.ts';
import { internalError, presentErrorBody } from '../error-table.ts';
import { isExpected } from '../failure-log.ts';
import { presentSchema } from './json-schema.ts';
import { parseArguments } from './tool-arguments.ts';
import { TOOLS } from './tools/index.ts';
import type { McpTool, ToolContext } from './tools/mcp-tool.ts';
import { homesOf } from './tools/places.ts';

/** The permissions of tools, weakest first. */
const NEEDS = ['view', 'control', 'manage'] as const;
export type Need = McpTool['needs'];

/** The caller's highest permission in any of its homes; `undefined` if it may see none. */
export function reachOf(context: ToolContext): Need | undefined {
  const { caller, deps } = context;
  const homes = homesOf(context);
  return NEEDS.findLast((need) => homes.some(({ id }) => deps.access.mayIn(caller, need, id)));
}

export function covers(reach: Need | undefined, need: Need): boolean {
  return reach !== undefined && NEEDS.indexOf(reach) >= NEEDS.indexOf(need);
}

export function findTool(name: string): McpTool | undefined {
  return TOOLS.find((tool) => tool.name === name);
}

export function listTools(context: ToolContext): Tool[] {
  const reach = reachOf(context);
  return TOOLS.filter(({ needs }) => covers(reach, needs)).map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description(context),
    ...schemasOf(tool),
    annotations: tool.annotations,
  }));
}

/**
 * @param note receives unexpected errors, and storage errors.
 * @throws ProtocolError there is no such tool
 */
export async function callTool(
  context: ToolContext,
  { name, input }: { readonly name: string; readonly input: unknown },
  note: (error: unknown) => void,
): Promise<CallToolResult> {
  const tool = findTool(name);
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${shorten(name)}".`);
  try {
    const result = await tool.run(context, parseArguments(input, tool.input));
    return { ...contentOf(result), ...(tool.failed?.(result) && { isError: true }) };
  } catch (error) {
    note(error);
    const { content } = contentOf(presentErrorBody(isExpected(error) ? error : internalError()));
    return { content, isError: true };
  }
}

/** The same content twice: as text for clients that only read it, and as data that the tool's schema describes. */
function contentOf(result: object): Pick<CallToolResult, 'structuredContent'> & { content: CallToolResult['content'] } {
  // Fields that JSON omits are omitted from both.
  const text = JSON.stringify(result, null, 2);
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) };
}

type Schemas = Pick<Tool, 'inputSchema' | 'outputSchema'>;

const schemas = new Map<McpTool, Schemas>();

/** Created once per tool. */
function schemasOf(tool: McpTool): Schemas {
  let known = schemas.get(tool);
  if (!known) {
    known = {
      inputSchema: { type: 'object', ...(presentSchema(tool.input, 'input') as object) },
      outputSchema: { type: 'object', ...(presentSchema(tool.output, 'output') as object) },
    };
    schemas.set(tool, known);
  }
  return known;
}
