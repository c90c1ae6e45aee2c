/** One publication: its status, its codes, what it publishes, and what is paired with it. */

import commonTexts from 'texts:common';
import publishTexts from 'texts:publish';
import { House, Waypoints } from 'lucide-react';
import { useState } from 'react';
import { act, ask } from '../../api/client.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { attempt } from '../../ui/attempt.ts';
import { confirm } from '../../ui/confirm.ts';
import { ActsMenu, Badge, Note, type Tone } from '../../ui/entries.tsx';
import { Answer } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { BridgeCodes } from './bridge-codes.tsx';
import { ControllerList } from './controller-list.tsx';
import { PreviewList } from './preview-list.tsx';
import { kindOf } from './publication.ts';
import classes from './publish.module.css';
import {
  CloseWindow,
  DeletePublication,
  OpenWindow,
  PausePublication,
  PreviewQuery,
  type Publication,
  ResetPublication,
  ResumePublication,
} from './publish-documents.ts';

interface PublicationCardProps {
  readonly publication: Publication;
  readonly onEdit: () => void;
}

const TONES: Readonly<Record<string, Tone>> = { open: 'good', starting: 'note', paused: 'note', error: 'bad' };
const ICONS = { homekit: House, matter: Waypoints } as const;

export function PublicationCard({ publication, onEdit }: PublicationCardProps) {
  const t = useTexts(publishTexts);
  const { name, status, error, paused, hasLockPin } = publication;
  const kind = kindOf(publication);
  const Icon = ICONS[kind];
  const statuses: Readonly<Record<string, string>> = t.status;
  return (
    <section className={classes.card} aria-label={name}>
      <header className={classes.header}>
        <span className={classes.icon} aria-hidden>
          <Icon />
        </span>
        <div className={classes.heading}>
          <h2 className={classes.title}>
            <bdi>{name}</bdi> <Badge tone={TONES[status] ?? 'neutral'}>{statuses[status] ?? status}</Badge>
          </h2>
          <p className={classes.kind}>{t.kinds[kind].title}</p>
          {hasLockPin && <p className={classes.kind}>{t.locksAskForPin}</p>}
        </div>
        <PublicationMenu publication={publication} onEdit={onEdit} />
      </header>
      {error !== null && (
        <Note>
          <span>
            {error} {t.errorHint}
          </span>
        </Note>
      )}
      <div className={classes.parts}>
        <div>{paused ? <Note>{t.pausedText}</Note> : <BridgeCodes publication={publication} />}</div>
        <div>
          <ControllerList publication={publication} />
          <Published publication={publication} />
        </div>
      </div>
    </section>
  );
}

/** What it publishes, asked for when it is opened. */
function Published({ publication: { id, kind, bridges } }: { readonly publication: Publication }) {
  const t = useTexts(publishTexts);
  const { id: homeId } = useHome();
  const [isOpen, setOpen] = useState(false);
  const query = useApiQuery(
    PreviewQuery,
    { homeId, kind, publicationId: id },
    { subjects: ['publications', 'inventory'], enabled: isOpen },
  );
  const count = bridges.reduce((sum, { accessories }) => sum + accessories, 0);
  return (
    <details className={classes.details} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t.published({ count })}</summary>
      {isOpen && (
        <Answer query={query}>
          {({ publicationPreview: preview }) => preview && <PreviewList preview={preview} />}
        </Answer>
      )}
    </details>
  );
}

function PublicationMenu({ publication, onEdit }: PublicationCardProps) {
  const t = useTexts(publishTexts);
  const common = useTexts(commonTexts);
  const { id: publicationId, name, paused, bridges, controllers } = publication;
  const kind = kindOf(publication);
  const toggle = () =>
    attempt(() => ask(paused ? ResumePublication : PausePublication, { publicationId }), 'publications');
  // A Matter bridge that an app has is closed to others; a HomeKit bridge takes no second home.
  const isWindowOpen = bridges.some(({ windowEndsAt }) => windowEndsAt !== null);
  const canOpenWindow = kind === 'matter' && !paused && controllers.length > 0 && !isWindowOpen;
  const openWindow = async () => {
    const done = await attempt(() => ask(OpenWindow, { publicationId }), 'publications');
    if (done) showToast({ text: t.windowOpened({ name }) });
  };
  const closeWindow = () => attempt(() => ask(CloseWindow, { publicationId }), 'publications');
  const reset = async () => {
    const question = { title: t.resetTitle({ name }), body: t.resetText[kind], action: t.reset, isDangerous: true };
    if (!(await confirm(question))) return;
    const done = await attempt(() => ask(ResetPublication, { publicationId }), 'publications');
    if (done) showToast({ text: t.resetDone({ name }) });
  };
  const remove = async () => {
    const question = { title: t.deleteTitle({ name }), body: t.deleteText[kind], action: t.delete, isDangerous: true };
    if (await confirm(question)) await attempt(() => act(DeletePublication, { publicationId }), 'publications');
  };
  return (
    <ActsMenu
      label={t.actsFor({ name })}
      acts={[
        { label: common.edit, run: onEdit },
        { label: paused ? t.resume : t.pause, run: () => void toggle() },
        ...(canOpenWindow ? [{ label: t.openWindow, run: () => void openWindow() }] : []),
        ...(isWindowOpen ? [{ label: t.closeWindow, run: () => void closeWindow() }] : []),
        { label: t.reset, isDangerous: true, run: () => void reset() },
        { label: t.delete, isDangerous: true, run: () => void remove() },
      ]}
    />
  );
}
