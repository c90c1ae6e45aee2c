import { CHARACTERISTIC } from '../../../hap-spec/characteristics.ts';
import { type Describe, type EntityConfig, numbersOf, onOff, type Property, type ServicePart } from './entity.ts';
import { numberOrZero, wholeValueOf } from './templates.ts';

/** Degrees. */
const FULL_CIRCLE = 360;

/** Default schema: each property has its own topics, as ours do. */
export const light: Describe = (part) => {
  const on = part.useWritable(CHARACTERISTIC.powerState);
  if (!on) return undefined;
  return {
    component: 'light',
    object: on.key,
    label: 'Light',
    config: {
      ...onOff(on),
      // Setting the brightness of a lamp that is off does not turn it on.
      on_command_type: 'first',
      ...describeBrightness(part.useWritable(CHARACTERISTIC.brightness)),
      ...describeColors(part),
    },
  };
};

function describeBrightness(brightness: Property | undefined): EntityConfig {
  if (!brightness) return {};
  return {
    brightness_scale: numbersOf(brightness).max ?? 100,
    brightness_state_topic: brightness.stateTopic,
    brightness_value_template: wholeValueOf(brightness.key),
    brightness_command_topic: brightness.setTopic,
  };
}

function describeColors(part: ServicePart): EntityConfig {
  const temperature = part.useWritable(CHARACTERISTIC.colorTemperature);
  const hasColor = Boolean(part.find(CHARACTERISTIC.hue)?.writable && part.find(CHARACTERISTIC.saturation)?.writable);
  const hue = hasColor ? part.use(CHARACTERISTIC.hue) : undefined;
  const saturation = hasColor ? part.use(CHARACTERISTIC.saturation) : undefined;
  return {
    ...(temperature && describeTemperature(temperature)),
    ...(hue && saturation && describeColor(part, hue, saturation)),
    // HAP has no color mode: a light that is not white shows a color.
    ...(temperature &&
      saturation && {
        color_mode_state_topic: saturation.stateTopic,
        color_mode_value_template: `{{ 'hs' if value_json.get('${saturation.key}', 0) > 0 else 'color_temp' }}`,
      }),
  };
}

/** In mireds, both ways. */
function describeTemperature(temperature: Property): EntityConfig {
  const { min, max } = numbersOf(temperature);
  return {
    color_temp_state_topic: temperature.stateTopic,
    color_temp_value_template: wholeValueOf(temperature.key),
    color_temp_command_topic: temperature.setTopic,
    ...(min !== undefined && { min_mireds: Math.ceil(min) }),
    ...(max !== undefined && { max_mireds: Math.floor(max) }),
  };
}

/** Hue and saturation in one message, so that they change together. */
function describeColor({ setTopic }: ServicePart, hue: Property, saturation: Property): EntityConfig {
  return {
    hs_state_topic: hue.stateTopic,
    hs_value_template: `${numberOrZero(hue.key)},${numberOrZero(saturation.key)}`,
    hs_command_topic: setTopic,
    hs_command_template: `{"${hue.key}": ${send('hue', hue, FULL_CIRCLE)}, "${saturation.key}": ${send('sat', saturation, 100)}}`,
  };
}

/** Home Assistant sends its full range; some lamps accept less, such as hues to 359. */
function send(variable: string, property: Property, most: number): string {
  const { max = most } = numbersOf(property);
  return max < most ? `{{ [${variable}, ${max}] | min }}` : `{{ ${variable} }}`;
}
