/**
 * Every page of the dashboard: its address, and the module that is loaded for it. The relay serves the app at the first
 * part of each address (`api/pages/dashboard.ts`). The first matching row wins.
 */
import { type LazyPart, type Loaded, lazyPart } from './ui/load-part.ts';

/** Pages receive the named parts of their address. */
export type PageProps = Readonly<Record<string, string | undefined>>;

export interface RouteRow {
  /** `/rooms/:roomId`, in wouter's format. */
  readonly path: string;
  readonly page: LazyPart<PageProps>;
}

/** @param load imports the page's own module, which no other page loads. */
function page<Name extends string>(load: () => Promise<Loaded<Name>>, name: Name): RouteRow['page'] {
  return lazyPart(load, name) as RouteRow['page'];
}

/** These three share a place (`shell/home-place.tsx`). */
export const HomePage = lazyPart(() => import('./pages/home/home-page.tsx'), 'HomePage');
export const RoomPage = lazyPart(() => import('./pages/rooms/room-page.tsx'), 'RoomPage');
export const AccessoryPage = lazyPart(() => import('./pages/accessory/accessory-page.tsx'), 'AccessoryPage');

export const ROUTES: readonly RouteRow[] = [
  {
    path: '/notifications',
    page: page(() => import('./pages/notifications/notifications-page.tsx'), 'NotificationsPage'),
  },
  { path: '/history', page: page(() => import('./pages/history/history-page.tsx'), 'HistoryPage') },
  { path: '/activity', page: page(() => import('./pages/activity/activity-page.tsx'), 'ActivityPage') },
  { path: '/energy', page: page(() => import('./pages/energy/energy-page.tsx'), 'EnergyPage') },
  { path: '/', page: HomePage },
  { path: '/accessories/:id', page: AccessoryPage as unknown as RouteRow['page'] },
  { path: '/rooms', page: page(() => import('./pages/groups/rooms-page.tsx'), 'RoomsPage') },
  { path: '/rooms/:roomId', page: RoomPage as unknown as RouteRow['page'] },
  { path: '/virtual', page: page(() => import('./pages/virtual/virtual-page.tsx'), 'VirtualPage') },
  { path: '/virtual/new', page: page(() => import('./pages/virtual/new-virtual-page.tsx'), 'NewVirtualPage') },
  {
    path: '/virtual/:accessoryId',
    page: page(() => import('./pages/virtual/edit-virtual-page.tsx'), 'EditVirtualPage'),
  },
  { path: '/scenes', page: page(() => import('./pages/scenes/scenes-page.tsx'), 'ScenesPage') },
  { path: '/scenes/new', page: page(() => import('./pages/scenes/new-scene-page.tsx'), 'NewScenePage') },
  { path: '/scenes/:sceneId', page: page(() => import('./pages/scenes/scene-page.tsx'), 'ScenePage') },
  { path: '/system', page: page(() => import('./pages/system/status/status-page.tsx'), 'StatusPage') },
  { path: '/system/devices', page: page(() => import('./pages/system/devices/devices-page.tsx'), 'DevicesPage') },
  { path: '/system/logs', page: page(() => import('./pages/system/logs/logs-page.tsx'), 'LogsPage') },
  { path: '/system/backups', page: page(() => import('./pages/system/backups/backups-page.tsx'), 'BackupsPage') },
  { path: '/people', page: page(() => import('./pages/people/people-page.tsx'), 'PeoplePage') },
  { path: '/people/shares', page: page(() => import('./pages/shares/shares-page.tsx'), 'SharesPage') },
  { path: '/settings', page: page(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage') },
  {
    path: '/settings/home',
    page: page(() => import('./pages/settings/home/home-settings-page.tsx'), 'HomeSettingsPage'),
  },
  {
    path: '/settings/relay',
    page: page(() => import('./pages/settings/relay/relay-settings-page.tsx'), 'RelaySettingsPage'),
  },
  { path: '/pair', page: page(() => import('./pages/pair/pair-page.tsx'), 'PairPage') },
  { path: '/pair/import', page: page(() => import('./pages/pair/import/import-page.tsx'), 'ImportPage') },
  {
    path: '/automations',
    page: page(() => import('./pages/automations/list/automations-page.tsx'), 'AutomationsPage'),
  },
  {
    path: '/automations/new/flow',
    page: page(() => import('./pages/automations/editor/flow-editor-page.tsx'), 'FlowEditorPage'),
  },
  {
    path: '/automations/flows/:flowId/edit',
    page: page(() => import('./pages/automations/editor/flow-editor-page.tsx'), 'FlowEditorPage'),
  },
  {
    path: '/automations/new/simple',
    page: page(() => import('./pages/automations/native/native-editor-page.tsx'), 'NewNativePage'),
  },
  {
    path: '/automations/native/:automationId/edit',
    page: page(() => import('./pages/automations/native/native-editor-page.tsx'), 'EditNativePage'),
  },
  {
    path: '/automations/:kind/:automationId',
    page: page(() => import('./pages/automations/details/automation-page.tsx'), 'AutomationPage'),
  },
  {
    path: '/automations/:kind/:automationId/runs',
    page: page(() => import('./pages/automations/runs/runs-page.tsx'), 'RunsPage'),
  },
  {
    path: '/automations/:kind/:automationId/runs/:traceId',
    page: page(() => import('./pages/automations/runs/run-page.tsx'), 'RunPage'),
  },
  { path: '/publish', page: page(() => import('./pages/publish/publish-page.tsx'), 'PublishPage') },
  {
    path: '/connections',
    page: page(() => import('./pages/connections/connections-page.tsx'), 'ConnectionsPage'),
  },
  {
    path: '/connections/assistants',
    page: page(() => import('./pages/connections/assistants-page.tsx'), 'AssistantsPage'),
  },
  { path: '/connections/apps', page: page(() => import('./pages/connections/apps/apps-page.tsx'), 'AppsPage') },
  { path: '/connections/mqtt', page: page(() => import('./pages/connections/mqtt/mqtt-page.tsx'), 'MqttPage') },
  {
    path: '/connections/webhooks',
    page: page(() => import('./pages/connections/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  },
  {
    path: '/connections/webhooks/:webhookId',
    page: page(() => import('./pages/connections/webhooks/webhook-page.tsx'), 'WebhookPage'),
  },
  { path: '/connections/phones', page: page(() => import('./pages/connections/phones-page.tsx'), 'PhonesPage') },
  { path: '/connections/tokens', page: page(() => import('./pages/connections/tokens/tokens-page.tsx'), 'TokensPage') },
  { path: '/developer', page: page(() => import('./pages/developer/developer-page.tsx'), 'DeveloperPage') },
  { path: '/developer/events', page: page(() => import('./pages/developer/events-page.tsx'), 'EventsPage') },
];

/** Addresses of earlier versions, and the pages that have their content now. They go before the pages. */
const MOVED = [
  ['/rooms/settings', '/settings/home'],
  ['/system/settings', '/settings/relay'],
  ['/people/apps', '/connections/apps'],
  ['/developer/webhooks', '/connections/webhooks'],
  ['/developer/webhooks/:webhookId', '/connections/webhooks/:webhookId'],
  ['/developer/mqtt', '/connections/mqtt'],
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
