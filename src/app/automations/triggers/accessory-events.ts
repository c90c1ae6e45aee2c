import type { HomeEvents } from '../../../home/events.ts';

export interface AccessoryListener {
  changed?(event: HomeEvents['state.changed']): void;
  pressed?(event: HomeEvents['button.pressed']): void;
}

export declare class AccessoryEvents {
  /** @returns the function that ends it */
  on(accessoryId: string, listener: AccessoryListener): () => void;
}
