/**
 * A ring with one target temperature, or with the two limits of a range. Each is a slider of its own for keyboards and
 * screen readers; a touch moves the nearest one. Only the ring itself takes touches: beside it the page scrolls.
 */
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import { useFormat } from '../../texts/format.ts';
import type { Range } from '../reading.ts';
import classes from './dial.module.css';
import { useDraft, type ValueDraft } from './draft.ts';
import { LessMore } from './less-more.tsx';
import { roundTemperature, stepTemperature } from './temperature-steps.ts';

export interface DialPoint {
  readonly label: string;
  /** °C */
  readonly value: number | undefined;
  readonly range: Range;
  /** What this point limits: it heats up to it, cools down to it, or does both. */
  readonly tone: 'warm' | 'cool' | 'both';
  readonly onChange: (celsius: number) => void;
  /** Names of the buttons. */
  readonly lower: string;
  readonly higher: string;
}

interface Props {
  readonly points: readonly DialPoint[];
  /** The current temperature of the room, marked on the ring. */
  readonly current: number | undefined;
  readonly isDisabled: boolean;
  /** What the device does now: that part of the ring is drawn strongly. */
  readonly doing: 'idle' | 'heating' | 'cooling';
  /** In the middle, below the target. */
  readonly children: ReactNode;
}

const SIZE = 280;
const CENTRE = SIZE / 2;
const RADIUS = 116;
/** The ring is open at the bottom: it runs from the lower left over the top to the lower right. */
const START_DEGREES = 135;
const SWEEP_DEGREES = 270;
/** Of the words below the ring's ends. */
const END_BELOW = 34;
/** The steps that Page Up and Page Down move. */
const LEAP_STEPS = 4;

export function Dial({ points, current, doing, isDisabled, children }: Props) {
  const format = useFormat();
  const min = Math.min(...points.map(({ range }) => range.min));
  const max = Math.max(...points.map(({ range }) => range.max));
  const scale: DialScale = { min, max };
  const [first, second] = points;
  const one = useDraft(first?.value, (value) => first?.onChange(value));
  const two = useDraft(second?.value, (value) => second?.onChange(value));
  const drafts = [one, two];
  const held = useRef<ValueDraft | undefined>(undefined);
  const shown = points.map((_, index) => drafts[index]?.shown);

  const move = (event: PointerEvent<SVGElement>) => {
    const at = drafts.indexOf(held.current ?? one);
    const point = points[at];
    const celsius = temperatureAt(event, scale);
    if (point && celsius !== undefined)
      drafts[at]?.change(roundTemperature(celsius, format.temperatureUnit, point.range));
  };
  const take = (event: PointerEvent<SVGElement>) => {
    const celsius = temperatureAt(event, scale);
    if (isDisabled || celsius === undefined) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const distance = (value: number | undefined) => Math.abs((value ?? Infinity) - celsius);
    held.current = points.length > 1 && distance(shown[1]) < distance(shown[0]) ? two : one;
    held.current.hold();
    move(event);
  };
  const letGo = () => {
    held.current?.release();
    held.current = undefined;
  };
  return (
    <div className={classes.dial} data-disabled={isDisabled || undefined}>
      <div className={classes.face}>
        <svg viewBox={`0 0 ${SIZE} ${SIZE}`} className={classes.ring} aria-hidden={isDisabled || undefined}>
          <title>{points.map(({ label }) => label).join(', ')}</title>
          <path className={classes.track} d={arc(0, 1)} />
          {points.map(({ label, tone }, index) => (
            <Span key={label} tone={tone} value={shown[index]} scale={scale} doing={doing} />
          ))}
          <End share={0} text={format.temperature(min)} />
          <End share={1} text={format.temperature(max)} />
          {current !== undefined && (
            <Mark share={shareOf(current, scale)} thumbs={shown.map((at) => at && shareOf(at, scale))} />
          )}
          <path
            className={classes.catch}
            d={arc(0, 1)}
            onPointerDown={take}
            onPointerMove={(event) => held.current && move(event)}
            onPointerUp={letGo}
            onPointerCancel={letGo}
          />
          {points.map((point, index) => (
            <Thumb key={point.label} point={point} draft={drafts[index] ?? one} scale={scale} isDisabled={isDisabled} />
          ))}
        </svg>
        <div className={classes.middle}>
          <p className={classes.target} data-two={points.length > 1 || undefined}>
            {shown.map((value) => (value === undefined ? '–' : format.temperature(value))).join(' – ')}
          </p>
          {children}
        </div>
      </div>
      {points.map((point, index) => (
        <Steps key={point.label} point={point} draft={drafts[index] ?? one} isDisabled={isDisabled} />
      ))}
    </div>
  );
}

interface PointProps {
  readonly point: DialPoint;
  readonly draft: ValueDraft;
  readonly isDisabled: boolean;
}

function Thumb({ point, draft, isDisabled, scale }: PointProps & { readonly scale: DialScale }) {
  const format = useFormat();
  const { label, range, tone } = point;
  const value = draft.shown ?? range.min;
  const { x, y } = placeAt(shareOf(value, scale));
  const onKeyDown = (event: KeyboardEvent) => {
    const next = byKey(event.key, (steps) => stepTemperature(value, steps, format.temperatureUnit, range), range);
    if (next === undefined || isDisabled) return;
    event.preventDefault();
    draft.change(next);
  };
  return (
    <g
      role="slider"
      tabIndex={isDisabled ? -1 : 0}
      aria-label={label}
      aria-valuemin={range.min}
      aria-valuemax={range.max}
      aria-valuenow={value}
      aria-valuetext={format.temperature(value)}
      aria-disabled={isDisabled}
      className={classes.thumb}
      data-tone={tone}
      onKeyDown={onKeyDown}
    >
      <circle cx={x} cy={y} r={17} />
    </g>
  );
}

/** Buttons, as an alternative to dragging. */
function Steps({ point: { label, lower, higher, range }, draft, isDisabled }: PointProps) {
  const format = useFormat();
  const value = draft.shown ?? range.min;
  const step = (steps: number) => draft.change(stepTemperature(value, steps, format.temperatureUnit, range));
  return (
    <LessMore
      less={{ label: lower, isDisabled: isDisabled || value <= range.min, run: () => step(-1) }}
      more={{ label: higher, isDisabled: isDisabled || value >= range.max, run: () => step(1) }}
    >
      <span className={classes.stepsLabel}>{label}</span>
    </LessMore>
  );
}

interface SpanProps {
  readonly tone: DialPoint['tone'];
  readonly value: number | undefined;
  readonly scale: DialScale;
  readonly doing: Props['doing'];
}

/** From the lower end to the temperature that it heats to, red; from what it cools to, to the upper end, blue. */
function Span({ tone, value, scale, doing }: SpanProps) {
  if (value === undefined) return null;
  const at = shareOf(value, scale);
  return (
    <>
      {tone !== 'cool' && (
        <path className={classes.span} data-tone="warm" data-busy={doing === 'heating' || undefined} d={arc(0, at)} />
      )}
      {tone !== 'warm' && (
        <path className={classes.span} data-tone="cool" data-busy={doing === 'cooling' || undefined} d={arc(at, 1)} />
      )}
    </>
  );
}

/** The temperature at an end of the ring, below it. */
function End({ share, text }: { readonly share: number; readonly text: string }) {
  const { x, y } = placeAt(share);
  return (
    <text className={classes.end} x={x} y={y + END_BELOW} aria-hidden>
      {text}
    </text>
  );
}

/** A thumb has this part of the ring below it, and a mark that half sticks out looks like a flaw. */
const COVERED = 0.035;

function Mark({ share, thumbs }: { readonly share: number; readonly thumbs: readonly (number | undefined)[] }) {
  if (thumbs.some((thumb) => thumb !== undefined && Math.abs(thumb - share) < COVERED)) return null;
  const inner = placeAt(share, RADIUS - 24);
  const outer = placeAt(share, RADIUS - 14);
  return <line className={classes.mark} x1={inner.x} y1={inner.y} x2={outer.x} y2={outer.y} />;
}

function byKey(key: string, by: (steps: number) => number, range: Range): number | undefined {
  if (key === 'ArrowUp' || key === 'ArrowRight') return by(1);
  if (key === 'ArrowDown' || key === 'ArrowLeft') return by(-1);
  if (key === 'PageUp') return by(LEAP_STEPS);
  if (key === 'PageDown') return by(-LEAP_STEPS);
  if (key === 'Home') return range.min;
  return key === 'End' ? range.max : undefined;
}

interface DialScale {
  readonly min: number;
  readonly max: number;
}

function shareOf(value: number, { min, max }: DialScale): number {
  return max > min ? Math.min(Math.max((value - min) / (max - min), 0), 1) : 0;
}

function placeAt(share: number, radius = RADIUS): { readonly x: number; readonly y: number } {
  const radians = ((START_DEGREES + share * SWEEP_DEGREES) * Math.PI) / 180;
  return { x: CENTRE + radius * Math.cos(radians), y: CENTRE + radius * Math.sin(radians) };
}

function arc(a: number, b: number): string {
  const [from, to] = a <= b ? [a, b] : [b, a];
  const start = placeAt(from);
  const end = placeAt(to);
  const isLarge = (to - from) * SWEEP_DEGREES > 180 ? 1 : 0;
  return `M ${start.x} ${start.y} A ${RADIUS} ${RADIUS} 0 ${isLarge} 1 ${end.x} ${end.y}`;
}

/** Inside the gap of the ring, the nearer end counts. */
function temperatureAt(event: PointerEvent<SVGElement>, { min, max }: DialScale): number | undefined {
  const box = event.currentTarget.ownerSVGElement?.getBoundingClientRect();
  if (!box) return undefined;
  const x = event.clientX - box.left - box.width / 2;
  const y = event.clientY - box.top - box.height / 2;
  const turned = ((((Math.atan2(y, x) * 180) / Math.PI - START_DEGREES) % 360) + 360) % 360;
  const beyond = turned > SWEEP_DEGREES;
  const share = beyond ? (turned > SWEEP_DEGREES + (360 - SWEEP_DEGREES) / 2 ? 0 : 1) : turned / SWEEP_DEGREES;
  return min + share * (max - min);
}
