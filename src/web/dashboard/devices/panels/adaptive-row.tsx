/** Whether a lamp follows the day: the switch of the relay's own property, with its state. */
import { graphql } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';
import { writer } from '../../home/write.ts';
import { ToggleRow } from '../controls/toggle-row.tsx';
import { flagOf, toggleOf, writeOf } from '../reading.ts';
import { type PanelProps, usePanelWords } from './panel.ts';

/** A pause has no event of its own beside the property. */
const ASK_EVERY_MS = 10_000;

const AdaptiveLampsQuery = graphql(`
  query AdaptiveLamps($homeId: String!) {
    adaptiveLighting(homeId: $homeId) {
      lamps {
        serviceId
        status
        pausedUntil
      }
    }
  }
`);

export function AdaptiveRow(props: PanelProps) {
  const { t } = usePanelWords();
  const follows = flagOf(props.service, 'adaptive_lighting');
  if (follows === undefined) return null;
  return follows ? <Row {...props} follows note={t.light.followsTheDay} /> : <IdleRow {...props} />;
}

function IdleRow(props: PanelProps) {
  const { t, format } = usePanelWords();
  const { id: homeId } = useHome();
  const { data } = useApiQuery(AdaptiveLampsQuery, { homeId }, { subjects: ['inventory'], everyMs: ASK_EVERY_MS });
  const lamp = data?.adaptiveLighting?.lamps?.find((one) => one?.serviceId === props.service.id);
  if (lamp?.status !== 'paused') return <Row {...props} follows={false} />;
  const note =
    lamp.pausedUntil === null
      ? t.light.pausedUntilOff
      : t.light.pausedUntil({ time: format.time(new Date(lamp.pausedUntil)) });
  return <Row {...props} follows={false} note={note} />;
}

function Row(props: PanelProps & { readonly follows: boolean; readonly note?: string }) {
  const { accessory, service, isDisabled, follows, note } = props;
  const { t } = usePanelWords();
  const toggle = toggleOf(accessory, service, 'adaptive_lighting');
  return (
    <ToggleRow
      label={t.light.adaptiveLighting}
      {...toggle}
      isOn={follows}
      // A lamp that pauses does not follow, even if it is set to.
      confirmed={toggle.isSent ? toggle.confirmed : follows}
      note={note}
      isDisabled={isDisabled}
      onChange={(isOn) => writer.set(...writeOf(accessory, service, 'adaptive_lighting', isOn))}
    />
  );
}
