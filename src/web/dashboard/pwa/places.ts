/**
 * The dashboard's addresses, by the first segment of the path; `/` is the home. The relay serves the dashboard at these
 * (`api/pages/dashboard.ts`), so this file imports nothing.
 */

export const DASHBOARD_PLACES: ReadonlySet<string> = new Set([
  '',
  'accessories',
  'activity',
  'automations',
  'categories',
  'connections',
  'developer',
  'energy',
  'history',
  'notifications',
  'pair',
  'people',
  'publish',
  'rooms',
  'scenes',
  'settings',
  'system',
  'virtual',
  'welcome',
]);

export function isDashboardAddress(pathname: string): boolean {
  return DASHBOARD_PLACES.has(pathname.split('/')[1] ?? '');
}
