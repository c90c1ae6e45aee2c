/** By which ways notifications arrive: in general, and exceptions for single homes and automations. */

import notificationTexts from 'texts:notifications';
import { Button, Checkbox, Select, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useAccount } from '../../account/account.ts';
import { useApiMutation } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { ErrorNotice, Section } from '../../ui/page.tsx';
import { DeletePreference, SetPreference } from './documents.ts';
import classes from './notifications.module.css';
import { exceptionsIn, globalWays, type Preference, WAYS, type Ways } from './preferences.ts';

const SUBJECTS = ['notifications'] as const;

interface PreferenceListProps {
  readonly preferences: readonly Preference[];
  readonly channels: readonly { readonly name: string; readonly configured: boolean }[];
  readonly flows: readonly { readonly id: string; readonly name: string }[];
}

interface MainPreferenceProps extends Omit<PreferenceListProps, 'flows'> {
  /** The button that tries these ways. */
  readonly action: ReactNode;
}

/** By which ways the user is notified at all. */
export function MainPreference({ preferences, channels, action }: MainPreferenceProps) {
  const t = useTexts(notificationTexts);
  const { set, change } = useChange();
  const ways = globalWays(preferences);
  return (
    <Section title={t.ways} lead={t.waysLead}>
      {set.error && <ErrorNotice error={set.error} />}
      {WAYS.map(({ field, channel }) => (
        <Switch
          key={field}
          label={t.channels[channel]}
          description={isSetUp(channels, channel) ? undefined : <NotSetUp channel={channel} />}
          checked={ways[field]}
          onChange={({ currentTarget }) =>
            change({ scope: 'global', scopeId: null }, { ...ways, [field]: currentTarget.checked })
          }
        />
      ))}
      <div>{action}</div>
    </Section>
  );
}

/** Other ways for single homes and automations. */
export function PreferenceList({ preferences, channels, flows }: PreferenceListProps) {
  const t = useTexts(notificationTexts);
  const nameOf = useScopeName(flows);
  const { set, change } = useChange();
  const remove = useApiMutation(DeletePreference, { subjects: SUBJECTS });
  const exceptions = exceptionsIn(preferences);
  const error = set.error ?? remove.error;
  return (
    <Section title={t.prefs} lead={t.prefsLead}>
      {error && <ErrorNotice error={error} />}
      {exceptions.map((exception) => (
        <WaysRow
          key={`${exception.scope} ${exception.scopeId}`}
          name={nameOf(exception)}
          ways={exception}
          channels={channels}
          onChange={(ways) => change(exception, ways)}
          onReset={() => remove.mutate({ scope: exception.scope, scopeId: exception.scopeId })}
        />
      ))}
      <AddException
        taken={exceptions}
        flows={flows}
        onAdd={(scope, scopeId) => change({ scope, scopeId }, globalWays(preferences))}
      />
    </Section>
  );
}

function useChange() {
  const set = useApiMutation(SetPreference, { subjects: SUBJECTS });
  const change = ({ scope, scopeId }: Omit<Preference, keyof Ways>, ways: Ways) => {
    const { localEnabled, pushEnabled, emailEnabled } = ways;
    set.mutate({ scope, scopeId, localEnabled, pushEnabled, emailEnabled });
  };
  return { set, change };
}

function isSetUp(channels: PreferenceListProps['channels'], channel: string): boolean {
  return channels.find((one) => one.name === channel)?.configured ?? channel === 'local';
}

function NotSetUp({ channel }: { readonly channel: string }) {
  const t = useTexts(notificationTexts);
  return (
    <Link href={channel === 'push' ? '/settings#notifications' : '/settings/relay#notifications'}>{t.notSetUp}</Link>
  );
}

interface WaysRowProps {
  readonly name: string;
  readonly ways: Ways;
  readonly channels: PreferenceListProps['channels'];
  readonly onChange: (ways: Ways) => void;
  readonly onReset: () => void;
}

function WaysRow({ name, ways, channels, onChange, onReset }: WaysRowProps) {
  const t = useTexts(notificationTexts);
  return (
    <fieldset className={classes.ways}>
      <legend>{name}</legend>
      {WAYS.map(({ field, channel }) => {
        const { localEnabled, pushEnabled, emailEnabled } = ways;
        return (
          <Checkbox
            key={field}
            label={t.channels[channel]}
            description={isSetUp(channels, channel) ? undefined : <NotSetUp channel={channel} />}
            checked={ways[field]}
            onChange={({ currentTarget }) =>
              onChange({ localEnabled, pushEnabled, emailEnabled, [field]: currentTarget.checked })
            }
          />
        );
      })}
      <Button variant="default" aria-label={t.reset({ scope: name })} onClick={onReset}>
        {t.asAbove}
      </Button>
    </fieldset>
  );
}

interface AddExceptionProps {
  readonly taken: readonly Preference[];
  readonly flows: PreferenceListProps['flows'];
  readonly onAdd: (scope: string, scopeId: string) => void;
}

function AddException({ taken, flows, onAdd }: AddExceptionProps) {
  const t = useTexts(notificationTexts);
  const inventory = useHome();
  const isFree = ({ value }: { readonly value: string }) =>
    !taken.some(({ scope, scopeId }) => `${scope}:${scopeId}` === value);
  const choices = [
    { value: `home:${inventory.id}`, label: t.homeScope({ name: inventory.name }) },
    ...flows.map(({ id, name }) => ({ value: `automation:${id}`, label: t.automationScope({ name }) })),
  ].filter(isFree);
  if (choices.length === 0) return null;
  return (
    <Select
      label={t.addRule}
      placeholder={t.chooseRule}
      data={choices}
      value={null}
      searchable
      maw={420}
      onChange={(value) => {
        const [scope, scopeId] = value?.split(':') ?? [];
        if (scope && scopeId) onAdd(scope, scopeId);
      }}
    />
  );
}

function useScopeName(flows: PreferenceListProps['flows']): (preference: Preference) => string {
  const t = useTexts(notificationTexts);
  const { homes } = useAccount();
  return ({ scope, scopeId }) => {
    const home = homes.find(({ id }) => id === scopeId);
    if (scope === 'home' && home) return t.homeScope({ name: home.name });
    const flow = flows.find(({ id }) => id === scopeId);
    return flow ? t.automationScope({ name: flow.name }) : t.gone;
  };
}
