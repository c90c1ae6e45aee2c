/**
 * Automations as the editor saves them: what a native automation can express is stored as one, anything else as a
 * flow. Saving never asks which: a native automation that needs more becomes a flow with the same id.
 */
import type { SavedAutomation } from '../../../contract/flows.ts';
import { HearthError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import type { AppDeps } from '../../access/app-deps.ts';
import { notFound } from '../../access/authorize.ts';
import type { Caller } from '../../access/caller.ts';
import type { Flow, FlowDefinition } from '../flow.ts';
import type { FlowContext } from '../flows/flow-context.ts';
import type { Flows } from '../flows/flows.ts';
import { presentDefinition } from '../flows/present-flow.ts';
import type { Automation } from '../native/automation.ts';
import type { Automations } from '../native/automations.ts';
import { type AutomationDraft, isObject, parseDraft, parseSmallDraft } from './draft.ts';
import { draftAsFlow } from './draft-as-flow.ts';
import { draftAsNative } from './draft-as-native.ts';
import { nativeAsDraft, partsOfNative } from './native-as-draft.ts';

interface DraftsDeps extends AppDeps<'state' | 'access'> {
  readonly flows: Flows;
  readonly automations: Automations;
}

interface DraftInput {
  readonly homeId: string;
  /** The automation to replace; a new one if left out. */
  readonly automationId?: string | undefined;
  /** As `parseDraft` accepts it. */
  readonly data: unknown;
}

/** Refusals of a native automation after which a flow is tried: its limits are narrower. */
const LIMITS: ReadonlySet<string> = new Set(['invalid_value', 'invalid_request']);

export class AutomationDrafts {
  readonly #deps: DraftsDeps;

  constructor(deps: DraftsDeps) {
    this.#deps = deps;
  }

  /**
   * Creates an automation, or replaces one as a whole. A flow stays a flow. In a home whose native automations are
   * read-only, new automations are flows. Admins of the home only. Lets the event loop run between slices.
   * @throws what `Flows.save` and `Automations.update` throw; `field` names the place in the draft · `conflict` the
   *         draft is of a native automation that has become a flow meanwhile
   */
  async save(caller: Caller, { homeId, automationId, data }: DraftInput): Promise<SavedAutomation> {
    const { access, state, automations, flows } = this.#deps;
    const home = access.authorizeHome(caller, 'manage', state.home(homeId));
    const native = automationId === undefined ? undefined : automations.find(automationId);
    if (automationId !== undefined && !native) {
      if (hasFormOfNative(data) && flows.get(caller, automationId).homeId === home.id) throw extendedMeanwhile();
      const { id } = await flows.saveInSlices(caller, { homeId: home.id, flowId: automationId, data });
      return { id, kind: 'flow' };
    }
    if (native && native.homeId !== home.id) throw notFound('automation_not_found');
    const id = native?.id ?? newId();
    const context = flows.contextFor(home.id, id, native && partsOfNative(native, state));
    const draft = await parseDraft(data, context);
    const saved = this.#saveNative(caller, home.id, draft, native);
    if (saved) return saved;
    const asFlow = (one: AutomationDraft) => ({ ...one, definition: draftAsFlow(one, id) });
    const before = native && ((await parseStored(nativeAsDraft(native, state), context)) ?? draft);
    const instead = before && { ...automations.replacement(caller, id), asFlow: asFlow(before) };
    flows.createParsed(caller, { homeId: home.id, id }, asFlow(draft), instead);
    return { id, kind: 'flow' };
  }

  /**
   * An automation of either kind as `save` accepts it. Requires view access to its home.
   * @throws `automation_not_found`
   */
  get(caller: Caller, automationId: string): object {
    const found = this.#get(caller, automationId);
    return 'trigger' in found ? nativeAsDraft(found, this.#deps.state) : presentDraft(found);
  }

  /** `save` in the home of the automation. @throws `automation_not_found` · what `save` throws */
  async replace(caller: Caller, automationId: string, data: unknown): Promise<SavedAutomation> {
    const { id, homeId } = this.#get(caller, automationId);
    return this.save(caller, { homeId, automationId: id, data });
  }

  #get(caller: Caller, id: string): Automation | Flow {
    const { automations, flows } = this.#deps;
    return automations.find(id) ? automations.get(caller, id) : flows.get(caller, id);
  }

  /**
   * A native automation as the flow that it would be. It acts each time. Requires view access to its home.
   * @throws `automation_not_found`
   */
  asFlow(caller: Caller, automationId: string): FlowDefinition {
    const { automations, flows, state } = this.#deps;
    const native = automations.get(caller, automationId);
    const context = flows.contextFor(native.homeId, native.id, partsOfNative(native, state));
    const draft = parseSmallDraft(nativeAsDraft(native, state), context);
    return draftAsFlow({ ...draft, executeOnce: false }, native.id);
  }

  /** @returns nothing if it needs a flow */
  #saveNative(
    caller: Caller,
    homeId: string,
    draft: AutomationDraft,
    native: Automation | undefined,
  ): SavedAutomation | undefined {
    const { automations, state } = this.#deps;
    const isLocked = state.home(homeId)?.privileges !== 'edit';
    const input = native || !isLocked ? draftAsNative(draft, native?.trigger) : undefined;
    if (!input) return undefined;
    const { enabled } = draft;
    try {
      const { id } = native
        ? automations.update(caller, native.id, { ...input, enabled })
        : automations.create(caller, { homeId, ...input, enabled });
      return { id, kind: 'native' };
    } catch (error) {
      if (!(error instanceof HearthError) || !LIMITS.has(error.code)) throw error;
      if (error.details.field !== 'trigger.fireDate') return undefined;
      throw new HearthError(error.code, error.message, { ...error.details, field: 'triggers[0].fireDate' });
    }
  }
}

function presentDraft(flow: Flow): object {
  const { name, enabled } = flow;
  return { name, enabled, ...presentDefinition(flow) };
}

/** Only native automations have an end and act once. */
function hasFormOfNative(data: unknown): boolean {
  return isObject(data) && ('until' in data || 'executeOnce' in data);
}

function extendedMeanwhile(): HearthError {
  return new HearthError(
    'conflict',
    'This automation has been extended and is a flow now. Open it again, so that the other changes stay.',
    { reason: 'extended_meanwhile' },
  );
}

/** Nothing if it refers to people or devices that flows can't refer to any more. */
async function parseStored(data: object, context: FlowContext): Promise<AutomationDraft | undefined> {
  try {
    return await parseDraft(data, context);
  } catch (error) {
    if (error instanceof HearthError) return undefined;
    throw error;
  }
}
