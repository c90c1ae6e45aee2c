/** One backup: its time, its origin, its content, and its actions. */
import backupTexts from 'texts:backups';
import commonTexts from 'texts:common';
import { Box, Button, Group } from '@mantine/core';
import { Download, Trash2 } from 'lucide-react';
import { useApiMutation } from '../../../api/query.ts';
import { useFormat } from '../../../texts/format.ts';
import { textOf, useTexts } from '../../../texts/texts.ts';
import { confirm } from '../../../ui/confirm.ts';
import { errorText } from '../../../ui/error-text.ts';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import classes from './backups-page.module.css';
import { type BackupRow, DeleteBackup } from './documents.ts';

interface Props {
  readonly backup: BackupRow;
  readonly onRestore: () => void;
  readonly onDownload: () => void;
}

const ICON_PX = 20;

export function BackupItem({ backup, onRestore, onDownload }: Props) {
  const t = useTexts(backupTexts);
  const format = useFormat();
  const when = format.dateTime(backup.madeAt);
  const remove = useApiMutation(DeleteBackup, { subjects: ['backups'] });
  const onDelete = async (): Promise<void> => {
    const question = {
      title: t.deleteQuestion,
      body: t.deleteBody({ when }),
      action: t.deleteAction,
      isDangerous: true,
    };
    if (!(await confirm(question))) return;
    try {
      await remove.mutateAsync({ name: backup.name });
      showToast({ text: t.deleted });
    } catch (error) {
      showToast({ tone: 'bad', text: errorText(error) });
    }
  };
  return (
    <li className={classes.item} data-kind={backup.kind}>
      <Box miw={0} flex="1 1 260px">
        <Box component="h3" fz="md" fw={650} m={0}>
          {when}
        </Box>
        <p className={classes.contents}>
          <TimeAgo at={backup.madeAt} /> · {textOf(t.kinds, backup.kind) ?? backup.kind} · {format.bytes(backup.bytes)}
        </p>
        <Contents backup={backup} />
        <Marks backup={backup} />
      </Box>
      <Group gap={4} wrap="nowrap" miw={0}>
        <Button
          variant="default"
          onClick={onRestore}
          disabled={backup.isSound === false}
          aria-label={t.restoreOf({ when })}
        >
          {t.restore}
        </Button>
        <button type="button" className={classes.icon} onClick={onDownload} aria-label={t.downloadOf({ when })}>
          <Download size={ICON_PX} aria-hidden />
        </button>
        <button
          type="button"
          className={classes.icon}
          onClick={() => void onDelete()}
          aria-label={t.deleteOf({ when })}
        >
          <Trash2 size={ICON_PX} aria-hidden />
        </button>
      </Group>
    </li>
  );
}

function Contents({ backup: { contents } }: { readonly backup: BackupRow }) {
  const t = useTexts(backupTexts);
  const { accessories } = useTexts(commonTexts);
  if (!contents) return null;
  const parts = [
    t.rooms({ count: contents.rooms }),
    accessories({ count: contents.accessories }),
    t.scenes({ count: contents.scenes }),
    t.automations({ count: contents.automations }),
  ];
  return <p className={classes.contents}>{parts.join(' · ')}</p>;
}

function Marks({ backup }: { readonly backup: BackupRow }) {
  const t = useTexts(backupTexts);
  const { fault, isEncrypted, isOfThisRelay } = backup;
  if (!fault && !isEncrypted && isOfThisRelay !== false) return null;
  return (
    <Group component="p" gap={8} align="stretch" m="8px 0 0">
      {fault && <span className={classes.fault}>{textOf(t.faults, fault) ?? fault}</span>}
      {isEncrypted && <span className={classes.mark}>{t.encrypted}</span>}
      {isOfThisRelay === false && <span className={classes.mark}>{t.otherRelay}</span>}
    </Group>
  );
}
