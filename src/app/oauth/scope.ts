/** OAuth scopes (API §5.2): three levels, each of which includes the ones before it. */

/** Weakest first. */
const LEVELS = ['read', 'write', 'admin'] as const;

export type ScopeLevel = (typeof LEVELS)[number];

/** What is advertised. `read`, `write` and `admin` are understood too (decisions §7). */
export const SCOPES = LEVELS.map((level) => `mcp:${level}`);

/** What an app that names no scope asks for: what the clients of this API always name. */
export const DEFAULT_LEVEL: ScopeLevel = 'write';

/** The highest level that a scope names; `undefined` if it names none of ours. Words of other services mean nothing here. */
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
