/** A dialog with a form: it shows errors, and closes after success. */

import commonTexts from 'texts:common';
import { Button, Group, Modal, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { refresh, type Subject } from '../api/query.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './form-dialog.module.css';
import { ErrorNotice } from './page.tsx';

interface FormDialogProps {
  readonly title: string;
  /** The label of the button: "Invite", never "OK". */
  readonly action: string;
  readonly children: ReactNode;
  /** The subjects that the action changes. */
  readonly subjects: readonly Subject[];
  /** Throws the error. The dialog stays open if it returns `'stay'`. */
  readonly onSubmit: (form: FormData) => Promise<unknown>;
  readonly onClose: () => void;
  readonly isIncomplete?: boolean;
  readonly size?: 'md' | 'lg';
}

export function FormDialog(props: FormDialogProps) {
  const { title, action, children, subjects, onSubmit, onClose, isIncomplete = false, size = 'md' } = props;
  const t = useTexts(commonTexts);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setError(undefined);
    try {
      const outcome = await onSubmit(form);
      refresh(...subjects);
      if (outcome !== 'stay') onClose();
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose} size={size}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          {children}
          {error !== undefined && <ErrorNotice error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.cancel}
            </Button>
            <Button type="submit" loading={isBusy} disabled={isIncomplete}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  readonly size?: 'md' | 'lg' | 'xl';
}

/** A dialog that is open while its component is mounted. */
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

/** The trimmed input of a field. */
export function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
