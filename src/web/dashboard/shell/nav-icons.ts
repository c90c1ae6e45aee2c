/** The icons of the menu. */
import {
  Bell,
  Blocks,
  Cable,
  ChartLine,
  CodeXml,
  Ellipsis,
  Footprints,
  House,
  LayoutGrid,
  LogOut,
  Menu,
  Plus,
  Server,
  Settings,
  Sparkles,
  Users,
  Workflow,
  Zap,
} from 'lucide-react';

export const NAV_ICONS = {
  home: House,
  automations: Workflow,
  scenes: Sparkles,
  history: ChartLine,
  energy: Zap,
  activity: Footprints,
  rooms: LayoutGrid,
  people: Users,
  virtual: Blocks,
  notifications: Bell,
  connections: Cable,
  system: Server,
  developer: CodeXml,
  settings: Settings,
  more: Ellipsis,
  menu: Menu,
  add: Plus,
  signOut: LogOut,
} as const;

export type IconName = keyof typeof NAV_ICONS;
