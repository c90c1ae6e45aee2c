/**
 * Drags a tile over the grids of the page: a copy follows the pointer, and a bar shows where it would go. It changes
 * the page's elements directly: a home has hundreds of tiles, and none of them renders for it.
 */

/** Where a tile is dropped: beside another tile of a grid. */
export interface Drop {
  readonly id: string;
  /** The grids by name: a room's id, `GROUPS` or `FAVOURITES`. */
  readonly from: string;
  readonly to: string;
  readonly targetId: string;
  readonly isAfter: boolean;
}

export interface DragPoint {
  readonly x: number;
  readonly y: number;
}

export type MayDrop = (id: string, from: string, to: string) => boolean;

interface Target {
  readonly item: HTMLElement;
  readonly grid: string;
  readonly isAfter: boolean;
}

/** The page scrolls while the pointer is this near to its edge. */
const EDGE_PX = 72;
const MAX_SCROLL_PX = 16;

export class TileDrag {
  readonly #item: HTMLElement;
  readonly #copy: HTMLElement;
  readonly #grip: DragPoint;
  readonly #mayDrop: MayDrop;
  #at: DragPoint;
  #target: Target | undefined;
  #frame = 0;

  /** @param copyClass of the copy that follows the pointer */
  constructor(item: HTMLElement, at: DragPoint, copyClass: string, mayDrop: MayDrop) {
    this.#item = item;
    this.#mayDrop = mayDrop;
    this.#at = at;
    const box = item.getBoundingClientRect();
    this.#grip = { x: at.x - box.x, y: at.y - box.y };
    this.#copy = document.createElement('div');
    this.#copy.className = copyClass;
    this.#copy.inert = true;
    this.#copy.style.width = `${box.width}px`;
    this.#copy.style.height = `${box.height}px`;
    this.#copy.append(...[...item.children].map((child) => child.cloneNode(true)));
    document.body.append(this.#copy);
    item.dataset.lifted = '';
    this.#step();
  }

  move(at: DragPoint): void {
    this.#at = at;
  }

  /** @returns where it was dropped; nothing if it stays where it was */
  end(): Drop | undefined {
    this.#look();
    const target = this.#target;
    this.cancel();
    const [id, targetId] = [this.#item.dataset.id, target?.item.dataset.id];
    const from = gridOf(this.#item);
    if (!target || id === undefined || targetId === undefined || from === undefined) return undefined;
    return { id, from, to: target.grid, targetId, isAfter: target.isAfter };
  }

  cancel(): void {
    cancelAnimationFrame(this.#frame);
    this.#copy.remove();
    delete this.#item.dataset.lifted;
    this.#mark(undefined);
  }

  /** Once a frame: pointers report more often, and the page scrolls while they rest. */
  #step(): void {
    const { x, y } = this.#at;
    this.#copy.style.translate = `${x - this.#grip.x}px ${y - this.#grip.y}px`;
    const by = scrollAt(y, innerHeight);
    if (by !== 0) scrollBy(0, by);
    this.#look();
    this.#frame = requestAnimationFrame(() => this.#step());
  }

  #look(): void {
    const { x, y } = this.#at;
    const item = document.elementFromPoint(x, y)?.closest<HTMLElement>('li[data-id]') ?? undefined;
    const grid = item && gridOf(item);
    const [id = '', from = ''] = [this.#item.dataset.id, gridOf(this.#item)];
    if (!item || grid === undefined || item === this.#item || !this.#mayDrop(id, from, grid)) {
      this.#mark(undefined);
      return;
    }
    const { left, width } = item.getBoundingClientRect();
    this.#mark({ item, grid, isAfter: x > left + width / 2 });
  }

  #mark(target: Target | undefined): void {
    if (this.#target && this.#target.item !== target?.item) delete this.#target.item.dataset.drop;
    if (target) target.item.dataset.drop = target.isAfter ? 'after' : 'before';
    this.#target = target;
  }
}

function gridOf(item: HTMLElement): string | undefined {
  return item.closest<HTMLElement>('ul[data-grid]')?.dataset.grid;
}

/** How far the page scrolls in a frame: faster nearer to its edge. */
export function scrollAt(y: number, height: number): number {
  const above = EDGE_PX - y;
  const below = y - (height - EDGE_PX);
  const share = Math.min(Math.max(above, below, 0) / EDGE_PX, 1);
  return Math.round(share * MAX_SCROLL_PX) * (above > below ? -1 : 1) || 0;
}
