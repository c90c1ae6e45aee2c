/** The page of an open share: its rooms, a card an accessory, and its controls. */
import type { OpenShare } from '../../app/sharing/open-share.ts';
import { dateFormat } from '../../texts/intl.ts';
import { Problem } from '../html/form.tsx';
import { type Markup, Page } from '../html/page.tsx';
import { CSRF_FIELD } from '../html/page-session.ts';
import { plainText, UntrustedText } from '../html/plain-text.tsx';
import { inItsWords } from '../html/sentences.ts';
import { type Card, type RoomCards, type ShareView, shapeOf } from './cards.ts';
import type { CardControl } from './controls.ts';
import { ControlView, type FormDeps } from './controls-view.tsx';
import { DeviceIcon } from './icons.tsx';
import { PasscodeForm } from './passcode-form.tsx';
import { SHARE_STYLE_PATH } from './style.ts';

export interface SharePageProps {
  readonly share: OpenShare;
  readonly view: ShareView;
  readonly deps: FormDeps;
  /** Of dates and times: `en-GB`. */
  readonly locale: string;
  /** The path of the script for live updates; absent if the pages are not built. */
  readonly script: string | undefined;
  /** The error of the submitted form. */
  readonly problem?: string | undefined;
}

/** Up to this many cards show all their controls. */
const FEW_CARDS = 3;

export function SharePage({ share, view, deps, locale, script, problem }: SharePageProps): Markup {
  const cards = view.rooms.flatMap((room) => room.cards);
  const areFew = cards.length <= FEW_CARDS;
  const { texts } = deps;
  const { roles, openUntil, away, empty, havePasscode, otherDevice, qrCode } = texts.page;
  return (
    <Page texts={texts} title={plainText(view.name, undefined, texts.unnamed)} wide head={<Head script={script} />}>
      <div
        class="share"
        data-shape={shapeOf(view)}
        data-address={deps.address}
        data-no-answer={texts.script.noAnswer}
        data-failed={texts.script.failed}
        data-lost={texts.script.lost}
        data-in-its-words={inItsWords('{sentence}', texts.language)}
      >
        <Problem message={problem} />
        <h1>
          <UntrustedText text={view.name} texts={texts} />
        </h1>
        <p class="quiet about">
          {view.homeName !== null && view.homeName !== view.name && (
            <>
              <UntrustedText text={view.homeName} texts={texts} /> ·{' '}
            </>
          )}
          {roles[share.role]}
          {share.openUntil && ` ${openUntil({ when: momentText(share.openUntil, locale) })}`}
        </p>
        <p class="notice warn away" hidden={view.isConnected}>
          {away}
        </p>
        <p class="live small quiet" role="status" hidden />
        <AllForms cards={cards} deps={deps} />
        {cards.length === 0 && <p>{empty}</p>}
        {view.rooms.map((room) => (
          <RoomSection room={room} isAlone={view.rooms.length === 1} areFew={areFew} deps={deps} />
        ))}
        {share.canUpgradeWithPasscode && (
          <details class="aside">
            <summary>{havePasscode}</summary>
            <PasscodeForm deps={deps} />
          </details>
        )}
        <details class="aside pass-on">
          <summary>{otherDevice}</summary>
          <img src={`${deps.address}/qr.svg`} width="220" height="220" alt={qrCode} loading="lazy" />
        </details>
      </div>
    </Page>
  );
}

function momentText({ at, zone }: NonNullable<OpenShare['openUntil']>, locale: string): string {
  const options = { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const;
  return dateFormat(locale, { ...options, timeZone: zone }).format(at);
}

function Head({ script }: { readonly script: string | undefined }): Markup {
  return (
    <>
      <link rel="stylesheet" href={SHARE_STYLE_PATH} />
      {script !== undefined && <script type="module" src={script} />}
    </>
  );
}

interface ListProps {
  readonly deps: FormDeps;
  /** Whether all controls are shown. */
  readonly areFew: boolean;
}

function RoomSection({ room, isAlone, ...list }: ListProps & { room: RoomCards; isAlone: boolean }): Markup {
  return (
    <section class="room">
      <h2 class={isAlone ? 'unseen' : undefined}>
        <UntrustedText text={room.name} texts={list.deps.texts} />
      </h2>
      <ul class="cards">
        {room.cards.map((card) => (
          <CardView card={card} {...list} />
        ))}
      </ul>
    </section>
  );
}

function CardView({ card, deps, areFew }: ListProps & { readonly card: Card }): Markup {
  const { texts } = deps;
  const name = plainText(card.name, undefined, texts.unnamed);
  const main = mainControl(card.controls);
  const others = card.controls.filter((control) => control !== main);
  return (
    <li
      class="card"
      id={cardAnchor(card.id)}
      data-accessory={card.id}
      data-active={card.isActive ? '' : undefined}
      data-away={card.reachable ? undefined : ''}
    >
      <fieldset disabled={!card.reachable}>
        <legend class="unseen">{name}</legend>
        <div class="head">
          <DeviceIcon type={card.type} />
          <div class="what">
            <h3>
              <bdi>{name}</bdi>
            </h3>
            <p class="state">{card.summary}</p>
          </div>
          {main && <ControlView deps={deps} card={card} control={main} />}
        </div>
        <p class="fault small" role="alert" hidden />
        {others.length > 0 && (
          <details class="more" open={areFew}>
            <summary>
              {texts.page.more}
              <span class="unseen">{texts.page.moreOf({ name })}</span>
            </summary>
            {others.map((control) => (
              <ControlView deps={deps} card={card} control={control} />
            ))}
          </details>
        )}
      </fieldset>
    </li>
  );
}

/** The anchor after a form submitted without a script. */
export function cardAnchor(accessoryId: string): string {
  return `a-${accessoryId}`;
}

const MAIN_KINDS: ReadonlySet<CardControl['kind']> = new Set(['switch', 'choice']);
/** More buttons do not fit beside a name. */
const MAX_BESIDE = 2;

/** The control beside the name: the most used one. */
function mainControl(controls: readonly CardControl[]): CardControl | undefined {
  const [first] = controls;
  if (!first || !MAIN_KINDS.has(first.kind)) return undefined;
  return first.kind === 'choice' && first.choices.length > MAX_BESIDE ? undefined : first;
}

/** For a room full of lamps. Not for locks and doors, which people do not open all at once. */
function AllForms({ cards, deps }: { readonly cards: readonly Card[]; readonly deps: FormDeps }): Markup | null {
  const switched = cards.filter(({ controls }) => controls.some(({ property }) => property === 'on'));
  if (switched.length < 2) return null;
  const { everything, all } = deps.texts.page;
  return (
    <fieldset class="all">
      <legend class="unseen">{everything}</legend>
      {(['on', 'off'] as const).map((verb) => (
        <form method="post" action={`${deps.address}/${verb}`} data-kind="all">
          <input type="hidden" name={CSRF_FIELD} value={deps.csrf} />
          <button type="submit">{all[verb]}</button>
        </form>
      ))}
      <p class="fault small" role="alert" hidden />
    </fieldset>
  );
}
