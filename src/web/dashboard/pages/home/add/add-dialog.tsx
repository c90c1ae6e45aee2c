/** What one can add to the home; each choice leads to where it is made. */
import homeTexts from 'texts:home';
import { Blocks, DoorOpen, Group, type LucideIcon, Plug, Sparkles, Workflow } from 'lucide-react';
import { Link } from 'wouter';
import { useTexts } from '../../../texts/texts.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { NEW_PAGE } from '../../automations/list/addresses.ts';
import classes from './add-dialog.module.css';

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
  return (
    <Dialog title={t.title} onClose={onClose}>
      <ul className={classes.choices}>
        {CHOICES.map(({ what, href, icon: Icon }) => (
          <li key={what}>
            <Link href={href} className={classes.choice ?? ''}>
              <Icon aria-hidden />
              <span className={classes.words}>
                <strong>{t[what]}</strong>
                <span>{t[`${what}Text`]}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
