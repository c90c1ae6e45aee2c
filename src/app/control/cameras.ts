/** What viewers ask of cameras, as operations: pictures and streams. A stream goes from the camera to its viewer. */
import type { CameraDriver, PictureSize } from '../../home/camera-driver.ts';
import type { Accessory } from '../../home/model.ts';
import { resolveCharacteristic } from '../../home/vocabulary/settings.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { AppDeps } from '../access/app-deps.ts';
import type { Caller } from '../access/caller.ts';
import type { CharacteristicWrite } from './control.ts';

interface CamerasDeps extends AppDeps<'state' | 'access'> {
  readonly driver: CameraDriver;
}

export class Cameras {
  readonly #deps: CamerasDeps;

  constructor(deps: CamerasDeps) {
    this.#deps = deps;
  }

  /**
   * A picture of now, as JPEG. Requires control access.
   * @throws `accessory_not_found` · `insufficient_permissions` · `relay_not_connected` · `accessory_unreachable` ·
   *         `accessory_error`
   */
  async takePicture(caller: Caller, accessoryId: string, size: PictureSize): Promise<Buffer> {
    return this.#deps.driver.takePicture(this.#controllable(caller, accessoryId).address, size);
  }

  /**
   * Sets up a stream: writes what the viewer asks, and gives back what the camera answers. Requires control access.
   * @throws the codes of `takePicture` · `characteristic_not_found` · `invalid_value`
   */
  async negotiate(caller: Caller, { accessoryId, ...address }: CharacteristicWrite): Promise<string> {
    const accessory = this.#controllable(caller, accessoryId);
    const { characteristicType, serviceIid, value } = address;
    const { characteristic } = resolveCharacteristic(accessory, characteristicType, serviceIid);
    if (typeof value !== 'string') throw new HearthError('invalid_value', 'A stream is set up by a text in base64.');
    return this.#deps.driver.negotiate(accessory.address, characteristic.iid, value);
  }

  #controllable(caller: Caller, id: string): Accessory {
    const { access, state } = this.#deps;
    const accessory = access.authorizeAccessory(caller, 'control', state.accessory(id));
    if (!state.isConnected(accessory.homeId)) throw new HearthError('relay_not_connected', 'Relay not connected');
    if (accessory.vanishedAt !== null) throw new HearthError('accessory_unreachable', 'Accessory unreachable');
    return accessory;
  }
}
