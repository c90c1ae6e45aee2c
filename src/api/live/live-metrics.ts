import { by, counter, gauge, type MetricFamily, only } from '../../app/metrics/metric-family.ts';
import type { LiveClients } from './live-clients.ts';
import type { LiveRing } from './live-ring.ts';

/** Metrics of live clients. */
export function* liveMetrics({
  clients,
  live,
}: {
  readonly clients: LiveClients;
  readonly live: Pick<LiveRing, 'oldestSeq' | 'nextSeq' | 'missed'>;
}): Generator<MetricFamily> {
  yield gauge('hearthd_live_streams', 'Streams of live events that are open, by kind', by('kind', clients.counts()));
  yield gauge(
    'hearthd_live_kept_events',
    'Events that are kept for streams that are slow or come back',
    only(live.nextSeq - live.oldestSeq),
  );
  // Sequence numbers begin with one.
  yield counter('hearthd_live_events_total', 'Events since the first client connected', only(live.nextSeq - 1));
  yield counter(
    'hearthd_live_missed_events_total',
    'Events that streams did not get because they were too slow, including those that they would not have received',
    only(live.missed),
  );
}
