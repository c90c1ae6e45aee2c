/** What a “+” offers: each choice with its icon and one line about it. */

import type { LucideIcon } from 'lucide-react';
import { Link } from 'wouter';
import classes from './choice-dialog.module.css';
import { Dialog } from './dialog.tsx';

export interface DialogChoice {
  readonly name: string;
  readonly text: string;
  readonly icon: LucideIcon;
  /** Where it leads, or what it does on this page. */
  readonly act: string | (() => void);
}

interface ChoiceDialogProps {
  readonly title: string;
  readonly choices: readonly DialogChoice[];
  readonly onClose: () => void;
}

export function ChoiceDialog({ title, choices, onClose }: ChoiceDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <ul className={classes.choices}>
        {choices.map((choice) => (
          <li key={choice.name}>
            <ChoiceRow {...choice} onClose={onClose} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function ChoiceRow({ name, text, icon: Icon, act, onClose }: DialogChoice & Pick<ChoiceDialogProps, 'onClose'>) {
  const className = classes.choice ?? '';
  const content = (
    <>
      <Icon aria-hidden />
      <span className={classes.words}>
        <strong>{name}</strong>
        <span>{text}</span>
      </span>
    </>
  );
  if (typeof act === 'string')
    return (
      <Link href={act} className={className}>
        {content}
      </Link>
    );
  const choose = (): void => {
    onClose();
    act();
  };
  return (
    <button type="button" className={className} onClick={choose}>
      {content}
    </button>
  );
}
