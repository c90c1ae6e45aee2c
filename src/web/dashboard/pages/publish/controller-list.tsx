/** The phones, hubs and other controllers that are paired with a publication. */

import commonTexts from 'texts:common';
import publishTexts from 'texts:publish';
import { Button } from '@mantine/core';
import { Smartphone } from 'lucide-react';
import { act } from '../../api/client.ts';
import { useTexts } from '../../texts/texts.ts';
import { attempt } from '../../ui/attempt.ts';
import { confirm } from '../../ui/confirm.ts';
import { Badge, Entries, Entry, Hint } from '../../ui/entries.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { kindOf } from './publication.ts';
import classes from './publish.module.css';
import { type Controller, type Publication, RemoveController } from './publish-documents.ts';

export function ControllerList({ publication }: { readonly publication: Publication }) {
  const t = useTexts(publishTexts);
  const { controllers } = publication;
  return (
    <div className={classes.part}>
      <h3 className={classes.partTitle}>{t.controllers}</h3>
      {controllers.length === 0 ? (
        <Hint>{t.noControllers}</Hint>
      ) : (
        <Entries label={t.controllers}>
          {controllers.map((controller) => (
            <ControllerEntry
              key={`${controller.bridgeId} ${controller.identifier}`}
              controller={controller}
              publication={publication}
            />
          ))}
        </Entries>
      )}
    </div>
  );
}

interface ControllerEntryProps {
  readonly controller: Controller;
  readonly publication: Publication;
}

function ControllerEntry({ controller, publication }: ControllerEntryProps) {
  const t = useTexts(publishTexts);
  const common = useTexts(commonTexts);
  const { identifier, bridgeId, isAdmin, isConnected, lastSeenAt, address } = controller;
  const { id: publicationId, bridges, controllers } = publication;
  const kind = kindOf(publication);
  const name = controller.name ?? t.controller({ id: identifier.slice(0, 8) });
  const bridge = bridges.length > 1 ? bridges.find(({ id }) => id === bridgeId)?.name : undefined;
  const isLastAdmin = isAdmin && controllers.filter((one) => one.isAdmin && one.bridgeId === bridgeId).length === 1;
  const remove = async () => {
    const body = kind === 'homekit' && isLastAdmin ? t.removeLastAdmin : t.removeText;
    const question = { title: t.removeTitle({ name }), body, action: common.remove, isDangerous: true };
    if (!(await confirm(question))) return;
    await attempt(() => act(RemoveController, { publicationId, identifier }), 'publications');
  };
  return (
    <Entry
      icon={<Smartphone />}
      {...(isConnected && { tone: 'good' })}
      name={name}
      badges={
        <>
          {isConnected && <Badge tone="good">{t.connected}</Badge>}
          {isAdmin && kind === 'homekit' && <Badge>{t.admin}</Badge>}
        </>
      }
      actions={
        <Button variant="default" onClick={() => void remove()} aria-label={t.removeOf({ name })}>
          {common.remove}
        </Button>
      }
    >
      {bridge !== undefined && (
        <>
          <bdi>{bridge}</bdi>
          {' · '}
        </>
      )}
      {isConnected ? address : lastSeenAt === null ? t.neverSeen : t.lastSeen}{' '}
      {!isConnected && lastSeenAt !== null && <TimeAgo at={lastSeenAt} />}
    </Entry>
  );
}
