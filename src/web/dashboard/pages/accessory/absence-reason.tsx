/** Why an accessory does not answer, as System knows it. Loaded on demand: most accessories answer. */
import systemTexts from 'texts:system';
import { graphql, present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useTexts } from '../../texts/texts.ts';
import { reasonText } from '../system/devices/device-words.ts';

const ReasonQuery = graphql(`
  query AbsenceReason {
    pairings {
      deviceId
      status
      statusDetail
      lastErrorReason
    }
  }
`);

interface Props {
  readonly deviceId: string;
  /** Shown while no reason is known. */
  readonly otherwise: string;
}

export function AbsenceReason({ deviceId, otherwise }: Props) {
  const t = useTexts(systemTexts).devices;
  const { data } = useApiQuery(ReasonQuery, {}, { subjects: ['pairings'] });
  const device = data && present(data.pairings).find((each) => each.deviceId === deviceId);
  return (device && reasonText(device, t)) ?? otherwise;
}
