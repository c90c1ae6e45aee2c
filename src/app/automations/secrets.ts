import type { Json, JsonObject } from '../../kernel/json.ts';

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

/** The placeholder for a hidden value. */
const HIDDEN = '…';

/** A flow, an action or a trigger in which every webhook has an empty id; saving it would create new ids. */
export function withoutWebhookIds<T extends object>(node: T): T {
  return eachNode(node, (one) => (one.type === 'webhook' ? { ...one, webhookId: '' } : one));
}

/** The same without header values in requests, and without user, password and query in their URLs. */
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

/** Scheme, host and path of a URL: the public part. */
export function publicAddress(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//');
}

function hidden(headers: object): JsonObject {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN]));
}

/** A copy with every node changed. All of it is JSON, which the node types express only one by one. */
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
