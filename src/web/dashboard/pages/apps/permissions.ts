/** Which homes a token or an app reaches, and how far (API §2.6): `null` is every home, as far as its person reaches themselves. */

export type HomePermission = 'view' | 'control';
export type HomePermissions = Readonly<Record<string, HomePermission>> | null;

/** @param text as the API gives it: a JSON object, home id → `control` or `view`. Nothing in it: no home, for nobody is let in by mistake. */
export function parsePermissions(text: string | null): HomePermissions {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (value === null) return null;
    const entries = Object.entries(value as object).filter(([, role]) => role === 'view' || role === 'control');
    return Object.fromEntries(entries) as HomePermissions;
  } catch {
    return {};
  }
}

/** @param permission `undefined`: the home is out of reach. */
export function withPermission(
  permissions: Readonly<Record<string, HomePermission>>,
  homeId: string,
  permission: HomePermission | undefined,
): Readonly<Record<string, HomePermission>> {
  const { [homeId]: _, ...others } = permissions;
  return permission === undefined ? others : { ...others, [homeId]: permission };
}

/** Whether it reaches anything at all: the API takes an empty object for every home. */
export function reachesSomething(permissions: HomePermissions): boolean {
  return permissions === null || Object.keys(permissions).length > 0;
}

/** The widest of an app's scopes. */
export function reachOf(scope: string): 'read' | 'write' | 'admin' {
  const words = scope.split(/\s+/).map((word) => word.replace('mcp:', ''));
  if (words.includes('admin')) return 'admin';
  return words.includes('write') ? 'write' : 'read';
}
