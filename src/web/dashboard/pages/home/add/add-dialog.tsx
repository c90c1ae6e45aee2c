/** What one can add to the home; each choice leads to where it is made. */
import homeTexts from 'texts:home';
import { Blocks, DoorOpen, Group, type LucideIcon, Plug, Sparkles, Workflow } from 'lucide-react';
import { Link } from 'wouter';
import { useHome } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { NEW_FLOW_PAGE, NEW_SIMPLE_PAGE } from '../../automations/list/addresses.ts';
import classes from './add-dialog.module.css';

interface ChoiceRow {
  readonly what: 'accessory' | 'room' | 'group' | 'scene' | 'automation' | 'virtual';
  readonly href: string;
  readonly icon: LucideIcon;
}

export function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(homeTexts).add;
  const { privileges } = useHome();
  const choices: readonly ChoiceRow[] = [
    { what: 'accessory', href: '/pair', icon: Plug },
    { what: 'room', href: '/rooms?new=room', icon: DoorOpen },
    { what: 'group', href: '/rooms?new=group', icon: Group },
    { what: 'scene', href: '/scenes/new', icon: Sparkles },
    // In a home whose simple automations are locked, only advanced ones can be added.
    { what: 'automation', href: privileges === 'view' ? NEW_FLOW_PAGE : NEW_SIMPLE_PAGE, icon: Workflow },
    { what: 'virtual', href: '/virtual/new', icon: Blocks },
  ];
  return (
    <Dialog title={t.title} onClose={onClose}>
      <ul className={classes.choices}>
        {choices.map(({ what, href, icon: Icon }) => (
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
