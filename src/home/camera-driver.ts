/** The port to cameras. Pictures and streams are conversations with the device; nothing of them becomes state. */
import type { AccessoryAddress, HapId } from './model.ts';

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

export interface CameraDriver {
  /** A picture of now, as JPEG. @throws `accessory_unreachable` · `accessory_error` */
  takePicture(address: AccessoryAddress, size: PictureSize): Promise<Buffer>;
  /**
   * Writes what a viewer asks of a stream, and reads what the camera answers by the same characteristic, in base64.
   * @throws `accessory_unreachable` · `accessory_error`
   */
  negotiate(address: AccessoryAddress, iid: HapId, value: string): Promise<string>;
}
