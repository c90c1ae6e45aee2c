/** The codes that add each bridge of a publication. */

import '../../ui/unseen.css';
import publishTexts from 'texts:publish';
import type { PublicationKind } from '../../../../contract/publications.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { Note, Steps } from '../../ui/entries.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { kindOf, type SetupCode, setupCodeOf } from './publication.ts';
import classes from './publish.module.css';
import type { Bridge, Publication } from './publish-documents.ts';

export function BridgeCodes({ publication }: { readonly publication: Publication }) {
  const kind = kindOf(publication);
  const { bridges } = publication;
  return bridges.map((bridge, index) => (
    <BridgeCode key={bridge.id} bridge={bridge} kind={kind} number={index + 1} count={bridges.length} />
  ));
}

interface BridgeCodeProps {
  readonly bridge: Bridge;
  readonly kind: PublicationKind;
  readonly number: number;
  readonly count: number;
}

function BridgeCode({ bridge, kind, number, count }: BridgeCodeProps) {
  const t = useTexts(publishTexts);
  const setup = setupCodeOf(bridge);
  if (!setup) return null;
  const { name } = bridge;
  const place = count > 1 ? t.bridgeOf({ number, count, name }) : undefined;
  const code = <Code setup={setup} kind={kind} bridge={bridge} />;
  const notes = <BridgeNotes bridge={bridge} />;
  if (bridge.controllers === 0 || bridge.windowEndsAt !== null) {
    return (
      <div className={classes.bridge}>
        {place && (
          <p className={classes.place}>
            {place} {number > 1 && t.scanToo}
          </p>
        )}
        {notes}
        {code}
      </div>
    );
  }
  const paired = kind === 'homekit' ? t.pairedWith.homekit : t.pairedWith.matter({ count: bridge.controllers });
  // A bridge that is paired needs its code no more, but for people who look for it.
  return (
    <>
      {notes}
      <details className={classes.details}>
        <summary>{place ? t.codeOf({ place, paired }) : t.showCode({ paired })}</summary>
        <p className={classes.pairedText}>{t.kinds[kind].paired}</p>
        {code}
      </details>
    </>
  );
}

function BridgeNotes({ bridge: { hasMatterPort, windowEndsAt } }: { readonly bridge: Bridge }) {
  const t = useTexts(publishTexts);
  const format = useFormat();
  return (
    <>
      {hasMatterPort === false && <Note>{t.matterPortTaken}</Note>}
      {windowEndsAt !== null && <p className={classes.place}>{t.windowUntil({ time: format.time(windowEndsAt) })}</p>}
    </>
  );
}

function Code({
  setup,
  kind,
  bridge,
}: {
  readonly setup: SetupCode;
  readonly kind: PublicationKind;
  readonly bridge: Bridge;
}) {
  const t = useTexts(publishTexts);
  const words = t.kinds[kind];
  return (
    <div className={classes.setup}>
      <div className={classes.label}>
        <QrCode value={setup.qr} label={t.qr({ name: bridge.name })} />
        <p className={classes.code} data-kind={kind}>
          <span className="h-unseen">{t.code}</span> {setup.code}
        </p>
      </div>
      <Steps>
        <li>{words.step1}</li>
        <li>{words.step2}</li>
        <li>{words.step3}</li>
      </Steps>
    </div>
  );
}
