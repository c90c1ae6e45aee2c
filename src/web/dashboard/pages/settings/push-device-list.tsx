/** The devices on which the user receives notifications, each with a test and a button to remove it. */
import settingsTexts from 'texts:settings';
import { Button, Group, Stack, Text } from '@mantine/core';
import { BellRing } from 'lucide-react';
import { useAccount } from '../../account/account.ts';
import { present, type ResultOf } from '../../api/graphql.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { isPushOn, turnPushOff } from '../../pwa/push.ts';
import { useTexts } from '../../texts/texts.ts';
import { errorText } from '../../ui/error-text.ts';
import { Answer } from '../../ui/page.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { PushDevicesQuery, RemovePushDevice, TestPushDevice } from './push-documents.ts';
import classes from './settings.module.css';

type ListedPushDevice = NonNullable<NonNullable<ResultOf<typeof PushDevicesQuery>['pushDevices']>[number]>;

interface PushDeviceListProps {
  /** This browser gets no more notifications. */
  readonly onTurnedOff: () => void;
}

export function PushDeviceList({ onTurnedOff }: PushDeviceListProps) {
  const t = useTexts(settingsTexts);
  const { me } = useAccount();
  const query = useApiQuery(PushDevicesQuery, {}, { subjects: ['notifications'] });
  const remove = useApiMutation(RemovePushDevice, { subjects: ['notifications'] });
  const test = useApiMutation(TestPushDevice, { subjects: ['notifications'] });
  const onError = (error: unknown) => showToast({ text: errorText(error), tone: 'bad' });
  const sendTest = ({ id, name }: ListedPushDevice) =>
    test.mutate(
      { id, message: t.notifyTestMessage },
      {
        onError,
        onSuccess: ({ testPushDevice: result }) =>
          showToast(result?.failure ? { text: result.failure, tone: 'bad' } : { text: t.notifyTested({ name }) }),
      },
    );
  const end = ({ id, name, isCurrent }: ListedPushDevice) =>
    remove.mutate(
      { id },
      {
        onError,
        onSuccess: () => {
          showToast({ text: t.notifyRemoved({ name }) });
          if (isCurrent && isPushOn(me.id)) void turnPushOff().finally(onTurnedOff);
        },
      },
    );
  return (
    <Answer query={query}>
      {({ pushDevices }) => {
        const devices = present(pushDevices);
        if (devices.length === 0) return null;
        return (
          <Stack component="ul" gap={0} className="h-bare" aria-label={t.notifyDevices}>
            {devices.map((device) => (
              <DeviceRow
                key={device.id}
                device={device}
                isTesting={test.isPending}
                onTest={() => sendTest(device)}
                onRemove={() => end(device)}
              />
            ))}
          </Stack>
        );
      }}
    </Answer>
  );
}

interface DeviceRowProps {
  readonly device: ListedPushDevice;
  readonly isTesting: boolean;
  readonly onTest: () => void;
  readonly onRemove: () => void;
}

function DeviceRow({ device: { name, lastSentAt, failure, isCurrent }, isTesting, onTest, onRemove }: DeviceRowProps) {
  const t = useTexts(settingsTexts);
  return (
    <li className={classes.session}>
      <BellRing aria-hidden size={22} className={classes.icon} />
      <Stack component="span" gap={0} miw="9rem" flex={1}>
        <Group component="span" gap="4px 8px" fw={600} className="h-anywhere">
          {name}
          {isCurrent && (
            <Text span fz="0.8125rem" p="1px 8px" bdrs={999} className="h-good">
              {t.here}
            </Text>
          )}
        </Group>
        <span className={classes.dim} lang={failure ? 'en' : undefined}>
          {failure ?? (
            <>
              {lastSentAt ? t.notifyLastSent : t.notifyNeverSent}
              {lastSentAt && (
                <>
                  {' '}
                  <TimeAgo at={lastSentAt} />
                </>
              )}
            </>
          )}
        </span>
      </Stack>
      <Button variant="default" disabled={isTesting} aria-label={t.notifyTestOf({ name })} onClick={onTest}>
        {t.notifyTest}
      </Button>
      <Button variant="default" aria-label={t.notifyRemoveOf({ name })} onClick={onRemove}>
        {t.notifyRemove}
      </Button>
    </li>
  );
}
