/** Where the energy of the period went: bands from the whole to the rooms, and the same as a list. */
import energyTexts from 'texts:energy';
import { present } from '../../api/graphql.ts';
import { useHome } from '../../home/use-home.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { Section } from '../../ui/page.tsx';
import { colorClass } from '../history/series-colors.ts';
import { useRoomName } from '../rooms/room-name.ts';
import classes from './energy.module.css';
import type { EnergyReport } from './energy-documents.ts';
import { useEnergyFormat } from './energy-format.ts';
import { type RoomFlow, roomFlows, targetHeight } from './room-flows.ts';

/** Few rooms need less of the page. */
const BAND_PX = 36;

export function FlowSection({ report }: { readonly report: EnergyReport }) {
  const t = useTexts(energyTexts);
  const format = useEnergyFormat();
  const { percent } = useFormat();
  const { rooms, accessories } = useHome();
  const roomName = useRoomName();
  const flows = roomFlows(
    present(report.devices),
    (accessoryId) => accessories.find(({ id }) => id === accessoryId)?.roomId ?? undefined,
  );
  if (flows.length === 0) return null;
  const nameOf = ({ roomId }: RoomFlow): string => {
    const room = rooms.find(({ id }) => id === roomId);
    return room ? roomName(room) : t.otherRooms;
  };
  return (
    <Section title={t.rooms}>
      <div className={classes.ends}>
        <span>{t.total({ total: format.kwh(report.kwh) })}</span>
        <span>{t.flowEnd}</span>
      </div>
      <svg
        className={classes.flow}
        style={{ height: flows.length * BAND_PX }}
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        role="img"
        aria-label={t.flowOf({ total: format.kwh(report.kwh) })}
      >
        {flows.map((flow, index) => (
          <path key={flow.roomId} className={colorClass(index)} d={bandPath(flow, flows.length)} />
        ))}
      </svg>
      <ul className={classes.list}>
        {flows.map((flow, index) => (
          <li key={flow.roomId} className={classes.row}>
            <span className={classes.name}>
              <span className={`${classes.swatch} ${colorClass(index)}`} aria-hidden /> {nameOf(flow)}
            </span>
            <span className={classes.value}>
              {format.kwh(flow.kwh)} · {percent(flow.share * 100)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** From the left edge to the right one, level at both. */
function bandPath(flow: RoomFlow, count: number): string {
  const { source, target, share } = flow;
  const [sourceEnd, targetEnd] = [source + share * 100, target + targetHeight(flow, count)];
  return `M0 ${source}C50 ${source} 50 ${target} 100 ${target}V${targetEnd}C50 ${targetEnd} 50 ${sourceEnd} 0 ${sourceEnd}Z`;
}
