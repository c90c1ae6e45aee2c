/**
 * Accessories on the network: first those that can be added, then those paired with another controller, then those in
 * this home.
 */
import pairTexts from 'texts:pair';
import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useLayoutEffect } from 'react';
import { present } from '../../api/graphql.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { useTexts } from '../../texts/texts.ts';
import { errorText } from '../../ui/error-text.ts';
import { Answer } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { categoryIcon } from './category-icons.ts';
import { type Discovered, DiscoveredQuery, type DiscoveredState, groupDiscovered, stateOf } from './discovered.ts';
import { ManualAddress } from './manual-address.tsx';
import classes from './pair.module.css';
import { IdentifyDiscovered, RefreshDiscovery } from './pair-documents.ts';

/** Events also report new accessories, if the page subscribes to them. */
const ASK_EVERY_MS = 3_000;

interface ChooserProps {
  /** @param device its id or `host:port` */
  onChoose(device: { readonly device: string; readonly name: string }): void;
}

interface DiscoveredListProps extends ChooserProps {
  /** Chosen as soon as it is discovered, if it can be added. */
  readonly offeredId: string | undefined;
}

export function DiscoveredList({ offeredId, onChoose }: DiscoveredListProps) {
  const t = useTexts(pairTexts);
  const query = useApiQuery(DiscoveredQuery, {}, { subjects: ['discovery'], everyMs: ASK_EVERY_MS });
  const found = present(query.data?.discoveredAccessories);
  const offered = found.find((device) => device.deviceId === offeredId && stateOf(device) === 'new');
  // Before the list is painted.
  useLayoutEffect(() => {
    if (offered) onChoose({ device: offered.deviceId, name: offered.name });
  }, [offered]);
  const refresh = useApiMutation(RefreshDiscovery, { subjects: ['discovery'] });
  return (
    <Answer query={query}>
      {({ discoveredAccessories }) => {
        const groups = groupDiscovered(present(discoveredAccessories));
        const count = groups.new.length;
        return (
          <Stack gap={12}>
            <div className={classes.count}>
              <Text fz="lg" fw={650} role="status">
                {count > 0 ? t.found({ count }) : t.searching}
              </Text>
              <Button
                className={classes.again ?? ''}
                variant="subtle"
                loading={refresh.isPending}
                onClick={() => refresh.mutate({})}
              >
                {t.searchAgain}
              </Button>
            </div>
            {count > 0 ? <Devices devices={groups.new} state="new" onChoose={onChoose} /> : <Teach />}
            <div>
              {groups.elsewhere.length > 0 && (
                <More title={t.elsewhere} count={groups.elsewhere.length}>
                  <p>{t.elsewhereText}</p>
                  <Devices devices={groups.elsewhere} state="elsewhere" onChoose={onChoose} />
                </More>
              )}
              {groups.here.length > 0 && (
                <More title={t.here} count={groups.here.length}>
                  <Devices devices={groups.here} state="here" onChoose={onChoose} />
                </More>
              )}
              <More title={t.manual}>
                <p>{t.manualText}</p>
                <ManualAddress onChoose={(device) => onChoose({ device, name: device })} />
              </More>
            </div>
          </Stack>
        );
      }}
    </Answer>
  );
}

function Teach() {
  const t = useTexts(pairTexts);
  return (
    <div className={classes.teach}>
      <h2>{t.none}</h2>
      <p>{t.noneText}</p>
    </div>
  );
}

interface MoreProps {
  readonly title: string;
  readonly count?: number;
  readonly children: ReactNode;
}

function More({ title, count, children }: MoreProps) {
  return (
    <details className={classes.more}>
      <summary>
        {title}
        {count !== undefined && (
          <Text span c="dimmed" fz="0.8125rem" fw={600} p="1px 8px" bg="var(--h-surface-2)" bdrs={999}>
            {count}
          </Text>
        )}
      </summary>
      {children}
    </details>
  );
}

interface DevicesProps extends ChooserProps {
  readonly devices: readonly Discovered[];
  readonly state: DiscoveredState;
}

function Devices({ devices, state, onChoose }: DevicesProps) {
  const t = useTexts(pairTexts);
  return (
    <Stack component="ul" gap={8} className="h-bare">
      {devices.map(({ deviceId, name, model, category, addresses, port }) => (
        <Group key={deviceId} component="li" gap="8px 14px" p="10px 12px 10px 14px" mih={64} className="h-panel">
          <span className={classes.icon} data-dim={state !== 'new' || undefined} aria-hidden>
            <CategoryIcon category={category} />
          </span>
          <Stack component="span" gap={0} miw="9rem" flex={1}>
            <Text span fw={600} className="h-anywhere">
              {name}
            </Text>
            <Text span c="dimmed" fz="sm" className="h-anywhere" title={`${deviceId} · ${addresses[0] ?? ''}:${port}`}>
              {model}
            </Text>
          </Stack>
          {state === 'new' && (
            <Group component="span" gap={8} align="stretch" ml="auto" className={classes.acts ?? ''}>
              <IdentifyButton deviceId={deviceId} name={name} />
              <Button aria-label={t.addName({ name })} onClick={() => onChoose({ device: deviceId, name })}>
                {t.add}
              </Button>
            </Group>
          )}
        </Group>
      ))}
    </Stack>
  );
}

function CategoryIcon({ category }: Pick<Discovered, 'category'>) {
  const Icon = categoryIcon(category);
  return <Icon size={20} />;
}

function IdentifyButton({ deviceId, name }: { readonly deviceId: string; readonly name: string }) {
  const t = useTexts(pairTexts);
  const identify = useApiMutation(IdentifyDiscovered, { subjects: [] });
  const run = () =>
    identify.mutate(
      { deviceId },
      {
        onSuccess: () => showToast({ text: t.blinked({ name }) }),
        onError: (error) => showToast({ text: errorText(error), tone: 'bad' }),
      },
    );
  return (
    <Button variant="default" loading={identify.isPending} aria-label={t.blinkName({ name })} onClick={run}>
      {t.blink}
    </Button>
  );
}
