/** One shared entity: its link, and each of its shares with the permission and the current status. */
import commonTexts from 'texts:common';
import sharesTexts from 'texts:shares';
import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { KeyRound, Link2, QrCode, UserRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { act } from '../../api/client.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { attempt } from '../../ui/attempt.ts';
import { confirm } from '../../ui/confirm.ts';
import { ActsMenu, Badge, Entries, Entry, type Tone } from '../../ui/entries.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { DeleteShare, type Share } from './documents.ts';
import { isEntityType } from './entities.ts';
import { EntityIcon } from './entity-icon.tsx';
import { type Openness, opennessAt, parseSchedule } from './schedule.ts';
import { scheduleText } from './schedule-words.ts';
import { useZone } from './share-form.tsx';
import classes from './shared-section.module.css';

const TONES: Readonly<Record<Openness, Tone>> = { open: 'good', later: 'note', closed: 'note', over: 'neutral' };
const WAY_ICONS = { public: Link2, passcode: KeyRound, user: UserRound } as const;

/** Windows open and close on the minute. */
const LOOK_EVERY_MS = 15_000;

/** Which dialog of the page is open. */
export type Opened =
  | { readonly what: 'create'; readonly target: { readonly type: string; readonly id: string } | undefined }
  | { readonly what: 'edit'; readonly share: Share }
  | { readonly what: 'link'; readonly url: string; readonly name: string };

interface SharedSectionProps {
  /** The shares of one entity, at least one. */
  readonly shares: readonly Share[];
  readonly onOpen: (opened: Opened) => void;
}

export function SharedSection({ shares, onOpen }: SharedSectionProps) {
  const t = useTexts(sharesTexts);
  const [first] = shares;
  if (!first) return null;
  const { entityType: type, entityId: id, shareUrl: url } = first;
  const name = first.entityName ?? t.gone;
  return (
    <Stack component="section" gap={14} p={18} miw={0} className="h-card">
      <Group component="header" gap="10px 14px">
        <span className={classes.icon}>
          <EntityIcon type={type} id={id} />
        </span>
        <Box miw={0} flex="1 1 180px">
          <Box component="h2" fz="lg" fw={650} lh={1.3} m={0} className="h-anywhere">
            <bdi>{name}</bdi>
          </Box>
          <Text c="dimmed" fz="sm">
            {isEntityType(type) ? t.entities[type] : type} · {t.ways({ count: shares.length })}
          </Text>
        </Box>
        <Button
          variant="default"
          className={classes.link ?? ''}
          leftSection={<QrCode size={18} aria-hidden />}
          aria-label={t.showLinkOf({ name })}
          title={t.showLink}
          onClick={() => onOpen({ what: 'link', url, name })}
        >
          {t.showLink}
        </Button>
      </Group>
      <Entries label={t.waysOf({ name })}>
        {shares.map((share) => (
          <Way key={share.id} share={share} name={name} others={shares.length - 1} onOpen={onOpen} />
        ))}
      </Entries>
      <div>
        <Button
          variant="default"
          aria-label={t.addWayTo({ name })}
          onClick={() => onOpen({ what: 'create', target: { type, id } })}
        >
          {t.addWay}
        </Button>
      </div>
    </Stack>
  );
}

interface WayProps {
  readonly share: Share;
  readonly name: string;
  /** The number of other shares of the entity. */
  readonly others: number;
  readonly onOpen: (opened: Opened) => void;
}

function Way({ share, name, others, onOpen }: WayProps) {
  const t = useTexts(sharesTexts);
  const common = useTexts(commonTexts);
  const format = useFormat();
  const now = useNow();
  const schedule = parseSchedule(share.accessSchedule, useZone());
  const openness = opennessAt(schedule, now);
  const way = wayTitle(share, t);
  const title = share.name || way;
  const canControl = share.role === 'control';
  const rights = [
    t.roles[canControl ? 'control' : 'view'],
    ...(canControl && share.requirePost ? [t.requiresPost] : []),
  ];
  const end = async () => {
    const body = others === 0 ? t.endLast : t.endOther({ count: others });
    if (!(await confirm({ title: t.endTitle({ name }), body, action: t.end, isDangerous: true }))) return;
    if (await attempt(() => act(DeleteShare, { accessId: share.id }), 'shares')) showToast({ text: t.ended });
  };
  const Icon = isWay(share.accessType) ? WAY_ICONS[share.accessType] : Link2;
  return (
    <Entry
      icon={<Icon />}
      name={title}
      badges={<Badge tone={TONES[openness]}>{t.state[openness]}</Badge>}
      menu={
        <ActsMenu
          label={t.actsFor({ what: title, name })}
          acts={[
            { label: common.edit, run: () => onOpen({ what: 'edit', share }) },
            { label: t.end, isDangerous: true, run: () => void end() },
          ]}
        />
      }
    >
      {rights.join(' · ')} ·{' '}
      {title !== way && (
        <>
          <bdi>{way}</bdi> ·{' '}
        </>
      )}
      {scheduleText(schedule, t.schedule, format)}
    </Entry>
  );
}

function wayTitle(
  { accessType, userEmail }: Share,
  t: { readonly access: Readonly<Record<keyof typeof WAY_ICONS, string>>; forUser(values: { email: string }): string },
): string {
  if (accessType === 'user' && userEmail !== null) return t.forUser({ email: userEmail });
  return isWay(accessType) ? t.access[accessType] : accessType;
}

function isWay(accessType: string): accessType is keyof typeof WAY_ICONS {
  return accessType in WAY_ICONS;
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
