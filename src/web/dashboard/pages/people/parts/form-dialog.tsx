/** A dialog that asks for something and says what was wrong with it; it closes by itself once that is done. */
import { Button, Group, Modal, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { refresh, type Subject } from '../../../api/query.ts';
import { commonTexts } from '../../../texts/common/common.ts';
import { useTexts } from '../../../texts/texts.ts';
import { ErrorNotice } from '../../../ui/page.tsx';
import classes from './form-dialog.module.css';

interface FormDialogProps {
  readonly title: string;
  /** What the button does: "Invite", never "OK". */
  readonly action: string;
  readonly children: ReactNode;
  /** What is different afterwards. */
  readonly subjects: readonly Subject[];
  /** Throws what was refused. The dialog stays open where it gives `'stay'`. */
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

/** A dialog that is there as long as its component is. */
export function Dialog({ title, children, onClose, size = 'md' }: DialogProps) {
  const t = useTexts(commonTexts);
  return (
    <Modal.Root opened onClose={onClose} size={size} centered>
      <Modal.Overlay />
      <Modal.Content>
        {/* Mantine's own header would be a second banner of the page to screen readers. */}
        <div className={classes.header}>
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={t.close} size={44} iconSize={20} />
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** What somebody wrote into a field, without blanks around it. */
export function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
