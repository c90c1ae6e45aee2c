/** OAuth scopes (API §5.2): three levels, each of which includes the ones before it. */

/** Weakest first. */
const LEVELS = ['read', 'write', 'admin'] as const;

export type ScopeLevel = (typeof LEVELS)[number];

/** The advertised scopes. The relay also accepts `read`, `write` and `admin` (decisions §7). */
export const SCOPES = LEVELS.map((level) => `mcp:${level}`);

/** The default of an app that names no scope: the level that clients of this API always name. */
export const DEFAULT_LEVEL: ScopeLevel = 'write';

/**
 * The highest level in a scope; `undefined` if it contains none of the relay's. Scopes of other services are ignored.
 */
export function parseScope(scope: string): ScopeLevel | undefined {
  const words = scope.split(' ');
  return LEVELS.findLast((level) => words.includes(level) || words.includes(`mcp:${level}`));
}

/** `write` → `mcp:read mcp:write` */
export function presentScope(level: ScopeLevel): string {
  return SCOPES.slice(0, LEVELS.indexOf(level) + 1).join(' ');
}

/** The levels up to this one, weakest first. */
export function levelsUpTo(level: ScopeLevel): readonly ScopeLevel[] {
  return LEVELS.slice(0, LEVELS.indexOf(level) + 1);
}

export function weakerLevel(a: ScopeLevel, b: ScopeLevel): ScopeLevel {
  return LEVELS.indexOf(a) <= LEVELS.indexOf(b) ? a : b;
}

export function isLevel(value: unknown): value is ScopeLevel {
  return LEVELS.some((level) => level === value);
}
