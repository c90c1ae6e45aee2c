/** The page of a share that is open: its rooms, a card an accessory, and on it what may be done. */
import type { OpenShare } from '../../app/sharing/open-share.ts';
import { Problem } from '../html/form.tsx';
import { type Markup, Page } from '../html/page.tsx';
import { CSRF_FIELD } from '../html/page-session.ts';
import { plainText } from '../html/plain-text.tsx';
import { type Card, type RoomCards, type ShareView, shapeOf } from './cards.ts';
import type { Control } from './controls.ts';
import { ControlView, type FormGround } from './controls-view.tsx';
import { DeviceIcon } from './icons.tsx';
import { PasscodeForm } from './passcode-form.tsx';
import { SHARE_STYLE_PATH } from './style.ts';

export interface SharePageProps {
  readonly share: OpenShare;
  readonly view: ShareView;
  readonly ground: FormGround;
  /** Of the script that makes the page live; none where the pages are not built. */
  readonly script: string | undefined;
  /** What went wrong with the form that was sent. */
  readonly problem?: string | undefined;
}

/** As many cards can be shown with all their controls open. */
const FEW_CARDS = 3;

export function SharePage({ share, view, ground, script, problem }: SharePageProps): Markup {
  const cards = view.rooms.flatMap((room) => room.cards);
  const areFew = cards.length <= FEW_CARDS;
  return (
    <Page title={plainText(view.name)} wide head={<Head script={script} />}>
      <div class="share" data-shape={shapeOf(view)} data-address={ground.address}>
        <Problem message={problem} />
        <h1>
          <bdi>{plainText(view.name)}</bdi>
        </h1>
        <p class="quiet about">
          {view.homeName !== null && view.homeName !== view.name && (
            <>
              <bdi>{plainText(view.homeName)}</bdi> ·{' '}
            </>
          )}
          {share.role === 'control' ? 'You can control what is shown here.' : 'You can look, but not change anything.'}
        </p>
        <p class="notice warn away" hidden={view.isConnected}>
          The home can’t be reached right now. What you see may be out of date.
        </p>
        <p class="live small quiet" role="status" hidden />
        <AllForms cards={cards} ground={ground} />
        {cards.length === 0 && <p>There is nothing here at the moment.</p>}
        {view.rooms.map((room) => (
          <RoomSection room={room} isAlone={view.rooms.length === 1} areFew={areFew} ground={ground} />
        ))}
        {share.canUpgradeWithPasscode && (
          <details class="aside">
            <summary>Do you have a passcode?</summary>
            <PasscodeForm ground={ground} />
          </details>
        )}
        <details class="aside pass-on">
          <summary>Open this on another device</summary>
          <img
            src={`${ground.address}/qr.svg`}
            width="220"
            height="220"
            alt="The link to this page as a QR code"
            loading="lazy"
          />
        </details>
      </div>
    </Page>
  );
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
  readonly ground: FormGround;
  /** Whether everything is shown at once. */
  readonly areFew: boolean;
}

function RoomSection({ room, isAlone, ...list }: ListProps & { room: RoomCards; isAlone: boolean }): Markup {
  return (
    <section class="room">
      <h2 class={isAlone ? 'unseen' : undefined}>
        <bdi>{plainText(room.name)}</bdi>
      </h2>
      <ul class="cards">
        {room.cards.map((card) => (
          <CardView card={card} {...list} />
        ))}
      </ul>
    </section>
  );
}

function CardView({ card, ground, areFew }: ListProps & { readonly card: Card }): Markup {
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
        <legend class="unseen">{plainText(card.name)}</legend>
        <div class="head">
          <DeviceIcon type={card.type} />
          <div class="what">
            <h3>
              <bdi>{plainText(card.name)}</bdi>
            </h3>
            <p class="state">{card.summary}</p>
          </div>
          {main && <ControlView ground={ground} card={card} control={main} />}
        </div>
        <p class="fault small" role="alert" hidden />
        {others.length > 0 && (
          <details class="more" open={areFew}>
            <summary>
              More<span class="unseen"> of {plainText(card.name)}</span>
            </summary>
            {others.map((control) => (
              <ControlView ground={ground} card={card} control={control} />
            ))}
          </details>
        )}
      </fieldset>
    </li>
  );
}

/** Where a form that was sent without a script comes back to. */
export function cardAnchor(accessoryId: string): string {
  return `a-${accessoryId}`;
}

const MAIN_KINDS: ReadonlySet<Control['kind']> = new Set(['switch', 'choice']);
/** More buttons do not fit beside a name. */
const MOST_BESIDE = 2;

/** What stands beside the name: the one thing that people come for. */
function mainControl(controls: readonly Control[]): Control | undefined {
  const [first] = controls;
  if (!first || !MAIN_KINDS.has(first.kind)) return undefined;
  return first.kind === 'choice' && first.choices.length > MOST_BESIDE ? undefined : first;
}

/** For a room full of lamps. Not for locks and doors, which nobody opens by the dozen. */
function AllForms({ cards, ground }: { readonly cards: readonly Card[]; readonly ground: FormGround }): Markup | null {
  const switched = cards.filter(({ controls }) => controls.some(({ property }) => property === 'on'));
  if (switched.length < 2) return null;
  return (
    <fieldset class="all">
      <legend class="unseen">Everything that can be switched</legend>
      {(['on', 'off'] as const).map((verb) => (
        <form method="post" action={`${ground.address}/${verb}`} data-kind="all">
          <input type="hidden" name={CSRF_FIELD} value={ground.csrf} />
          <button type="submit">All {verb}</button>
        </form>
      ))}
      <p class="fault small" role="alert" hidden />
    </fieldset>
  );
}
