/**
 * Flows as operations: the service's own automations (wire-facts §6.2), made, changed, switched, run, exported. What a flow is allowed
 * to be is `parse-flow.ts`; running it is the engine's business, which is told of every change after it has been stored.
 */
import { Collection } from '../../../home/collection.ts';
import type { HomeEvents } from '../../../home/events.ts';
import type { HomeState } from '../../../home/home-state.ts';
import type { Home } from '../../../home/model.ts';
import { nameKey, numberedName, requireFreeName } from '../../../home/names.ts';
import type { Presence } from '../../../home/presence.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { EventBus } from '../../../kernel/event-bus.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Startable } from '../../../kernel/lifecycle.ts';
import type { Logger } from '../../../kernel/logger.ts';
import { type Access, type Action, notFound } from '../../access/authorize.ts';
import type { Caller } from '../../access/caller.ts';
import type { HomeReferences, Reference } from '../../layout/references.ts';
import type { VirtualAccessories } from '../../virtual-accessories/virtual-accessories.ts';
import type { Expressions } from '../expressions/expressions.ts';
import type { Flow, FlowDefinition, Json } from '../flow.ts';
import type { Admission } from '../program.ts';
import { withoutCredentials, withoutWebhookIds } from '../secrets.ts';
import { type DocumentFormat, readFlowDocument, writeFlowDocument } from './document.ts';
import { FiringCounts } from './firing-counts.ts';
import type { FlowEngine } from './flow-engine.ts';
import type { FlowStore, FlowVersion } from './flow-store.ts';
import { type ParsedFlow, parseFlow } from './parse-flow.ts';
import { parseRunVariables } from './parse-run.ts';
import { type ParseContext, uuidsIn } from './parsing.ts';
import { presentDefinition, toProgram } from './present-flow.ts';
import { findWebhookTrigger, type Webhook, WebhookIndex } from './webhook-index.ts';

/** Far more than a house has, and few enough that each can be armed when the daemon starts. */
const MAX_FLOWS = 2_000;

interface FlowsParts {
  readonly store: FlowStore;
  readonly state: HomeState;
  readonly access: Access;
  readonly engine: FlowEngine;
  readonly expressions: Pick<Expressions, 'check' | 'checkTemplates'>;
  readonly bus: EventBus<HomeEvents>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Where it says which accessories flows use. */
  readonly references: Pick<HomeReferences, 'add'>;
  readonly virtuals: Pick<VirtualAccessories, 'describe'>;
  /** Whether a home has the scene, built-in ones and an automation's too. */
  readonly hasScene: (sceneId: string, homeId: string) => boolean;
  readonly people: Presence;
  /** Native automations. */
  readonly natives: (id: string) => { readonly homeId: string; readonly name: string } | undefined;
}

export class Flows implements Startable {
  readonly #parts: FlowsParts;
  readonly #kept = new Collection<Flow>(() => {});
  readonly #webhooks = new WebhookIndex();
  readonly #counts: FiringCounts;
  /** By flow, until it changes: the ids that it mentions. */
  readonly #mentioned = new WeakMap<FlowDefinition['actions'], ReadonlySet<string>>();
  #stopListening: (() => void)[] = [];

  constructor(parts: FlowsParts) {
    this.#parts = parts;
    this.#counts = new FiringCounts(parts, (id) => this.find(id));
  }

  /** Brings the stored flows into memory and hands them to the engine. After the layout, before the engine starts. */
  start(): void {
    const { store, engine, bus, references } = this.#parts;
    for (const flow of store.load()) this.#put(flow);
    this.#stopListening = [
      engine.onTriggered(({ id }, at) => this.#count(id, at)),
      bus.on('layout.changed', ({ homeId }) => this.#forgetHome(homeId)),
      references.add(() => this.#references()),
    ];
  }

  /** After the engine, whose last firings are counted too. */
  stop(): void {
    for (const stop of this.#stopListening.splice(0)) stop();
    this.#counts.write();
  }

  // — reading —

  /**
   * Those of one home by name, or of all that the caller may see. Whoever may only view a home is shown no ids of webhooks: they are
   * all that it takes to run the flow. What requests to other programs authenticate with is for those who may change it.
   * @throws `home_not_found`
   */
  list(caller: Caller, homeId?: string): readonly Flow[] {
    const { access, state } = this.#parts;
    const homes =
      homeId === undefined ? access.visibleHomes(caller, state.homes()) : [this.#home(caller, 'view', homeId)];
    return homes.flatMap(({ id }) => this.#kept.list(id)).map((flow) => this.#shown(caller, flow.homeId, flow));
  }

  /** For whoever may view its home; without secrets as `list`. @throws `automation_not_found` */
  get(caller: Caller, id: string): Flow {
    const flow = this.#authorized(caller, 'view', id);
    return this.#shown(caller, flow.homeId, flow);
  }

  /** Any flow. Asks no permission: for parts that act for the house. */
  find(id: string): Flow | undefined {
    return this.#kept.find(id);
  }

  /** What a request to a webhook is for. Asks no permission: who knows the id may use it. */
  findWebhook(webhookId: string): Webhook | undefined {
    const flow = this.find(this.#webhooks.ownerOf(webhookId) ?? '');
    const trigger = flow && findWebhookTrigger(flow, webhookId);
    return flow && trigger && { flow, trigger };
  }

  /** The last 50 saves, latest first; without secrets as `list`. For whoever may view its home. @throws `automation_not_found` */
  versions(caller: Caller, id: string): readonly FlowVersion[] {
    const { id: flowId, homeId } = this.#authorized(caller, 'view', id);
    const versions = this.#parts.store.versionsOf(flowId);
    return versions.map((version) => ({ ...version, definition: this.#shown(caller, homeId, version.definition) }));
  }

  // — changing —

  /**
   * Makes a flow, or replaces one as a whole; runs under way end as what they began as. For admins of the home.
   * @param input `flowId`: the one to replace. `data`: as `parseFlow` takes it; `enabled` stays as it is where left out.
   * @throws `home_not_found` · `automation_not_found` · `insufficient_permissions` · `conflict` the name is taken, or there are too
   *         many · what `parseFlow` throws
   */
  save(
    caller: Caller,
    input: { readonly homeId: string; readonly flowId?: string | undefined; readonly data: unknown },
  ): Flow {
    const home = this.#home(caller, 'manage', input.homeId);
    if (input.flowId === undefined) return this.#create(home, newId(), input.data);
    const before = this.#authorized(caller, 'manage', input.flowId);
    if (before.homeId !== home.id) throw notFound('automation_not_found');
    const parsed = parseFlow(input.data, this.#context(home.id, before.id));
    requireFreeName(parsed.name, 'flow', this.#kept.list(home.id), before.id);
    return this.#replace(before, parsed);
  }

  /** Its versions and waiting runs go with it; what calls it says so when it runs. For admins of its home. @throws `automation_not_found` · `insufficient_permissions` */
  delete(caller: Caller, id: string): void {
    const flow = this.#authorized(caller, 'manage', id);
    this.#parts.store.delete(flow.id);
    this.#forget(flow.id);
  }

  /** For admins of its home. No version is kept of it. @throws `automation_not_found` · `insufficient_permissions` */
  setEnabled(caller: Caller, id: string, enabled: boolean): Flow {
    return this.#setEnabled(this.#authorized(caller, 'manage', id), enabled);
  }

  /** The same for an automation of this home, which may do so to all others of it. @throws `automation_not_found` */
  setEnabledBy(homeId: string, id: string, enabled: boolean): Flow {
    const flow = this.find(id);
    if (flow?.homeId !== homeId) throw notFound('automation_not_found');
    return this.#setEnabled(flow, enabled);
  }

  /**
   * Makes a flow again what it was when it was saved once, as a new version; whether it is enabled stays. It keeps its name where the
   * one of then is taken. For admins of its home.
   * @param versionId of `versions`
   * @throws `not_found` · `insufficient_permissions` · what `parseFlow` throws where something it needs is gone since
   */
  restoreVersion(caller: Caller, versionId: string): Flow {
    const version = this.#parts.store.findVersion(versionId.toLowerCase());
    const current = version && this.find(version.flowId);
    if (!version || !current) throw notFound('not_found');
    const flow = this.#parts.access.authorizeIn(caller, 'manage', current, 'not_found');
    const key = nameKey(version.name);
    const isTaken = this.#kept.list(flow.homeId).some((other) => other.id !== flow.id && nameKey(other.name) === key);
    const name = isTaken ? flow.name : version.name;
    const context = { ...this.#context(flow.homeId, flow.id), formerly: version.definition };
    return this.#replace(flow, parseFlow({ name, ...presentDefinition(version.definition) }, context));
  }

  // — running —

  /**
   * Runs a flow now, if its conditions hold; does not wait for it. For whoever may control its home.
   * @param options `variables`: for this run, put over the flow's own.
   * @returns the run's id, and why it did not begin where it did not
   * @throws `automation_not_found` · `insufficient_permissions` · `invalid_value` the variables
   */
  run(caller: Caller, id: string, options: { readonly variables?: unknown } = {}): Admission {
    const flow = this.#authorized(caller, 'control', id);
    const variables: Readonly<Record<string, Json>> | undefined = parseRunVariables(options.variables);
    return this.#parts.engine.trigger(flow.id, { type: 'manual', ...(variables && { variables }) });
  }

  // — documents —

  /**
   * A flow as a text that can be kept and taken in elsewhere: what it refers to is named, ids of webhooks are left out; other secrets
   * as `list`. For whoever may view its home.
   * @throws `automation_not_found`
   */
  export(caller: Caller, id: string, format: DocumentFormat): string {
    const flow = this.#authorized(caller, 'view', id);
    return writeFlowDocument(this.#shown(caller, flow.homeId, flow), format, this.#neighbourhood(flow.homeId));
  }

  /**
   * Makes a flow of an exported one. What it refers to is found by its id, else by name and room; a name that is taken gets a number.
   * For admins of the home.
   * @param format found out where left out
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_request` it is no such document · `invalid_value` naming
   *         everything that the home has not · what `save` throws
   */
  import(caller: Caller, homeId: string, text: string, format?: DocumentFormat): Flow {
    const home = this.#home(caller, 'manage', homeId);
    const id = newId();
    const data = readFlowDocument(text, format, id, this.#neighbourhood(home.id));
    const name = typeof data.name === 'string' ? numberedName(data.name, this.#kept.list(home.id)) : data.name;
    return this.#create(home, id, { ...data, name });
  }

  // — inside —

  #create(home: Home, id: string, data: unknown): Flow {
    if (this.#kept.list(home.id).length >= MAX_FLOWS) {
      throw new HearthError(
        'conflict',
        `A home has at most ${MAX_FLOWS} flows; delete one that is not needed any more.`,
        { reason: 'limit_reached' },
      );
    }
    const { name, enabled, definition } = parseFlow(data, this.#context(home.id, id));
    requireFreeName(name, 'flow', this.#kept.list(home.id));
    const now = this.#parts.clock.now();
    const times = { createdAt: now, updatedAt: now, lastTriggeredAt: null, triggerCount: 0 };
    return this.#save({ ...definition, id, homeId: home.id, name, enabled, version: 1, ...times });
  }

  #replace(before: Flow, { name, enabled, definition }: ParsedFlow): Flow {
    const version = before.version + 1;
    return this.#save({ ...before, ...definition, name, enabled, version, updatedAt: this.#parts.clock.now() });
  }

  #save(flow: Flow): Flow {
    this.#parts.store.save(flow, newId());
    return this.#put(flow);
  }

  #setEnabled(flow: Flow, enabled: boolean): Flow {
    if (flow.enabled === enabled) return flow;
    this.#parts.store.setEnabled(flow.id, enabled);
    return this.#put({ ...flow, enabled });
  }

  #put(flow: Flow): Flow {
    this.#kept.put(flow);
    this.#webhooks.put(flow);
    this.#parts.engine.put(toProgram(flow));
    this.#parts.bus.emit('automations.changed', { homeId: flow.homeId });
    return flow;
  }

  #forget(id: string): void {
    const homeId = this.#kept.find(id)?.homeId;
    this.#kept.remove(id);
    this.#webhooks.remove(id);
    this.#parts.engine.remove(id);
    if (homeId !== undefined) this.#parts.bus.emit('automations.changed', { homeId });
  }

  /** The database has deleted its flows with it. */
  #forgetHome(homeId: string): void {
    if (this.#parts.state.home(homeId)) return;
    for (const { id } of this.#kept.list(homeId)) this.#forget(id);
  }

  #count(id: string, at: number): void {
    const flow = this.find(id);
    if (!flow) return;
    this.#kept.put({ ...flow, lastTriggeredAt: at, triggerCount: flow.triggerCount + 1 });
    this.#counts.changed(flow.id);
  }

  *#references(): Iterable<Reference> {
    const { state } = this.#parts;
    for (const flow of this.#kept.all()) {
      const from = `the automation "${flow.name}"`;
      for (const accessoryId of this.#mentionedBy(flow)) {
        // Whoever mentions what another home has keeps nobody there from anything.
        const homeId = state.accessory(accessoryId)?.homeId ?? flow.homeId;
        if (homeId === flow.homeId) yield { from, accessoryId };
      }
    }
  }

  /** Everything that it mentions; what is no accessory is nobody's there. */
  #mentionedBy({ triggers, conditions, actions, variables }: Flow): ReadonlySet<string> {
    const known = this.#mentioned.get(actions);
    if (known) return known;
    const ids = uuidsIn([triggers, conditions, actions, variables]);
    this.#mentioned.set(actions, ids);
    return ids;
  }

  #shown<T extends FlowDefinition>(caller: Caller, homeId: string, definition: T): T {
    const { access } = this.#parts;
    if (access.mayIn(caller, 'manage', homeId)) return definition;
    const shown = withoutCredentials(definition);
    return access.mayIn(caller, 'control', homeId) ? shown : withoutWebhookIds(shown);
  }

  #context(homeId: string, flowId: string): ParseContext {
    const { state, expressions, virtuals, hasScene, people, natives } = this.#parts;
    const webhookOwner = (webhookId: string) => this.#webhooks.ownerOf(webhookId);
    const flows = (id: string) => this.find(id);
    return { homeId, flowId, state, expressions, flows, virtuals, hasScene, people, natives, webhookOwner };
  }

  #neighbourhood(homeId: string) {
    const { state, people } = this.#parts;
    return { homeId, state, people: people.people(homeId), flows: this.#kept.list(homeId) };
  }

  #home(caller: Caller, action: Action, id: string): Home {
    return this.#parts.access.authorizeHome(caller, action, this.#parts.state.home(id));
  }

  #authorized(caller: Caller, action: Action, id: string): Flow {
    return this.#parts.access.authorizeIn(caller, action, this.find(id), 'automation_not_found');
  }
}
