/** The resource of a token (RFC 8707): all APIs of the relay, or only the MCP endpoint. */
import type { ApiEntry } from '../access/credentials.ts';

export type ResourceKind = 'api' | 'mcp';

/** Whether a token for `granted` may be used for `wanted`. */
export function coversResource(granted: ResourceKind, wanted: ResourceKind | ApiEntry): boolean {
  return granted === 'api' || wanted === 'mcp';
}

export function widerResource(a: ResourceKind, b: ResourceKind): ResourceKind {
  return coversResource(a, b) ? a : b;
}

/**
 * URNs of the two resources, independent of the relay's URL: the same tokens are valid under its host name and its
 * address, and stay valid when either changes.
 */
const URNS: Readonly<Record<ResourceKind, string>> = { api: 'urn:hearthd:api', mcp: 'urn:hearthd:mcp' };

export function resourceUrn(kind: ResourceKind): string {
  return URNS[kind];
}

export function resourceOfUrn(urn: unknown): ResourceKind | undefined {
  return (['api', 'mcp'] as const).find((kind) => URNS[kind] === urn);
}
