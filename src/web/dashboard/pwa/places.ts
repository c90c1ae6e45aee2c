/**
 * The dashboard's addresses: those that `src/api/pages/dashboard.ts` serves. Neither file may import the other, so a
 * test compares them.
 */

export const FIRST_PARTS: ReadonlySet<string> = new Set([
  '',
  'accessories',
  'automations',
  'developer',
  'history',
  'notifications',
  'pair',
  'people',
  'rooms',
  'scenes',
  'settings',
  'system',
  'virtual',
  'welcome',
]);

export function isDashboardAddress(pathname: string): boolean {
  return FIRST_PARTS.has(pathname.split('/')[1] ?? '');
}
