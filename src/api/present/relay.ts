import type { HttpsReport } from '../../app/https/https.ts';
import type { RelayLoadReport } from '../../app/relay-status/load-history.ts';
import type { RelayStatusReport } from '../../app/relay-status/relay-status.ts';
import type { HttpsStatus } from '../../contract/https.ts';
import type { LogLine, RelayLoad, RelayStatus } from '../../contract/relay.ts';
import type { LogLine as KeptLine } from '../../kernel/log-ring.ts';
import { presentTime } from './time.ts';

export function presentStatus({ startedAt, now, updatesAskedAt, lastDay, ...report }: RelayStatusReport): RelayStatus {
  return {
    ...report,
    startedAt: presentTime(startedAt),
    now: presentTime(now),
    updatesAskedAt: presentTime(updatesAskedAt),
    lastDay: lastDay.map((sample) => ({ ...sample, at: presentTime(sample.at) })),
  };
}

export function presentLoad({ from, to, samples, starts, ...report }: RelayLoadReport): RelayLoad {
  return {
    ...report,
    from: presentTime(from),
    to: presentTime(to),
    samples: samples.map((sample) => ({ ...sample, at: presentTime(sample.at) })),
    starts: starts.map((start) => ({ ...start, at: presentTime(start.at) })),
  };
}

export function presentHttps(report: HttpsReport): HttpsStatus {
  const { validFrom, expiresAt, renewsAt, authorityExpiresAt } = report;
  return {
    ...report,
    validFrom: presentTime(validFrom),
    expiresAt: presentTime(expiresAt),
    renewsAt: presentTime(renewsAt),
    authorityExpiresAt: presentTime(authorityExpiresAt),
  };
}

export function presentLine({ at, ...line }: KeptLine): LogLine {
  return { ...line, at: presentTime(at) };
}
