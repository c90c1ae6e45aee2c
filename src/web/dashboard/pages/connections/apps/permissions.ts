/**
 * The homes that a token or an app may access, and at which level (API §2.6): `null` is every home, with the user's own
 * rights.
 */

export type HomePermission = 'view' | 'control';
export type HomePermissions = Readonly<Record<string, HomePermission>> | null;

/**
 * @param text the API's JSON object, home id → `control` or `view`. An empty one means no home, so that an error never
 * grants access.
 */
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

/** @returns the value for `homePermissions`. */
export function permissionsJson(permissions: HomePermissions): string | null {
  return permissions === null ? null : JSON.stringify(permissions);
}

/** @param permission `undefined` removes the home. */
export function withPermission(
  permissions: Readonly<Record<string, HomePermission>>,
  homeId: string,
  permission: HomePermission | undefined,
): Readonly<Record<string, HomePermission>> {
  const { [homeId]: _, ...others } = permissions;
  return permission === undefined ? others : { ...others, [homeId]: permission };
}

/** Whether any home is within reach: the API reads an empty object as every home. */
export function reachesSomething(permissions: HomePermissions): boolean {
  return permissions === null || Object.keys(permissions).length > 0;
}

export type Reach = 'read' | 'write' | 'admin';

/** The widest of an app's scopes. */
export function reachOf(scope: string): Reach {
  const words = scope.split(/\s+/).map((word) => word.replace('mcp:', ''));
  if (words.includes('admin')) return 'admin';
  return words.includes('write') ? 'write' : 'read';
}

/** The homes that an app may access, each at the level that its reach leaves. */
export function permissionsWithin(permissions: HomePermissions, reach: Reach): HomePermissions {
  if (permissions === null || reach !== 'read') return permissions;
  return Object.fromEntries(Object.keys(permissions).map((id) => [id, 'view']));
}

/** Whether the reach adds to the level of each home: it covers all homes, or more than homes. */
export function reachAdds(permissions: HomePermissions, reach: Reach): boolean {
  return permissions === null || reach === 'admin';
}
