/**
 * How wide the axis of values is: as its longest label, and as those of all plots in the same section, so that one time
 * stands in one line. The section has it as `--axis`, for what is no plot.
 */
import type uPlot from 'uplot';

/** Half of the first label of the time axis, which is centered below the edge. */
const LEAST_PX = 30;
/** Beside the labels, on both sides. */
const GAP_PX = 7;

/** The plots of a section, each with the width that it needs. */
type Widths = Map<uPlot, number>;
const sections = new WeakMap<Element, Widths>();
/** A plot that goes away is in its section no more. */
const sectionOf = new WeakMap<uPlot, HTMLElement>();

/** Gives the plot's labels their room. @returns the width of its axis */
export function axisWidth(made: uPlot, labels: readonly string[] | null): number {
  if (labels === null) return LEAST_PX;
  const section = sectionOf.get(made) ?? made.root.closest('section') ?? made.root;
  const widths: Widths = sections.get(section) ?? new Map();
  sectionOf.set(made, section);
  sections.set(section, widths);
  widths.set(made, widthOf(made, labels));
  return settle(section, widths, made);
}

/** For a plot that goes away: the others may need less. */
export function leaveAxis(made: uPlot): void {
  const section = sectionOf.get(made);
  const widths = section && sections.get(section);
  if (section && widths?.delete(made)) settle(section, widths, made);
}

function widthOf({ ctx, axes }: uPlot, labels: readonly string[]): number {
  // As uPlot sets it: its type is that of the option.
  ctx.font = axes[1]?.font?.[0] ?? ctx.font;
  const longest = Math.max(0, ...labels.map((label) => ctx.measureText(label).width));
  return Math.ceil(longest / devicePixelRatio) + GAP_PX;
}

/** Draws the other plots again when the width changes. */
function settle(section: HTMLElement, widths: Widths, changed: uPlot): number {
  const width = Math.max(LEAST_PX, ...widths.values());
  if (section.style.getPropertyValue('--axis') === `${width}px`) return width;
  section.style.setProperty('--axis', `${width}px`);
  // After what they are about to draw themselves.
  queueMicrotask(() => {
    for (const plot of widths.keys()) if (plot !== changed) plot.redraw(true, true);
  });
  return width;
}
