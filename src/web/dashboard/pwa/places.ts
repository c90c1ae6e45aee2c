/**
 * Which addresses are the dashboard's: those of `src/faces/pages/dashboard.ts`, which serves them. Neither may know the other: a test holds
 * them together.
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
