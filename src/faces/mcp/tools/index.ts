/** The registry of tools, in the order in which clients list them. */
import type { McpTool } from './mcp-tool.ts';

export const TOOLS: readonly McpTool[] = [];
