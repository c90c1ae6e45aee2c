import { BookOpen, Film, LogOut, Moon, Sparkles, Sunrise } from 'lucide-react';
import { describe, expect, it } from 'vitest';
import { iconByName } from '../../../src/web/dashboard/pages/scenes/scene-icons.ts';

describe('the icon of a scene without one', () => {
  it.each([
    ['Movie Night', Film],
    ['Good Night', Moon],
    ['Gute Nacht', Moon],
    ['Guten Morgen', Sunrise],
    ['Leave Home', LogOut],
    ['Reading', BookOpen],
    ['Xyz', Sparkles],
  ])('of %s is by its name', (name, icon) => {
    expect(iconByName(name)).toBe(icon);
  });
});
