/**
 * In place of Swagger UI's own resolver, which models the whole document for each operation that is opened: seconds on
 * a phone. Ours refers to nothing but its own components.
 */

/**
 * @param path the keys that lead to a part of the document
 * @returns `spec`: that part with each reference replaced by what it refers to. A reference within its own target
 * stays as it is.
 */
export async function resolveSubtree(document: unknown, path: readonly (string | number)[]) {
  return { spec: resolved(document, at(document, path), []), errors: [] };
}

function resolved(document: unknown, part: unknown, within: readonly string[]): unknown {
  if (Array.isArray(part)) return part.map((item) => resolved(document, item, within));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref: reference, ...beside } = part as { readonly $ref?: unknown };
  const isReference = typeof reference === 'string' && reference.startsWith('#/');
  if (isReference && within.includes(reference)) return part;
  const own = isReference ? beside : part;
  return {
    ...(isReference && (resolved(document, at(document, keysOf(reference)), [...within, reference]) as object)),
    ...Object.fromEntries(Object.entries(own).map(([key, value]) => [key, resolved(document, value, within)])),
  };
}

function at(document: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((part, key) => (part as Record<string | number, unknown> | undefined)?.[key], document);
}

/** @param reference a JSON pointer as a fragment: `#/components/schemas/Scene` (RFC 6901, section 6) */
function keysOf(reference: string): string[] {
  return decodeURIComponent(reference)
    .slice('#/'.length)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
