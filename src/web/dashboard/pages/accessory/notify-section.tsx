/** A switch for each event of the accessory that people are to be notified of. */
import accessoryTexts from 'texts:accessory';
import { Anchor, Box, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { act } from '../../api/client.ts';
import { graphql, present } from '../../api/graphql.ts';
import { refreshed, useApiQuery } from '../../api/query.ts';
import { FROM_APP } from '../../devices/came-from.ts';
import type { HomeAccessory } from '../../home/home-document.ts';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { attempt } from '../../ui/attempt.ts';
import { Answer, Section } from '../../ui/page.tsx';
import { pageOf } from '../automations/list/addresses.ts';
import classes from './accessory-page.module.css';
import {
  flowOfSwitch,
  isUpkeep,
  type NotifyChoice,
  notifyChoicesOf,
  notifyFlow,
  type StoredFlow,
} from './notify-choices.ts';

const FlowsQuery = graphql(`
  query NotifyFlows($homeId: String!) {
    flows(homeId: $homeId) {
      id
      enabled
      dataJson
    }
  }
`);

const SaveNotifyFlow = graphql(`
  mutation SaveNotifyFlow($homeId: String!, $data: JSON!) {
    saveAutomation(homeId: $homeId, data: $data) {
      id
    }
  }
`);

const SetNotifyFlow = graphql(`
  mutation SetNotifyFlow($id: String!, $enabled: Boolean!) {
    setFlowEnabled(flowId: $id, enabled: $enabled) {
      id
    }
  }
`);

interface NotifyProps {
  readonly accessory: HomeAccessory;
}

/** What the accessory is for: it opens, motion, water. At first sight, where there is something of it. */
export function MainNotifySection({ accessory }: NotifyProps) {
  const t = useTexts(accessoryTexts).notify;
  const choices = notifyChoicesOf(accessory).filter((choice) => !isUpkeep(choice));
  if (choices.length === 0) return null;
  return (
    <Section title={t.title}>
      <Switches accessory={accessory} choices={choices} />
    </Section>
  );
}

/** The rest, closed: its battery, and whether it is there. */
export function NotifySection({ accessory }: NotifyProps) {
  const t = useTexts(accessoryTexts).notify;
  const [isOpen, setOpen] = useState(false);
  const all = notifyChoicesOf(accessory);
  const choices = all.filter(isUpkeep);
  if (choices.length === 0) return null;
  return (
    <details className={classes.services} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{choices.length < all.length ? t.moreTitle : t.title}</summary>
      {isOpen && (
        <Box p="4px 18px 16px">
          <Switches accessory={accessory} choices={choices} />
        </Box>
      )}
    </details>
  );
}

function Switches({ accessory, choices }: NotifyProps & { readonly choices: readonly NotifyChoice[] }) {
  const t = useTexts(accessoryTexts).notify;
  const { id: homeId } = useHome();
  const query = useApiQuery(FlowsQuery, { homeId }, { subjects: ['automations'] });
  return (
    <Answer query={query}>
      {({ flows }) => (
        <Stack gap={12}>
          {choices.map((choice) => (
            <NotifySwitch
              key={choice.key}
              accessory={accessory}
              choice={choice}
              flow={flowOfSwitch(present(flows), accessory.id, choice.key)}
            />
          ))}
          <Text c="dimmed" fz="sm" m={0}>
            {t.hint}{' '}
            <Anchor component={Link} href="/notifications" underline="always">
              {t.delivery}
            </Anchor>
          </Text>
        </Stack>
      )}
    </Answer>
  );
}

interface NotifySwitchProps {
  readonly accessory: HomeAccessory;
  readonly choice: NotifyChoice;
  /** The automation that it stands for; none until it is first turned on. */
  readonly flow: StoredFlow | undefined;
}

function NotifySwitch({ accessory, choice, flow }: NotifySwitchProps) {
  const t = useTexts(accessoryTexts).notify;
  const { id: homeId } = useHome();
  const [wanted, setWanted] = useState<boolean>();
  const { id: accessoryId, name } = accessory;
  const set = async (enabled: boolean): Promise<void> => {
    setWanted(enabled);
    const save = async (): Promise<void> => {
      if (flow) {
        await act(SetNotifyFlow, { id: flow.id, enabled });
        return;
      }
      const data = notifyFlow(accessoryId, choice, t.names[choice.key]({ name }), t.messages[choice.key]({ name }));
      await act(SaveNotifyFlow, { homeId, data });
    };
    await attempt(save, 'automations');
    await refreshed('automations');
    setWanted(undefined);
  };
  return (
    <div>
      <Switch
        label={t.when[choice.key]}
        checked={wanted ?? flow?.enabled ?? false}
        disabled={wanted !== undefined}
        onChange={({ currentTarget }) => void set(currentTarget.checked)}
      />
      {flow?.enabled && (
        <Link href={pageOf('flows', flow.id)} state={FROM_APP}>
          {t.edit}
        </Link>
      )}
    </div>
  );
}
