/**
 * Speaks MCP as plain JSON-RPC, without sockets and without the SDK. Every result of a tool is held against the schema
 * that the tool was listed with, so that no test has to.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Hono } from 'hono';
import type { ApiEnv } from '../../src/api/env.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
type Json = any;

export interface ToolAnswer {
  readonly isError: boolean;
  /** The text of the result, read as JSON. */
  readonly data: Json;
}

export type McpClient = ReturnType<typeof createMcpClient>;

export function createMcpClient(app: Hono<ApiEnv>, token?: string) {
  let id = 0;

  const post = async (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    app.request('/mcp', {
      method: 'POST',
      headers: {
        Host: 'localhost',
        'Content-Type': 'application/json',
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  /** @returns the whole message, with `result` or `error`. */
  const rpc = async (method: string, params?: object): Promise<Json> => {
    id += 1;
    const response = await post({ jsonrpc: '2.0', id, method, ...(params && { params }) });
    return response.json();
  };

  const tools = async (): Promise<readonly Json[]> => (await rpc('tools/list')).result.tools;

  let schemas: Promise<Map<string, Json>> | undefined;
  const loadSchemas = async (): Promise<Map<string, Json>> =>
    new Map((await tools()).map(({ name, outputSchema }) => [name, outputSchema]));

  const call = async (name: string, args: object = {}): Promise<ToolAnswer> => {
    const { result, error } = await rpc('tools/call', { name, arguments: args });
    if (error) throw new Error(`${name}: ${error.code} ${error.message}`);
    const data = JSON.parse(result.content[0].text);
    if (result.structuredContent !== undefined) {
      schemas ??= loadSchemas();
      requireValid((await schemas).get(name), result.structuredContent, name);
      requireEqual(result.structuredContent, data, name);
    }
    return { isError: result.isError ?? false, data };
  };

  return { post, rpc, tools, call };
}

const ajv = new Ajv2020({ strict: false });
/** Compiled once a schema: that takes longer than most calls. */
const validators = new Map<string, ReturnType<typeof ajv.compile>>();

function requireValid(schema: Json, value: unknown, name: string): void {
  if (schema === undefined) return;
  const text = JSON.stringify(schema);
  const validate = validators.get(text) ?? ajv.compile(schema);
  validators.set(text, validate);
  if (!validate(value)) {
    throw new Error(`${name} answered what it does not declare: ${ajv.errorsText(validate.errors)}`);
  }
}

function requireEqual(a: unknown, b: unknown, name: string): void {
  if (JSON.stringify(a) !== JSON.stringify(b)) throw new Error(`${name} says one thing as text and another as data`);
}
