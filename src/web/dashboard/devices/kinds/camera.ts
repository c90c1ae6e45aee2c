import { Cctv } from 'lucide-react';
import { type DeviceKind, line } from '../kind.ts';
import { flagOf, serviceOf } from '../reading.ts';

/** The relay does not stream video; it reports the camera's events. */
export const camera: DeviceKind = {
  look(accessory) {
    const isMoving = flagOf(serviceOf(accessory, 'motion_sensor'), 'motion_detected') ?? false;
    return { icon: Cctv, tone: isMoving ? 'plain' : 'off' };
  },
  describe(accessory, t) {
    const mode = serviceOf(accessory, 'camera_operating_mode');
    const isOff = flagOf(mode, 'manually_disabled') === true || flagOf(mode, 'homekit_camera_active') === false;
    const isMoving = flagOf(serviceOf(accessory, 'motion_sensor'), 'motion_detected');
    return line(isOff ? t.off : t.ready, isMoving && t.sensor.motion.yes);
  },
};
