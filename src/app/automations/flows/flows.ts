/**
 * Flows as operations: the service's own automations (wire-facts §6.2), created, changed, enabled, run, exported.
 * `parse-flow.ts` defines valid flows. The engine runs them; it is notified of every change after the change is
 * stored.
 */
import type { DocumentFormat } from '../../../contract/flows.ts';
import { HomeItems } from '../../../home/collection.ts';
import type { Home } from '../../../home/model.ts';
import { numberedName } from '../../../home/names.ts';
import type { Presence } from '../../../home/presence.ts';
import { HearthError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Json } from '../../../kernel/json.ts';
import type { Startable } from '../../../kernel/lifecycle.ts';
import type { AppDeps } from '../../access/app-deps.ts';
import { requireMaker } from '../../access/authority.ts';
import { type AccessLevel, notFound } from '../../access/authorize.ts';
import type { Caller } from '../../access/caller.ts';
import type { HomeReferences, Reference } from '../../layout/references.ts';
import type { VirtualAccessories } from '../../virtual-accessories/virtual-accessories.ts';
import type { Expressions } from '../expressions/expressions.ts';
import type { Flow, FlowDefinition } from '../flow.ts';
import { type FlowParts, uuidsIn } from '../parsing/parsing.ts';
import type { Admission } from '../program.ts';
import { withoutCredentials, withoutWebhookIds } from '../secrets.ts';
import { readFlowDocument, writeFlowDocument } from './document.ts';
import { FiringCounts } from './firing-counts.ts';
import type { FlowContext } from './flow-context.ts';
import type { FlowEngine } from './flow-engine.ts';
import type { FlowStore, FlowVersion } from './flow-store.ts';
import { isOutward } from './outward.ts';
import { isSmallFlow, type ParsedFlow, parseFlow, parseFlowInSlices } from './parse-flow.ts';
import { parseRunVariables } from './parse-run.ts';
import { presentDefinition, toProgram } from './present-flow.ts';
import { type FlowWebhook, findWebhookTrigger, WebhookIndex } from './webhook-index.ts';
import { YamlThread } from './yaml-thread.ts';

/** Far more than a home has, and few enough to arm all of them when the daemon starts. */
const MAX_FLOWS = 2_000;

interface FlowInput {
  readonly homeId: string;
  /** The flow to replace; a new one if left out. */
  readonly flowId?: string | undefined;
  /** As `parseFlow` accepts it. */
  readonly data: unknown;
}

/** A native automation whose place a flow takes. */
export interface ReplacedAutomation {
  /** The flow that does the same. */
  readonly asFlow: ParsedFlow;
  readonly createdAt: number;
  readonly lastTriggeredAt: number | null;
  /** Deletes it from the database, within the transaction of the flow; `forget` follows it. */
  erase(): void;
  forget(): void;
}

interface FlowsDeps extends AppDeps<'state' | 'access' | 'makers' | 'bus' | 'clock' | 'logger'> {
  readonly store: FlowStore;
  readonly engine: FlowEngine;
  readonly expressions: Pick<Expressions, 'check' | 'checkTemplates'>;
  /** Receives the accessories that flows use. */
  readonly references: Pick<HomeReferences, 'add'>;
  readonly virtuals: Pick<VirtualAccessories, 'describe'>;
  /** Whether a home has the scene, including built-in scenes and those of automations. */
  readonly hasScene: (sceneId: string, homeId: string) => boolean;
  readonly people: Presence;
  /** Native automations. */
  readonly natives: (id: string) => { readonly homeId: string; readonly name: string } | undefined;
  /** Called when a caller has requested a run, before the run is announced. */
  readonly onRequested?: OnRequested | undefined;
}

export type OnRequested = (caller: Caller, runId: string) => void;

export class Flows implements Startable {
  readonly #deps: FlowsDeps;
  readonly #kept = new HomeItems<Flow>(() => {});
  readonly #webhooks = new WebhookIndex();
  readonly #counts: FiringCounts;
  readonly #yaml = new YamlThread();
  /** The ids that a flow mentions, by flow, until it changes. */
  readonly #mentioned = new WeakMap<FlowDefinition['actions'], ReadonlySet<string>>();
  #stopListening: (() => void)[] = [];

  constructor(deps: FlowsDeps) {
    this.#deps = deps;
    this.#counts = new FiringCounts(deps, (id) => this.find(id));
    deps.makers.register('outward_flow', {
      find: (id) => {
        const flow = this.find(id);
        return flow && isOutward(flow) ? flow : undefined;
      },
      end: (id) => this.#delete(id),
    });
  }

  /** Loads the stored flows and passes them to the engine. After the layout, before the engine starts. */
  start(): void {
    const { store, engine, bus, references } = this.#deps;
    this.#yaml.start();
    for (const flow of store.load()) this.#put(flow);
    this.#stopListening = [
      engine.onTriggered(({ id }, at) => this.#count(id, at)),
      bus.on('layout.changed', ({ homeId }) => this.#forgetHome(homeId)),
      references.add(() => this.#references()),
    ];
  }

  /** After the engine stops, so that its last firings are counted too. */
  async stop(): Promise<void> {
    for (const stop of this.#stopListening.splice(0)) stop();
    this.#counts.write();
    await this.#yaml.stop();
  }

  // — read —

  /**
   * The flows of one home by name, or of all homes that the caller may view. A caller who may only view a home gets no
   * webhook ids, because an id is enough to run the flow. Only callers who may change flows get the credentials of
   * HTTP requests.
   * @throws `home_not_found`
   */
  list(caller: Caller, homeId?: string): readonly Flow[] {
    const { access, state } = this.#deps;
    const homes =
      homeId === undefined ? access.visibleHomes(caller, state.homes()) : [this.#home(caller, 'view', homeId)];
    return homes.flatMap(({ id }) => this.#kept.list(id)).map((flow) => this.#shown(caller, flow, flow));
  }

  /** Requires view access to its home; secrets as in `list`. @throws `automation_not_found` */
  get(caller: Caller, id: string): Flow {
    const flow = this.#authorized(caller, 'view', id);
    return this.#shown(caller, flow, flow);
  }

  /** Any flow. Checks no permission: for components that act for the home. */
  find(id: string): Flow | undefined {
    return this.#kept.find(id);
  }

  /**
   * Whether a flow may be run from outside and send requests: the temporary apps and tokens that edited it must still
   * be allowed to.
   */
  mayReachOut(id: string): boolean {
    const flow = this.find(id);
    return flow === undefined || this.#deps.makers.stands('outward_flow', flow.id, flow.homeId);
  }

  /** The flow and trigger of a webhook. Checks no permission: the id itself authorizes the request. */
  findWebhook(webhookId: string): FlowWebhook | undefined {
    const flow = this.find(this.#webhooks.ownerOf(webhookId) ?? '');
    if (!flow || !this.mayReachOut(flow.id)) return undefined;
    const trigger = flow && findWebhookTrigger(flow, webhookId);
    return trigger && { flow, trigger };
  }

  /**
   * The last 50 saves, latest first; secrets as in `list`. Requires view access to its home. @throws
   * `automation_not_found`
   */
  versions(caller: Caller, id: string): readonly FlowVersion[] {
    const flow = this.#authorized(caller, 'view', id);
    const versions = this.#deps.store.versionsOf(flow.id);
    return versions.map((version) => ({ ...version, definition: this.#shown(caller, flow, version.definition) }));
  }

  // — change —

  /**
   * Creates a flow, or replaces one as a whole; active runs continue with the old version. Admins of the home only.
   * @param input `flowId`: the flow to replace. `data`: as `parseFlow` accepts it; an omitted `enabled` stays
   * unchanged.
   * @throws `home_not_found` · `automation_not_found` · `insufficient_permissions` · `conflict` there are too many ·
   * what `parseFlow` throws
   */
  save(caller: Caller, input: FlowInput): Flow {
    const home = this.#home(caller, 'manage', input.homeId);
    if (input.flowId === undefined) {
      const id = newId();
      return this.#create(caller, home, id, parseFlow(input.data, this.#context(home.id, id)));
    }
    const before = this.#authorized(caller, 'manage', input.flowId);
    if (before.homeId !== home.id) throw notFound('automation_not_found');
    const parsed = parseFlow(input.data, this.#context(home.id, before.id));
    return this.#replace(caller, before, parsed);
  }

  /**
   * As `save`, but lets the event loop run between slices while a large flow is parsed.
   * @throws as `save`, and `conflict` the flow has changed meanwhile
   */
  async saveInSlices(caller: Caller, input: FlowInput): Promise<Flow> {
    const { homeId, flowId = newId(), data } = input;
    const { id } = this.#home(caller, 'manage', homeId);
    if (isSmallFlow(data)) return this.save(caller, input);
    const before = input.flowId === undefined ? undefined : this.#authorized(caller, 'manage', flowId);
    if (before && before.homeId !== id) throw notFound('automation_not_found');
    const parsed = await parseFlowInSlices(data, this.#context(id, before?.id ?? flowId));
    // Meanwhile rights may have changed, and the home may have been deleted.
    const home = this.#home(caller, 'manage', id);
    if (!before) return this.#create(caller, home, flowId, parsed);
    return this.#replace(caller, this.#unchanged(caller, before), parsed);
  }

  /**
   * Parses the input of a new flow without saving it. Admins of the home only.
   * @throws as `save`, but for `conflict`
   */
  check(caller: Caller, homeId: string, data: unknown): Promise<ParsedFlow> {
    const home = this.#home(caller, 'manage', homeId);
    return parseFlowInSlices(data, this.#context(home.id, newId()));
  }

  /**
   * Creates a flow that is parsed already, with this id. Admins of the home only.
   * @param instead the native automation whose place it takes, with its id: its runs continue, and the flow that is
   * equal to it becomes the first version
   * @throws as `save`
   */
  createParsed(
    caller: Caller,
    where: { readonly homeId: string; readonly id: string },
    parsed: ParsedFlow,
    instead?: ReplacedAutomation,
  ): Flow {
    const home = this.#home(caller, 'manage', where.homeId);
    if (!instead) return this.#create(caller, home, where.id, parsed);
    // Before anything is stored: a refusal leaves the native automation as it is.
    requireMaker(caller, isOutward(parsed.definition) ? 'outward_flow' : 'flow');
    this.#requireMayChange(caller, where.id, parsed.definition);
    return this.#replace(caller, this.#create(caller, home, where.id, instead.asFlow, instead), parsed);
  }

  /** For what is parsed before it is passed to `createParsed`. @param formerly what may refer to missing accessories */
  contextFor(homeId: string, flowId: string, formerly?: FlowParts): FlowContext {
    return { ...this.#context(homeId, flowId), ...(formerly && { formerly }) };
  }

  /**
   * Also deletes its versions and waiting runs; a flow that calls it fails at run time. Admins of its home only.
   * @throws `automation_not_found` · `insufficient_permissions`
   */
  delete(caller: Caller, id: string): void {
    const flow = this.#authorized(caller, 'manage', id);
    this.#delete(flow.id);
    this.#deps.makers.forget('outward_flow', flow.id);
  }

  /** Creates no version. Admins of its home only. @throws `automation_not_found` · `insufficient_permissions` */
  setEnabled(caller: Caller, id: string, enabled: boolean): Flow {
    return this.#setEnabled(this.#authorized(caller, 'manage', id), enabled);
  }

  /**
   * The same for an automation of this home, which may change all other automations of the home. @throws
   * `automation_not_found`
   */
  setEnabledBy(homeId: string, id: string, enabled: boolean): Flow {
    const flow = this.find(id);
    if (flow?.homeId !== homeId) throw notFound('automation_not_found');
    return this.#setEnabled(flow, enabled);
  }

  /**
   * Restores a saved version of a flow as a new version; the enabled state stays unchanged. Admins of its home only.
   * Lets the event loop run between slices.
   * @param versionId from `versions`
   * @throws `not_found` · `insufficient_permissions` · `conflict` the flow has changed meanwhile · what `parseFlow`
   * throws if an object that it needs no longer exists
   */
  async restoreVersion(caller: Caller, versionId: string): Promise<Flow> {
    const version = this.#deps.store.findVersion(versionId.toLowerCase());
    const current = version && this.find(version.flowId);
    if (!version || !current) throw notFound('not_found');
    const flow = this.#deps.access.authorizeIn(caller, 'manage', current, 'not_found');
    const context = { ...this.#context(flow.homeId, flow.id), formerly: version.definition };
    const data = { name: version.name, ...presentDefinition(version.definition) };
    if (isSmallFlow(data)) return this.#replace(caller, flow, parseFlow(data, context));
    const parsed = await parseFlowInSlices(data, context);
    return this.#replace(caller, this.#unchanged(caller, flow), parsed);
  }

  // — run —

  /**
   * Runs a flow now, if its conditions hold; does not wait for it. Requires control access to its home.
   * @param options `variables`: for this run, override the flow's own.
   * @returns the run's id, and the reason if it did not start
   * @throws `automation_not_found` · `insufficient_permissions` · `invalid_value` the variables
   */
  run(caller: Caller, id: string, options: { readonly variables?: unknown } = {}): Admission {
    const flow = this.#authorized(caller, 'control', id);
    const variables: Readonly<Record<string, Json>> | undefined = parseRunVariables(options.variables);
    const admission = this.#deps.engine.trigger(flow.id, { type: 'manual', ...(variables && { variables }) });
    this.#deps.onRequested?.(caller, admission.runId);
    return admission;
  }

  // — documents —

  /**
   * Exports a flow as a text that can be stored and imported elsewhere. The text names all references and omits
   * webhook ids; other secrets as in `list`. Requires view access to its home. Lets the event loop run while a long
   * document is written.
   * @throws `automation_not_found` · `conflict` it can't be written now
   */
  async export(caller: Caller, id: string, format: DocumentFormat): Promise<string> {
    const flow = this.#authorized(caller, 'view', id);
    const around = this.#namesIn(flow.homeId);
    return writeFlowDocument(this.#shown(caller, flow, flow), format, { around, yaml: this.#yaml });
  }

  /**
   * Imports an exported flow. Resolves references by id, else by name and room; a duplicate name gets a number. Admins
   * of the home only. Lets the event loop run between slices.
   * @param format detected if omitted
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_request` it is not a flow document ·
   * `invalid_value` naming everything that the home does not have · what `save` throws
   */
  async import(caller: Caller, homeId: string, text: string, format?: DocumentFormat): Promise<Flow> {
    this.#home(caller, 'manage', homeId);
    const flowId = newId();
    const data = await this.readDocument(homeId, text, { flowId, format });
    const { name, ...parsed } = await parseFlowInSlices(data, this.#context(homeId, flowId));
    // Meanwhile rights may have changed, the home may have been deleted, and another flow may have taken the name.
    const home = this.#home(caller, 'manage', homeId);
    return this.#create(caller, home, flowId, { ...parsed, name: numberedName(name, this.#kept.list(home.id)) });
  }

  /**
   * Parses an exported flow to the input of `save`. Checks no permission. Lets the event loop run between slices.
   * @throws `invalid_request` it is not a flow document · `invalid_value` naming everything that the home does not
   * have
   */
  readDocument(
    homeId: string,
    text: string,
    options: { readonly flowId: string; readonly format?: DocumentFormat | undefined },
  ): Promise<Readonly<Record<string, unknown>>> {
    const around = () => this.#namesIn(homeId);
    return readFlowDocument(text, { ...options, around, yaml: this.#yaml });
  }

  // — internal —

  #create(
    caller: Caller,
    home: Home,
    id: string,
    { name, enabled, definition }: ParsedFlow,
    instead?: ReplacedAutomation,
  ): Flow {
    if (this.#kept.list(home.id).length >= MAX_FLOWS) {
      throw new HearthError(
        'conflict',
        `A home has at most ${MAX_FLOWS} flows; delete one that is not needed any more.`,
        { reason: 'limit_reached' },
      );
    }
    const now = this.#deps.clock.now();
    const { createdAt = now, lastTriggeredAt = null } = instead ?? {};
    const times = { createdAt, updatedAt: now, lastTriggeredAt, triggerCount: 0 };
    const flow: Flow = { ...definition, id, homeId: home.id, name, enabled, version: 1, ...times };
    return this.#save(caller, flow, { isMade: !instead, instead });
  }

  /**
   * @throws also `insufficient_permissions` the flow has webhooks or sends requests, another user made it, and the
   * caller is an app or an expiring token
   */
  #replace(caller: Caller, before: Flow, { name, enabled, definition }: ParsedFlow): Flow {
    this.#requireMayChange(caller, before.id, before, definition);
    const version = before.version + 1;
    const updatedAt = this.#deps.clock.now();
    const flow: Flow = { ...before, ...definition, name, enabled, version, updatedAt };
    return this.#save(caller, flow, { isMade: isOutward(flow) });
  }

  #requireMayChange(caller: Caller, id: string, ...versions: readonly FlowDefinition[]): void {
    if (versions.some(isOutward)) this.#deps.makers.requireMayChange(caller, 'outward_flow', id);
  }

  /**
   * @param isMade whether the flow may end with the caller. A caller that changes a flow of another user while it is
   * not outward does not become its maker: it would get the secrets that the user adds later. The same
   * holds for a native automation that becomes a flow.
   */
  #save(
    caller: Caller,
    flow: Flow,
    { isMade, instead }: { readonly isMade: boolean; readonly instead?: ReplacedAutomation | undefined },
  ): Flow {
    requireMaker(caller, isOutward(flow) ? 'outward_flow' : 'flow');
    this.#deps.store.save(flow, newId(), () => {
      instead?.erase();
      if (isMade) this.#deps.makers.record(caller, 'outward_flow', flow.id);
    });
    instead?.forget();
    return this.#put(flow);
  }

  /** The flow again, after a pause. @throws `automation_not_found` · `insufficient_permissions` · `conflict` */
  #unchanged(caller: Caller, before: Flow): Flow {
    const flow = this.#authorized(caller, 'manage', before.id);
    if (flow.version === before.version && flow.enabled === before.enabled) return flow;
    throw new HearthError('conflict', `“${flow.name}” was changed while it was saved. Look at it, then try again.`);
  }

  #delete(id: string): void {
    this.#deps.store.delete(id);
    this.#forget(id);
  }

  #setEnabled(flow: Flow, enabled: boolean): Flow {
    if (flow.enabled === enabled) return flow;
    this.#deps.store.setEnabled(flow.id, enabled);
    return this.#put({ ...flow, enabled });
  }

  #put(flow: Flow): Flow {
    this.#kept.put(flow);
    this.#webhooks.put(flow);
    this.#deps.engine.put(toProgram(flow));
    this.#deps.bus.emit('automations.changed', { homeId: flow.homeId });
    return flow;
  }

  #forget(id: string): void {
    const homeId = this.#kept.find(id)?.homeId;
    this.#kept.remove(id);
    this.#webhooks.remove(id);
    this.#deps.engine.remove(id);
    if (homeId !== undefined) this.#deps.bus.emit('automations.changed', { homeId });
  }

  /** The database has already deleted its flows. */
  #forgetHome(homeId: string): void {
    if (this.#deps.state.home(homeId)) return;
    for (const { id } of this.#kept.list(homeId)) this.#forget(id);
  }

  #count(id: string, at: number): void {
    const flow = this.find(id);
    if (!flow) return;
    this.#kept.put({ ...flow, lastTriggeredAt: at, triggerCount: flow.triggerCount + 1 });
    this.#counts.changed(flow.id);
  }

  *#references(): Iterable<Reference> {
    const { state } = this.#deps;
    for (const flow of this.#kept.all()) {
      const from = { kind: 'flow', id: flow.id, name: flow.name } as const;
      for (const accessoryId of this.#mentionedBy(flow)) {
        // A flow that mentions another home's accessory does not count as a reference in that home.
        const homeId = state.accessory(accessoryId)?.homeId ?? flow.homeId;
        if (homeId === flow.homeId) yield { from, accessoryId };
      }
    }
  }

  /** All ids that the flow mentions; those that are not accessories have no effect. */
  #mentionedBy({ triggers, conditions, actions, variables }: Flow): ReadonlySet<string> {
    const known = this.#mentioned.get(actions);
    if (known) return known;
    const ids = uuidsIn([triggers, conditions, actions, variables]);
    this.#mentioned.set(actions, ids);
    return ids;
  }

  /** An expired app could otherwise keep the secrets that it read: an app sees the secrets of its own flows only. */
  #shown<T extends FlowDefinition>(
    caller: Caller,
    { id: flowId, homeId }: Pick<Flow, 'id' | 'homeId'>,
    definition: T,
  ): T {
    const { access, makers } = this.#deps;
    const isOfOthers = !makers.isOwn(caller, 'outward_flow', flowId);
    const isApp = caller.principal.kind === 'oauth_client';
    if (access.mayIn(caller, 'manage', homeId) && !(isApp && isOfOthers)) return definition;
    const shown = withoutCredentials(definition);
    const actsForPerson = isApp || caller.principal.kind === 'access_token';
    const maySeeIds = access.mayIn(caller, 'control', homeId) && !(actsForPerson && isOfOthers);
    return maySeeIds ? shown : withoutWebhookIds(shown);
  }

  #context(homeId: string, flowId: string): FlowContext {
    const { state, expressions, virtuals, hasScene, people, natives } = this.#deps;
    const webhookOwner = (webhookId: string) => this.#webhooks.ownerOf(webhookId);
    const flows = (id: string) => this.find(id);
    return { homeId, flowId, state, expressions, flows, virtuals, hasScene, people, natives, webhookOwner };
  }

  #namesIn(homeId: string) {
    const { state, people } = this.#deps;
    return { homeId, state, people: people.people(homeId), flows: this.#kept.list(homeId) };
  }

  #home(caller: Caller, action: AccessLevel, id: string): Home {
    return this.#deps.access.authorizeHome(caller, action, this.#deps.state.home(id));
  }

  #authorized(caller: Caller, action: AccessLevel, id: string): Flow {
    return this.#deps.access.authorizeIn(caller, action, this.find(id), 'automation_not_found');
  }
}
