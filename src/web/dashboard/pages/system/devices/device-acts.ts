/** What is done to paired devices, one or several at once. */
import selectingTexts from 'texts:selecting';
import systemTexts from 'texts:system';
import { act, ask } from '../../../api/client.ts';
import { graphql } from '../../../api/graphql.ts';
import { refreshed } from '../../../api/query.ts';
import { listOf } from '../../../texts/list-of.ts';
import { textsNow } from '../../../texts/texts.ts';
import { confirm } from '../../../ui/confirm.ts';
import { errorText } from '../../../ui/error-text.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { doToEach, type FailedOne, type SeveralOutcome } from '../../../ui/several.ts';
import { showFailures } from '../../../ui/show-failures.ts';
import { showToast } from '../../../ui/toasts.tsx';

export const Unpair = graphql(`
  mutation UnpairDevice($deviceId: String!, $force: Boolean) {
    unpairAccessory(deviceId: $deviceId, force: $force) {
      success
      error
      code
      reason
    }
  }
`);

const DiagnosticsQuery = graphql(`
  query DeviceDiagnostics($deviceId: String!) {
    deviceDiagnostics(deviceId: $deviceId)
  }
`);

const Reconnect = graphql(`
  mutation ReconnectDevice($deviceId: String!) {
    reconnectDevice(deviceId: $deviceId) {
      success
      error
      code
      reason
    }
  }
`);

export interface PairedThing {
  readonly deviceId: string;
  readonly name: string;
  /** It answers: only then can its own pairing be removed. */
  readonly isThere: boolean;
}

const nameOf = ({ name }: PairedThing): string => name;

/** Asks first. @returns whether the user agreed */
export async function unpairSeveral(devices: readonly PairedThing[]): Promise<boolean> {
  const t = textsNow(selectingTexts);
  const away = devices.filter(({ isThere }) => !isThere).map(nameOf);
  const agreed = await confirm({
    title: t.unpairTitle({ count: devices.length }),
    body: [
      t.unpairNames({ names: listOf(devices.map(nameOf)) }),
      t.unpairText,
      ...(away.length > 0 ? [t.unpairAway({ names: listOf(away) })] : []),
    ].join(' '),
    action: t.unpair,
    isDangerous: true,
  });
  if (!agreed) return false;
  const outcome = await doToEach(devices, async ({ deviceId, isThere }) => {
    await act(Unpair, { deviceId, force: !isThere });
    return cannotBeUndone;
  });
  await refreshed('pairings', 'discovery', 'inventory');
  showFailures(outcome, nameOf);
  if (outcome.done > 0) showToast({ text: t.unpaired({ count: outcome.done }) });
  return true;
}

/** One file for all of them: browsers refuse several at once. */
export async function saveDiagnostics(devices: readonly PairedThing[]): Promise<SeveralOutcome<PairedThing>> {
  const documents: unknown[] = [];
  const outcome = await doToEach(devices, async ({ deviceId }) => {
    documents.push(await diagnosticsOf(deviceId));
    return cannotBeUndone;
  });
  if (documents.length > 0) saveDocument('diagnostics.json', documents);
  showFailures(outcome, nameOf);
  return outcome;
}

export async function diagnosticsOf(deviceId: string): Promise<unknown> {
  return (await ask(DiagnosticsQuery, { deviceId })).deviceDiagnostics;
}

export function saveDocument(name: string, document: unknown): void {
  saveFile(name, new Blob([`${JSON.stringify(document, null, 2)}\n`], { type: 'application/json' }));
}

/** All at once: one that does not answer takes ten seconds. */
export async function reconnectSeveral(devices: readonly PairedThing[]): Promise<void> {
  const failures: FailedOne<PairedThing>[] = [];
  const attempt = async (one: PairedThing) => {
    try {
      await act(Reconnect, { deviceId: one.deviceId });
    } catch (error) {
      failures.push({ one, error });
    }
  };
  await Promise.all(devices.map(attempt));
  await refreshed('pairings');
  const done = devices.length - failures.length;
  showFailures({ undo: undefined, done, failures }, nameOf);
  if (done > 0) showToast({ text: textsNow(selectingTexts).reconnected({ count: done }) });
}

export async function reconnectOne({ deviceId, name }: Omit<PairedThing, 'isThere'>): Promise<void> {
  try {
    await act(Reconnect, { deviceId });
    showToast({ text: textsNow(systemTexts).devices.reconnected({ name }) });
  } catch (error) {
    showToast({ tone: 'bad', text: errorText(error) });
  }
  await refreshed('pairings');
}

async function cannotBeUndone(): Promise<void> {}
