/** Who may join the bridge, and who did. */
import type { ServerNode } from '@matter/main';
import { DeviceCommissioner, FabricManager, SessionManager } from '@matter/main/protocol';
import { FabricIndex } from '@matter/main/types';
import type { MatterFabric } from '../../../home/matter-port.ts';
import type { CommissioningStatus } from '../messages.ts';
import type { ParentLink } from './parent-link.ts';

/** Sessions come and go in groups. */
const REPORT_DELAY_MS = 250;

export class Commissioning {
  readonly #node: ServerNode;
  readonly #link: ParentLink;
  #window: { readonly endsAt: number; readonly timer: NodeJS.Timeout } | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #lastSeen = new Map<number, number>();

  constructor(node: ServerNode, link: ParentLink) {
    this.#node = node;
    this.#link = link;
  }

  watch(): void {
    const { commissioning, sessions } = this.#node.events;
    const report = () => this.#reportSoon();
    commissioning.fabricsChanged.on(report);
    commissioning.commissioned.on(report);
    commissioning.decommissioned.on(report);
    sessions.opened.on(report);
    sessions.closed.on(report);
    sessions.subscriptionsChanged.on(report);
    this.#node.lifecycle.online.on(report);
  }

  /** @throws when a controller has a window open, or one joins right now */
  async openWindow(durationS: number): Promise<void> {
    if (this.#isOpenUntilCommissioned || this.#window) return;
    const commissioner = this.#node.env.get(DeviceCommissioner);
    if (commissioner.isFailsafeArmed) throw new Error('A controller is being added at the moment.');
    await commissioner.allowBasicCommissioning(() => this.#windowClosed());
    const timer = setTimeout(() => void commissioner.endCommissioning(), durationS * 1000);
    this.#window = { endsAt: Date.now() + durationS * 1000, timer };
    this.report();
  }

  async closeWindow(): Promise<void> {
    await this.#node.env.get(DeviceCommissioner).endCommissioning();
    this.report();
  }

  async removeFabric(index: number): Promise<void> {
    const fabrics = this.#node.env.get(FabricManager);
    const fabric = fabrics.fabrics.find(({ fabricIndex }) => fabricIndex === FabricIndex(index));
    await fabric?.leave();
    this.report();
  }

  report(): void {
    this.#link.send({ type: 'status', ...this.status() });
  }

  status(): CommissioningStatus {
    const { env } = this.#node;
    const sessions = env.has(SessionManager) ? [...env.get(SessionManager).sessions] : [];
    const fabrics = env.get(FabricManager).fabrics.map((fabric): MatterFabric => {
      const own = sessions.filter((session) => session.fabric?.fabricIndex === fabric.fabricIndex);
      const seen = Math.max(
        this.#lastSeen.get(fabric.fabricIndex) ?? 0,
        ...own.map(({ activeTimestamp }) => activeTimestamp),
      );
      if (seen > 0) this.#lastSeen.set(fabric.fabricIndex, seen);
      return {
        index: fabric.fabricIndex,
        label: fabric.label,
        vendorId: fabric.rootVendorId,
        fabricId: fabric.fabricId.toString(16).toUpperCase(),
        nodeId: fabric.rootNodeId.toString(16).toUpperCase(),
        isConnected: own.some(({ subscriptions }) => subscriptions.size > 0),
        lastSeenAt: seen > 0 ? seen : null,
      };
    });
    const windowEndsAt = this.#isOpenUntilCommissioned ? Number.POSITIVE_INFINITY : (this.#window?.endsAt ?? null);
    return { windowEndsAt, fabrics };
  }

  get #isOpenUntilCommissioned(): boolean {
    return this.#node.env.get(FabricManager).fabrics.length === 0;
  }

  #windowClosed(): void {
    clearTimeout(this.#window?.timer);
    this.#window = undefined;
    this.report();
  }

  #reportSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.report();
    }, REPORT_DELAY_MS);
  }
}
