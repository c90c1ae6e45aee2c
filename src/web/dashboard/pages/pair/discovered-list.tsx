/**
 * Accessories on the network: first those that can be added, then those paired with another controller, then those in
 * this home.
 */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { present } from '../../api/graphql.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { useTexts } from '../../texts/texts.ts';
import { errorText } from '../../ui/error-text.ts';
import { Answer } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { categoryIcon } from './category-icons.ts';
import { type Discovered, DiscoveredQuery, type DiscoveredState, groupDiscovered } from './discovered.ts';
import { ManualAddress } from './manual-address.tsx';
import classes from './pair.module.css';
import { IdentifyDiscovered, RefreshDiscovery } from './pair-documents.ts';
import { pairTexts } from './texts/texts.ts';

/** Events also report new accessories, if the page subscribes to them. */
const ASK_EVERY_MS = 3_000;

interface DiscoveredListProps {
  /** @param device its id or `host:port` */
  onChoose(device: { readonly device: string; readonly name: string }): void;
}

export function DiscoveredList({ onChoose }: DiscoveredListProps) {
  const t = useTexts(pairTexts);
  const query = useApiQuery(DiscoveredQuery, {}, { subjects: ['discovery'], everyMs: ASK_EVERY_MS });
  const refresh = useApiMutation(RefreshDiscovery, { subjects: ['discovery'] });
  return (
    <Answer query={query}>
      {({ discoveredAccessories }) => {
        const groups = groupDiscovered(present(discoveredAccessories));
        const count = groups.new.length;
        return (
          <div className={classes.found}>
            <div className={classes.count}>
              <p className={classes.summary} role="status">
                {count > 0 ? t.found(count) : t.searching}
              </p>
              <Button
                className={classes.again ?? ''}
                variant="subtle"
                size="md"
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
          </div>
        );
      }}
    </Answer>
  );
}

function Teach() {
  const t = useTexts(pairTexts);
  return (
    <div className={classes.teach}>
      <h3>{t.none}</h3>
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
        {count !== undefined && <span className={classes.badge}>{count}</span>}
      </summary>
      {children}
    </details>
  );
}

interface DevicesProps extends DiscoveredListProps {
  readonly devices: readonly Discovered[];
  readonly state: DiscoveredState;
}

function Devices({ devices, state, onChoose }: DevicesProps) {
  const t = useTexts(pairTexts);
  return (
    <ul className={classes.list}>
      {devices.map(({ deviceId, name, model, category, addresses, port }) => (
        <li key={deviceId} className={classes.device}>
          <span className={classes.icon} data-dim={state !== 'new' || undefined} aria-hidden>
            <CategoryIcon category={category} />
          </span>
          <span className={classes.names}>
            <span className={classes.name}>{name}</span>
            <span className={classes.dim} title={`${deviceId} · ${addresses[0] ?? ''}:${port}`}>
              {model}
            </span>
          </span>
          {state === 'new' && (
            <span className={classes.buttons}>
              <IdentifyButton deviceId={deviceId} name={name} />
              <Button size="md" aria-label={t.addName(name)} onClick={() => onChoose({ device: deviceId, name })}>
                {t.add}
              </Button>
            </span>
          )}
        </li>
      ))}
    </ul>
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
        onSuccess: () => showToast({ text: t.blinked(name) }),
        onError: (error) => showToast({ text: errorText(error), tone: 'bad' }),
      },
    );
  return (
    <Button variant="default" size="md" loading={identify.isPending} aria-label={t.blinkName(name)} onClick={run}>
      {t.blink}
    </Button>
  );
}
