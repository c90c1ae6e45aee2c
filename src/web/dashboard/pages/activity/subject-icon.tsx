/** What an entry is about, as a picture: the icon of the accessory, the face of the person. */
import { Bell, Box, Sparkles, Workflow } from 'lucide-react';
import { useDeviceIcon } from '../../devices/icons/device-icon.ts';
import { useAccessory } from '../../home/use-home.ts';
import { Avatar } from '../../ui/avatar.tsx';
import classes from './activity.module.css';
import type { ActivityItem } from './documents.ts';

const ICONS = { scene: Sparkles, automation: Workflow, notification: Bell } as const;

export function SubjectIcon({ subject: { type, id, name } }: Pick<ActivityItem, 'subject'>) {
  const accessory = useAccessory(id);
  const DeviceIcon = useDeviceIcon(accessory, Box);
  if (type === 'person') return <Avatar name={name} />;
  const Icon = ICONS[type as keyof typeof ICONS] ?? DeviceIcon;
  return (
    <span className={classes.icon} aria-hidden>
      <Icon size={20} strokeWidth={1.75} />
    </span>
  );
}
