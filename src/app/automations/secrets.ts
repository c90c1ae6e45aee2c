/**
 * What of an automation is secret: ids of webhooks, for who knows one may run it; and what requests to other programs say to be let in.
 * Only nodes are looked at, never what is sent, stored or compared.
 */
import type { Json, JsonObject } from './flow.ts';

/** The fields in which nodes hold other nodes, in lists, or in lists of lists. */
const NESTED: ReadonlySet<string> = new Set([
  'triggers',
  'actions',
  'then',
  'else',
  'choices',
  'default',
  'sequence',
  'branches',
]);

/** Stands for what is not shown. */
const HIDDEN = '…';

/** A flow, an action or a trigger in which every webhook has an empty id, which saving would make anew. */
export function withoutWebhookIds<T extends object>(node: T): T {
  return eachNode(node, (one) => (one.type === 'webhook' ? { ...one, webhookId: '' } : one));
}

/** The same in which requests have no values of headers, and no user, password or query in their addresses. */
export function withoutCredentials<T extends object>(node: T): T {
  return eachNode(node, (one) => {
    if (one.type !== 'fire_webhook') return one;
    const { url, headers } = one;
    return {
      ...one,
      ...(typeof url === 'string' && { url: publicAddress(url) }),
      ...(typeof headers === 'object' && headers && { headers: hidden(headers) }),
    };
  });
}

/** Scheme, host and path of an address: all of it that anybody may read. */
export function publicAddress(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//');
}

function hidden(headers: object): JsonObject {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN]));
}

/** A copy with every node changed. All of it is JSON, which the types of nodes say one by one. */
function eachNode<T extends object>(node: T, change: (node: JsonObject) => JsonObject): T {
  return walked(node as unknown as JsonObject, change) as unknown as T;
}

function walked(node: JsonObject, change: (node: JsonObject) => JsonObject): JsonObject {
  const entries = Object.entries(node).map(([name, value]) => [
    name,
    NESTED.has(name) && Array.isArray(value) ? walkedList(value, change) : value,
  ]);
  return change(Object.fromEntries(entries));
}

function walkedList(list: readonly Json[], change: (node: JsonObject) => JsonObject): readonly Json[] {
  return list.map((item) => {
    if (Array.isArray(item)) return walkedList(item, change);
    return typeof item === 'object' && item !== null ? walked(item as JsonObject, change) : item;
  });
}
