/**
 * Every page of the dashboard: its address, and the module that is loaded for it. The relay serves the app at the first
 * part of each address (`api/pages/dashboard.ts`). The first matching row wins.
 */
import { type LazyPart, type Loaded, lazyPart } from './ui/load-part.ts';

/** The named parts of an address, which its page receives: `roomId` of `/rooms/:roomId`. */
type PartsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Readonly<Record<Name, string>> & PartsOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Readonly<Record<Name, string>>
    : object;

/** The parts of any address. */
export type PageProps = Readonly<Record<string, string | undefined>>;

export interface RouteRow {
  /** `/rooms/:roomId`, in wouter's format. */
  readonly path: string;
  readonly page: LazyPart<PageProps>;
}

/** The router gives a page the parts of the path in its row. */
function row<Path extends string>(path: Path, page: LazyPart<PartsOf<Path>>): RouteRow {
  return { path, page: page as LazyPart<PageProps> };
}

/** @param load imports the page's own module, which no other page loads. */
function route<Path extends string, Name extends string>(
  path: Path,
  load: () => Promise<Loaded<Name, PartsOf<Path>>>,
  name: Name,
): RouteRow {
  return row(path, lazyPart(load, name));
}

/** These share a place (`shell/home-place.tsx`). */
export const HomePage = lazyPart(() => import('./pages/home/home-page.tsx'), 'HomePage');
export const RoomPage = lazyPart(() => import('./pages/rooms/room-page.tsx'), 'RoomPage');
export const CategoryPage = lazyPart(() => import('./pages/categories/category-page.tsx'), 'CategoryPage');
export const AccessoryPage = lazyPart(() => import('./pages/accessory/accessory-page.tsx'), 'AccessoryPage');

export const ROUTES: readonly RouteRow[] = [
  route('/notifications', () => import('./pages/notifications/notifications-page.tsx'), 'NotificationsPage'),
  route('/history', () => import('./pages/history/history-page.tsx'), 'HistoryPage'),
  route('/activity', () => import('./pages/activity/activity-page.tsx'), 'ActivityPage'),
  route('/energy', () => import('./pages/energy/energy-page.tsx'), 'EnergyPage'),
  row('/', HomePage),
  row('/accessories/:id', AccessoryPage),
  route('/rooms', () => import('./pages/groups/rooms-page.tsx'), 'RoomsPage'),
  row('/rooms/:roomId', RoomPage),
  row('/categories/:category', CategoryPage),
  route('/virtual', () => import('./pages/virtual/virtual-page.tsx'), 'VirtualPage'),
  route('/virtual/new', () => import('./pages/virtual/new-virtual-page.tsx'), 'NewVirtualPage'),
  route('/virtual/:accessoryId', () => import('./pages/virtual/edit-virtual-page.tsx'), 'EditVirtualPage'),
  route('/scenes', () => import('./pages/scenes/scenes-page.tsx'), 'ScenesPage'),
  route('/scenes/new', () => import('./pages/scenes/new-scene-page.tsx'), 'NewScenePage'),
  route('/scenes/:sceneId', () => import('./pages/scenes/scene-page.tsx'), 'ScenePage'),
  route('/system', () => import('./pages/system/status/status-page.tsx'), 'StatusPage'),
  route('/system/devices', () => import('./pages/system/devices/devices-page.tsx'), 'DevicesPage'),
  route('/system/logs', () => import('./pages/system/logs/logs-page.tsx'), 'LogsPage'),
  route('/system/news', () => import('./pages/system/news/news-page.tsx'), 'NewsPage'),
  route('/system/backups', () => import('./pages/system/backups/backups-page.tsx'), 'BackupsPage'),
  route('/people', () => import('./pages/people/people-page.tsx'), 'PeoplePage'),
  route('/people/shares', () => import('./pages/shares/shares-page.tsx'), 'SharesPage'),
  route('/settings', () => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
  route('/settings/home', () => import('./pages/settings/home/home-settings-page.tsx'), 'HomeSettingsPage'),
  route('/settings/relay', () => import('./pages/settings/relay/relay-settings-page.tsx'), 'RelaySettingsPage'),
  route('/pair', () => import('./pages/pair/pair-page.tsx'), 'PairPage'),
  route('/pair/import', () => import('./pages/pair/import/import-page.tsx'), 'ImportPage'),
  route('/automations', () => import('./pages/automations/list/automations-page.tsx'), 'AutomationsPage'),
  route('/automations/new', () => import('./pages/automations/editor/editor-page.tsx'), 'EditorPage'),
  route(
    '/automations/:kind/:automationId/edit',
    () => import('./pages/automations/editor/editor-page.tsx'),
    'EditorPage',
  ),
  route(
    '/automations/blueprints',
    () => import('./pages/automations/blueprints/blueprints-page.tsx'),
    'BlueprintsPage',
  ),
  route(
    '/automations/blueprints/:blueprintId',
    () => import('./pages/automations/blueprints/blueprints-page.tsx'),
    'BlueprintsPage',
  ),
  route(
    '/automations/:kind/:automationId',
    () => import('./pages/automations/details/automation-page.tsx'),
    'AutomationPage',
  ),
  route('/automations/:kind/:automationId/runs', () => import('./pages/automations/runs/runs-page.tsx'), 'RunsPage'),
  route(
    '/automations/:kind/:automationId/runs/:traceId',
    () => import('./pages/automations/runs/run-page.tsx'),
    'RunPage',
  ),
  route('/publish', () => import('./pages/publish/publish-page.tsx'), 'PublishPage'),
  route('/connections', () => import('./pages/connections/connections-page.tsx'), 'ConnectionsPage'),
  route('/connections/assistants', () => import('./pages/connections/assistants-page.tsx'), 'AssistantsPage'),
  route('/connections/apps', () => import('./pages/connections/apps/apps-page.tsx'), 'AppsPage'),
  route('/connections/mqtt', () => import('./pages/connections/mqtt/mqtt-page.tsx'), 'MqttPage'),
  route('/connections/webhooks', () => import('./pages/connections/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  route(
    '/connections/webhooks/:webhookId',
    () => import('./pages/connections/webhooks/webhook-page.tsx'),
    'WebhookPage',
  ),
  route('/connections/phones', () => import('./pages/connections/phones-page.tsx'), 'PhonesPage'),
  route('/connections/tokens', () => import('./pages/connections/tokens/tokens-page.tsx'), 'TokensPage'),
  route('/developer', () => import('./pages/developer/developer-page.tsx'), 'DeveloperPage'),
  route('/developer/expressions', () => import('./pages/developer/expressions-page.tsx'), 'ExpressionsPage'),
  route('/developer/events', () => import('./pages/developer/events-page.tsx'), 'EventsPage'),
];

/** Addresses of earlier versions, and the pages that have their content now. They go before the pages. */
const MOVED = [
  ['/rooms/settings', '/settings/home'],
  ['/system/settings', '/settings/relay'],
  ['/people/apps', '/connections/apps'],
  ['/developer/webhooks', '/connections/webhooks'],
  ['/developer/webhooks/:webhookId', '/connections/webhooks/:webhookId'],
  ['/developer/mqtt', '/connections/mqtt'],
  ['/automations/new/simple', '/automations/new'],
  ['/automations/new/flow', '/automations/new'],
] as const;

/** @returns where the content of an earlier address is; `undefined`: the address is no earlier one */
export function movedTo(address: string): string | undefined {
  for (const [from, to] of MOVED) {
    const found = patternOf(from).exec(address);
    if (found) return to.replace(/:\w+/, found[1] ?? '');
  }
  return undefined;
}

/** The page at an address, by the router's rules. */
export function pageAt(address: string): LazyPart<PageProps> | undefined {
  const place = movedTo(address) ?? address;
  return ROUTES.find(({ path }) => patternOf(path).test(place))?.page;
}

/** wouter's rule for the paths above: their parts, with an optional slash at the end. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\/$/, '').replace(/:\w+/g, '([^/]+)')}/?$`, 'i');
}
