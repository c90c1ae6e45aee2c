/** What one can add to the home; each choice leads to where it is made. */
import homeTexts from 'texts:home';
import { Blocks, DoorOpen, Group, type LucideIcon, Plug, Sparkles, Workflow } from 'lucide-react';
import { useTexts } from '../../../texts/texts.ts';
import { ChoiceDialog } from '../../../ui/choice-dialog.tsx';
import { NEW_PAGE } from '../../automations/list/addresses.ts';

interface ChoiceRow {
  readonly what: 'accessory' | 'room' | 'group' | 'scene' | 'automation' | 'virtual';
  readonly href: string;
  readonly icon: LucideIcon;
}

const CHOICES: readonly ChoiceRow[] = [
  { what: 'accessory', href: '/pair', icon: Plug },
  { what: 'room', href: '/rooms?new=room', icon: DoorOpen },
  { what: 'group', href: '/rooms?new=group', icon: Group },
  { what: 'scene', href: '/scenes/new', icon: Sparkles },
  { what: 'automation', href: NEW_PAGE, icon: Workflow },
  { what: 'virtual', href: '/virtual/new', icon: Blocks },
];

export function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(homeTexts).add;
  const choices = CHOICES.map(({ what, href, icon }) => ({ name: t[what], text: t[`${what}Text`], icon, act: href }));
  return <ChoiceDialog title={t.title} choices={choices} onClose={onClose} />;
}
