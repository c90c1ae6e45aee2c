/** Dialogs that are open while their component is mounted. */

import commonTexts from 'texts:common';
import { Modal } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useTexts } from '../texts/texts.ts';
import classes from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  readonly size?: 'md' | 'lg' | 'xl';
}

export function Dialog({ title, children, onClose, size = 'md' }: DialogProps) {
  const t = useTexts(commonTexts);
  return (
    <Modal.Root opened onClose={onClose} size={size} centered>
      <Modal.Overlay />
      <Modal.Content>
        {/* To screen readers, Mantine's own header would be a second banner of the page. */}
        <div className={classes.header}>
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={t.close} size={44} iconSize={20} />
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

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

/** What a “+” offers: each choice with its icon and one line about it. */
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
