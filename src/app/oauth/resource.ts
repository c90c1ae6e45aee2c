/** What a token is meant for (RFC 8707): everything we serve, or the MCP endpoint alone. */
import type { Door } from '../access/credentials.ts';

export type ResourceKind = 'api' | 'mcp';

/** Whether what is meant for `granted` may be used for `wanted`. */
export function coversResource(granted: ResourceKind, wanted: ResourceKind | Door): boolean {
  return granted === 'api' || wanted === 'mcp';
}

export function widerResource(a: ResourceKind, b: ResourceKind): ResourceKind {
  return coversResource(a, b) ? a : b;
}

/**
 * Names of the two that hold wherever we are reached: the same tokens are good under our host name and under our address, and go on
 * when either changes.
 */
const URNS: Readonly<Record<ResourceKind, string>> = { api: 'urn:hearthd:api', mcp: 'urn:hearthd:mcp' };

export function resourceUrn(kind: ResourceKind): string {
  return URNS[kind];
}

export function resourceOfUrn(urn: unknown): ResourceKind | undefined {
  return (['api', 'mcp'] as const).find((kind) => URNS[kind] === urn);
}
