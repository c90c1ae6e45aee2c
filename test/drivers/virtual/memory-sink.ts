import type { DescribedAccessory, DriverSink, ReportedValue } from '../../../src/home/accessory-driver.ts';

/** Records a driver's reports. */
export class MemorySink implements DriverSink {
  readonly described = new Map<string, DescribedAccessory>();
  readonly reports: (ReportedValue & { readonly source: string })[] = [];
  readonly reachable = new Map<string, boolean>();

  describe(_homeId: string, source: string, [accessory]: readonly DescribedAccessory[]): void {
    if (accessory) this.described.set(source, accessory);
  }

  report(source: string, values: readonly ReportedValue[]): void {
    for (const value of values) this.reports.push({ ...value, source });
  }

  setReachable(source: string, reachable: boolean): void {
    this.reachable.set(source, reachable);
  }

  forget(source: string): void {
    this.described.delete(source);
  }

  setConnected(): void {}
}
