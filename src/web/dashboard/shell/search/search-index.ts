/**
 * What the search finds besides the content of the home and the entries of the menu: actions, pages, settings. Their
 * names and synonyms are in the catalogue `search-index`.
 */

import type { Catalogues } from 'texts:types';
import {
  AppWindow,
  Archive,
  BookOpen,
  Bot,
  Cast,
  CodeXml,
  DoorOpen,
  FileInput,
  Group,
  HardDrive,
  Info,
  Keyboard,
  KeyRound,
  Lightbulb,
  LockKeyhole,
  LogOut,
  type LucideIcon,
  MapPin,
  Palette,
  Plus,
  RadioTower,
  ScrollText,
  Settings,
  Share2,
  ShieldCheck,
  Sparkles,
  Tablet,
  Thermometer,
  Tv,
  UserRound,
  Waves,
  Webhook,
  Workflow,
} from 'lucide-react';

/** `managers` of the shown home, `managesHome` of any, `ownsRelay` of all. */
export type Audience = 'managers' | 'developers' | 'managesHome' | 'ownsRelay';

export type IndexAct = 'backUp' | 'signOut' | 'showShortcuts';

interface IndexRow {
  readonly key: keyof Catalogues['search-index']['rows'];
  readonly kind: 'action' | 'page' | 'setting';
  readonly icon: LucideIcon;
  readonly href?: string;
  /** The address is outside of the dashboard. */
  readonly isDocument?: true;
  readonly act?: IndexAct;
  /** Everyone, unless given. */
  readonly for?: Audience;
}

/** Among equal matches, the earlier row is first. */
export const INDEX: readonly IndexRow[] = [
  { key: 'addAccessory', kind: 'action', icon: Plus, href: '/pair', for: 'managers' },
  { key: 'newRoom', kind: 'action', icon: DoorOpen, href: '/rooms?new=room', for: 'managers' },
  { key: 'newGroup', kind: 'action', icon: Group, href: '/rooms?new=group', for: 'managers' },
  { key: 'newScene', kind: 'action', icon: Sparkles, href: '/scenes/new', for: 'managers' },
  { key: 'newAutomation', kind: 'action', icon: Workflow, href: '/automations/new', for: 'managers' },
  { key: 'newVirtual', kind: 'action', icon: Plus, href: '/virtual/new', for: 'managers' },
  { key: 'importAccessories', kind: 'action', icon: FileInput, href: '/pair/import', for: 'managers' },
  { key: 'backUp', kind: 'action', icon: Archive, href: '/system/backups', act: 'backUp', for: 'ownsRelay' },
  { key: 'createToken', kind: 'action', icon: KeyRound, href: '/connections/tokens?new', for: 'managesHome' },
  { key: 'addWebhook', kind: 'action', icon: Webhook, href: '/connections/webhooks?new', for: 'managesHome' },
  { key: 'addBroker', kind: 'action', icon: RadioTower, href: '/connections/mqtt?new', for: 'managers' },
  { key: 'invite', kind: 'action', icon: UserRound, href: '/people?new=invitation', for: 'managers' },
  { key: 'signOut', kind: 'action', icon: LogOut, act: 'signOut' },
  { key: 'shortcuts', kind: 'action', icon: Keyboard, act: 'showShortcuts' },

  { key: 'climate', kind: 'page', icon: Thermometer, href: '/categories/climate' },
  { key: 'lights', kind: 'page', icon: Lightbulb, href: '/categories/lights' },
  { key: 'security', kind: 'page', icon: LockKeyhole, href: '/categories/security' },
  { key: 'media', kind: 'page', icon: Tv, href: '/categories/media' },
  { key: 'water', kind: 'page', icon: Waves, href: '/categories/water' },
  { key: 'publish', kind: 'page', icon: Cast, href: '/publish', for: 'managers' },
  { key: 'mqtt', kind: 'page', icon: RadioTower, href: '/connections/mqtt', for: 'managers' },
  { key: 'assistants', kind: 'page', icon: Bot, href: '/connections/assistants' },
  { key: 'apps', kind: 'page', icon: AppWindow, href: '/connections/apps' },
  { key: 'webhooks', kind: 'page', icon: Webhook, href: '/connections/webhooks', for: 'managesHome' },
  { key: 'phones', kind: 'page', icon: MapPin, href: '/connections/phones' },
  { key: 'tokens', kind: 'page', icon: KeyRound, href: '/connections/tokens', for: 'managesHome' },
  { key: 'shares', kind: 'page', icon: Share2, href: '/people/shares', for: 'managers' },
  { key: 'devices', kind: 'page', icon: HardDrive, href: '/system/devices', for: 'managers' },
  { key: 'log', kind: 'page', icon: ScrollText, href: '/system/logs', for: 'ownsRelay' },
  { key: 'backups', kind: 'page', icon: Archive, href: '/system/backups', for: 'ownsRelay' },
  { key: 'news', kind: 'page', icon: Sparkles, href: '/system/news', for: 'managers' },
  { key: 'events', kind: 'page', icon: CodeXml, href: '/developer/events', for: 'developers' },
  { key: 'expressions', kind: 'page', icon: CodeXml, href: '/developer/expressions', for: 'developers' },
  { key: 'manual', kind: 'page', icon: BookOpen, href: '/docs', isDocument: true },
  { key: 'apiReference', kind: 'page', icon: CodeXml, href: '/docs/api', isDocument: true },
  { key: 'graphiql', kind: 'page', icon: CodeXml, href: '/graphiql', isDocument: true, for: 'developers' },

  { key: 'appearance', kind: 'setting', icon: Palette, href: '/settings#appearance' },
  { key: 'profile', kind: 'setting', icon: UserRound, href: '/settings#profile' },
  { key: 'password', kind: 'setting', icon: ShieldCheck, href: '/settings#password' },
  { key: 'passkeys', kind: 'setting', icon: ShieldCheck, href: '/settings#passkeys' },
  { key: 'twoStep', kind: 'setting', icon: ShieldCheck, href: '/settings#two-step' },
  { key: 'sessions', kind: 'setting', icon: ShieldCheck, href: '/settings#sessions' },
  { key: 'install', kind: 'setting', icon: AppWindow, href: '/settings#app' },
  { key: 'tablet', kind: 'setting', icon: Tablet, href: '/settings#tablet' },
  { key: 'developerMode', kind: 'setting', icon: CodeXml, href: '/settings#developer' },
  { key: 'about', kind: 'setting', icon: Info, href: '/settings#about' },
  { key: 'homeName', kind: 'setting', icon: Settings, href: '/settings/home#name', for: 'managers' },
  { key: 'place', kind: 'setting', icon: MapPin, href: '/settings/home#place', for: 'managers' },
  { key: 'adaptiveLighting', kind: 'setting', icon: Lightbulb, href: '/settings/home#lighting', for: 'managers' },
  { key: 'pauseHome', kind: 'setting', icon: Settings, href: '/settings/home#pause', for: 'managers' },
  { key: 'newHome', kind: 'setting', icon: Settings, href: '/settings/home#homes', for: 'managers' },
];
