/**
 * The editing session of one flow: the draft, undo and redo, and the open node. It is a plain store, so tests need no
 * page. Typing in one field is one undo step, for any number of letters.
 */
import { type FlowNode, type FlowRecord, type Json, type JsonObject, withFields } from '../flow/flow-record.ts';
import { freshId, idsIn, withFreshIds, withIds } from '../flow/node-ids.ts';
import {
  getAt,
  insertAt,
  isWithin,
  lengthAt,
  moveTo,
  type Path,
  pathText,
  removeAt,
  setAt,
  splitPath,
} from '../flow/paths.ts';
import { newNode, type Offer } from '../flow/registry.ts';

/** The maximum number of undo steps. */
const MAX_STEPS = 200;

export interface EditState {
  readonly flow: FlowRecord;
  /** The node whose form is open: one at a time, so that the rest stays visible. */
  readonly open: Path | undefined;
  /** The next node to focus; `serial` rises each time, so that the same node can be focused again. */
  readonly focus: { readonly path: Path; readonly serial: number } | undefined;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Whether the draft differs from the saved flow. */
  readonly isChanged: boolean;
}

interface Step {
  readonly flow: FlowRecord;
  readonly open: Path | undefined;
}

export class EditSession {
  #now: Step;
  #saved: FlowRecord;
  #past: Step[] = [];
  #future: Step[] = [];
  /** The field of the last step: further changes of the same field join that step. */
  #field: string | undefined;
  #focus: EditState['focus'];
  #state: EditState;
  readonly #listeners = new Set<() => void>();

  /** @param draft earlier unsaved changes */
  constructor(saved: FlowRecord, draft: FlowRecord = saved) {
    this.#saved = saved;
    this.#now = { flow: draft, open: undefined };
    this.#state = this.#makeState();
  }

  readonly get = (): EditState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get flow(): FlowRecord {
    return this.#now.flow;
  }

  // — fields —

  /** `undefined` removes the field. */
  setField(path: Path, name: string, value: Json | undefined): void {
    const place = [...path, name];
    this.#step(setAt(this.flow, place, value), this.#now.open, pathText(place));
  }

  /** Sets several fields of a node, or all of them. */
  setNode(path: Path, node: FlowNode): void {
    this.#step(setAt(this.flow, path, node), this.#now.open, `${pathText(path)}*`);
  }

  /** Replaces the whole flow, from text or an import. */
  replace(flow: FlowRecord): void {
    this.#step(flow, undefined, undefined);
  }

  // — nodes —

  add(list: Path, offer: Offer): void {
    const id = offer.role === 'condition' ? undefined : freshId(offer.kind.type, idsIn(this.flow));
    this.insert(list, newNode(offer, id));
  }

  /** Appends the node to a list and opens it. */
  insert(list: Path, node: Json): void {
    const index = lengthAt(this.flow, list);
    const path = [...list, index];
    this.#focusOn(path);
    this.#step(insertAt(this.flow, list, index, node), path, undefined);
  }

  /**
   * Inserts steps after a step, in one undo step, and opens one of them.
   * @param open the path from the first new step
   * @param settings fields of the flow that change with it
   */
  insertAfter(path: Path, nodes: readonly FlowNode[], open: Path, settings: JsonObject = {}): void {
    const [list, index] = splitPath(path);
    const place = [...list, index + 1];
    const flow = nodes.reduceRight<FlowRecord>((changed, node) => insertAt(changed, list, index + 1, node), this.flow);
    this.#focusOn([...place, ...open]);
    this.#step(withIds(withFields(flow, settings)), [...place, ...open], undefined);
  }

  duplicate(path: Path): void {
    const [list, index] = splitPath(path);
    const copy = withFreshIds(getAt(this.flow, path) as FlowNode, this.flow);
    const place = [...list, index + 1];
    this.#focusOn(place);
    this.#step(insertAt(this.flow, list, index + 1, copy), place, undefined);
  }

  remove(path: Path): void {
    const [list, index] = splitPath(path);
    const left = lengthAt(this.flow, list) - 1;
    this.#focusOn([...list, Math.min(index, left - 1)]);
    const isOpenWithin = this.#now.open !== undefined && isWithin(this.#now.open, path);
    this.#step(removeAt(this.flow, path), isOpenWithin ? undefined : this.#now.open, undefined);
  }

  /** Moves the node by this number of places in its list. */
  move(path: Path, by: number): void {
    const [list, index] = splitPath(path);
    this.moveTo(path, list, by > 0 ? index + by + 1 : index + by);
  }

  /** Moves the node to a place in any list; `index` counts as before the move. */
  moveTo(path: Path, list: Path, index: number): void {
    const moved = moveTo(this.flow, path, list, index);
    if (!moved || pathText(moved.path) === pathText(path)) return;
    const { open } = this.#now;
    this.#focusOn(moved.path);
    const isOpenWithin = open !== undefined && isWithin(open, path);
    this.#step(moved.flow, isOpenWithin ? [...moved.path, ...open.slice(path.length)] : undefined, undefined);
  }

  // — what is open —

  isOpen(path: Path): boolean {
    return this.#now.open !== undefined && pathText(this.#now.open) === pathText(path);
  }

  setOpen(path: Path | undefined): void {
    this.#now = { ...this.#now, open: path };
    this.#field = undefined;
    this.#notify();
  }

  /** Opens a node and focuses it. */
  show(path: Path): void {
    this.#focusOn(path);
    this.setOpen(path);
  }

  /** Focuses a node that stays closed. */
  focus(path: Path): void {
    this.#focusOn(path);
    this.#notify();
  }

  // — undo and redo —

  undo(): void {
    const step = this.#past.pop();
    if (!step) return;
    this.#future.push(this.#now);
    this.#goTo(step);
  }

  redo(): void {
    const step = this.#future.pop();
    if (!step) return;
    this.#past.push(this.#now);
    this.#goTo(step);
  }

  /** The relay has saved the flow: its response is the saved state, and the undo history stays. */
  saved(flow: FlowRecord): void {
    this.#saved = flow;
    this.#now = { ...this.#now, flow };
    this.#field = undefined;
    this.#notify();
  }

  #goTo(step: Step): void {
    this.#now = step;
    this.#field = undefined;
    this.#notify();
  }

  #step(flow: FlowRecord, open: Path | undefined, field: string | undefined): void {
    const isSameField = field !== undefined && field === this.#field;
    if (!isSameField) this.#past = [...this.#past, this.#now].slice(-MAX_STEPS);
    this.#field = field;
    this.#future = [];
    this.#now = { flow, open };
    this.#notify();
  }

  #focusOn(path: Path): void {
    this.#focus = { path, serial: (this.#focus?.serial ?? 0) + 1 };
  }

  #makeState(): EditState {
    const { flow, open } = this.#now;
    return {
      flow,
      open,
      focus: this.#focus,
      canUndo: this.#past.length > 0,
      canRedo: this.#future.length > 0,
      isChanged: JSON.stringify(flow) !== JSON.stringify(this.#saved),
    };
  }

  #notify(): void {
    this.#state = this.#makeState();
    for (const listener of this.#listeners) listener();
  }
}
