/** The status of the relay: what needs attention first, then the computer, the network and the relay's contents. */

import systemTexts from 'texts:system';
import type { Catalogues } from 'texts:types';
import { Box, Text } from '@mantine/core';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { graphql, type ResultOf } from '../../../api/graphql.ts';
import { useApiQuery } from '../../../api/query.ts';
import { type Format, useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { Answer, Section } from '../../../ui/page.tsx';
import { Facts } from '../facts.tsx';
import { SystemFrame } from '../system-frame.tsx';
import { type HttpsFacts, HttpsSection } from './https-section.tsx';
import { LoadSection } from './load-section.tsx';
import classes from './status-page.module.css';
import { warningWords } from './warning-words.ts';

const StatusQuery = graphql(`
  query RelayStatus {
    relay {
      name
      version
      status {
        node
        platform
        now
        timeZone
        startedAt
        uptimeMs
        memoryBytes
        freeMemoryBytes
        totalMemoryBytes
        load
        processors
        dataDirectory
        freeDiskBytes
        totalDiskBytes
        databases {
          name
          bytes
        }
        addresses
        port
        wsPort
        hasTls
        publicUrl
        advertisedAs
        interfaces {
          name
          addresses
        }
        counts {
          homes
          accessories
          unreachableAccessories
          pairedDevices
          connectedDevices
          automations
          automationRunsUnderWay
          webhookDeliveriesWaiting
        }
        warnings {
          code
          severity
          message
          remedy
          values
        }
      }
    }
    relayHttps {
      isOn
      source
      addresses
      expiresAt
      authorityFingerprint
      trustUrl
      problem
    }
  }
`);

type Relay = ResultOf<typeof StatusQuery>['relay'];
type Status = NonNullable<Relay['status']>;

/** No event reports memory, load and uptime. */
const EVERY_MS = 10_000;

export function StatusPage() {
  const query = useApiQuery(StatusQuery, {}, { subjects: ['relay', 'pairings'], everyMs: EVERY_MS });
  return (
    <SystemFrame>
      <Answer query={query}>
        {({ relay, relayHttps }) =>
          relay.status && <StatusParts relay={relay} status={relay.status} https={relayHttps} />
        }
      </Answer>
    </SystemFrame>
  );
}

interface StatusPartsProps {
  readonly relay: Relay;
  readonly status: Status;
  readonly https: HttpsFacts | null;
}

function StatusParts({ relay, status, https }: StatusPartsProps) {
  const t = useTexts(systemTexts).status;
  const format = useFormat();
  return (
    <>
      <Warnings status={status} />
      <div className={classes.cards}>
        <Section title={t.relay}>
          <Facts
            facts={[
              [t.name, relay.name],
              [t.version, t.versionOf({ version: relay.version, node: status.node })],
              [
                t.running,
                `${format.duration(status.uptimeMs)}, ${t.since({ when: format.dateTime(status.startedAt) })}`,
              ],
              [t.clock, t.clockOf({ time: format.dateTime(status.now, status.timeZone), zone: status.timeZone })],
              [t.platform, status.platform],
              [
                t.load,
                t.loadOf({
                  load: status.load.map((each) => format.number(each, 2)).join(' · '),
                  processors: status.processors,
                }),
              ],
              [
                t.memory,
                t.memoryOf({
                  own: format.bytes(status.memoryBytes),
                  free: format.bytes(status.freeMemoryBytes),
                  total: format.bytes(status.totalMemoryBytes),
                }),
              ],
            ]}
          />
        </Section>
        <Section title={t.network}>
          <Facts facts={networkFacts(status, t, format)} />
        </Section>
        {https && <HttpsSection https={https} />}
        <Section title={t.overview}>
          <Facts facts={homeFacts(status, t, format)} />
        </Section>
        <Section title={t.storage}>
          <Facts
            facts={[
              ...(status.freeDiskBytes !== null && status.totalDiskBytes !== null
                ? [
                    [
                      t.disk,
                      t.diskOf({
                        free: format.bytes(status.freeDiskBytes),
                        total: format.bytes(status.totalDiskBytes),
                      }),
                    ] as const,
                  ]
                : []),
              ...status.databases.map(
                ({ name, bytes }) =>
                  [
                    name === 'history' ? t.database.history : t.database.relay,
                    bytes === null ? t.unavailable : format.bytes(bytes),
                  ] as const,
              ),
              [t.directory, <code key="directory">{status.dataDirectory}</code>],
            ]}
          />
        </Section>
      </div>
      <LoadSection />
    </>
  );
}

type StatusTexts = Catalogues['system']['status'];

function homeFacts({ counts }: Status, t: StatusTexts, format: Format) {
  const beside = (count: number, some: number, more: string) =>
    some === 0 ? format.number(count) : `${format.number(count)} · ${more}`;
  return [
    [t.homes, format.number(counts.homes)],
    [
      t.accessories,
      beside(
        counts.accessories,
        counts.unreachableAccessories,
        t.unreachable({ count: counts.unreachableAccessories }),
      ),
    ],
    [t.devices, beside(counts.pairedDevices, counts.connectedDevices, t.connected({ count: counts.connectedDevices }))],
    [
      t.automations,
      beside(counts.automations, counts.automationRunsUnderWay, t.underWay({ count: counts.automationRunsUnderWay })),
    ],
    [t.waiting, format.number(counts.webhookDeliveriesWaiting)],
  ] as const;
}

function networkFacts(status: Status, t: StatusTexts, format: Format) {
  const interfaces = status.interfaces.map(({ name, addresses }) => `${name} (${addresses[0] ?? '–'})`);
  const isProxied = status.publicUrl?.startsWith('https:') ?? false;
  return [
    [t.addresses, status.addresses.join(' · ')],
    [t.ports, t.portsOf({ port: status.port, wsPort: status.wsPort })],
    [t.tls, status.hasTls ? t.tlsOn : isProxied ? t.tlsProxy : t.tlsOff],
    [t.advertised, status.advertisedAs ?? t.notAdvertised],
    [t.interfaces, interfaces.length === 0 ? t.noInterface : format.list(interfaces)],
  ] as const;
}

const ICONS = { error: CircleAlert, warning: TriangleAlert, info: Info } as const;

function Warnings({ status: { warnings, uptimeMs } }: { readonly status: Status }) {
  const texts = useTexts(systemTexts);
  const format = useFormat();
  const t = texts.status;
  const isWell = warnings.every(({ severity }) => severity === 'info');
  return (
    <ul className={classes.warnings} aria-live="polite">
      {isWell && (
        <li className={classes.warning} data-severity="good">
          <CircleCheck aria-hidden />
          <div>
            <Box component="h2" fz="md" fw={650} m={0} className="h-anywhere">
              {t.allWell}
            </Box>
            <Text mt={4}>{t.allWellText({ duration: format.duration(uptimeMs) })}</Text>
          </div>
        </li>
      )}
      {warnings.map((warning) => {
        const severity = warning.severity in ICONS ? (warning.severity as keyof typeof ICONS) : 'info';
        const Icon = ICONS[severity];
        const { message, remedy } = warningWords(warning, texts.warnings);
        return (
          <li key={warning.code} className={classes.warning} data-severity={severity}>
            <Icon aria-label={t.severity[severity]} />
            <div>
              <Box component="h2" fz="md" fw={650} m={0} className="h-anywhere">
                {message}
              </Box>
              <Text mt={4}>{remedy}</Text>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
