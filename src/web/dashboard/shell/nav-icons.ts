/** The icons of the menu. */
import {
  Bell,
  Blocks,
  Cast,
  ChartLine,
  CodeXml,
  Ellipsis,
  Footprints,
  House,
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
  people: Users,
  virtual: Blocks,
  notifications: Bell,
  publish: Cast,
  system: Server,
  developer: CodeXml,
  settings: Settings,
  more: Ellipsis,
  menu: Menu,
  add: Plus,
} as const;

export type IconName = keyof typeof NAV_ICONS;
