/** The settable properties with their values (API §4.1.1). An accessory lists its own in `_settable`. */
import { z } from 'zod';
import { flag, number, text } from './fields.ts';

const percent = (description: string) => z.int().min(0).max(100).meta({ description });
const within = (from: number, to: number, description: string) => z.number().min(from).max(to).meta({ description });

export const SettableProperties = z
  .object({
    on: flag('Power.'),
    brightness: percent('Percent.'),
    hue: within(0, 360, 'Degrees.'),
    saturation: within(0, 100, 'Percent.'),
    color_temp: number('Mireds: 140 (cool) to 500 (warm).'),
    adaptive_lighting: flag('`color_temp` follows the day.'),
    active: flag('Power of climate devices and purifiers.'),
    heat_target: number('°C.'),
    cool_target: number('°C.'),
    hvac_mode: text('`auto`, `heat`, `cool` or `off`.'),
    lock_target: z.union([z.boolean(), z.number()]).meta({ description: '`true` locks, `false` unlocks.' }),
    alarm_target: z
      .union([z.string(), z.number()])
      .meta({ description: '`home`, `away`, `night`, `off` or HAP’s number.' }),
    speed: within(0, 100, 'Of a fan, percent.'),
    volume: percent('Of a speaker, percent.'),
    mute: flag('Of a speaker.'),
    target: percent('Of a blind or garage door: 0 is closed, 100 open.'),
    virtual_mode: text('Option of a virtual mode.'),
    virtual_count: number('A virtual counter.'),
    virtual_number: number('A virtual number.'),
    virtual_text: text('A virtual text.'),
    virtual_datetime: text('ISO 8601 without a zone.'),
    virtual_timer: z
      .union([z.string(), z.number(), z.boolean()])
      .meta({ description: '`active` starts the timer, else cancels it.' }),
  })
  .partial();
