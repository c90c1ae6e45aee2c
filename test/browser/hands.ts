/**
 * The two ways in which people do a task: by pointer, whose clicks are counted, and by the keyboard alone, which really
 * goes from one element to the next. A task is written once and done by both.
 */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** More than any page has on the way to what a task needs: it would be a trap. */
const MAX_STEPS = 200;
const RADIO = 'input[type=radio]';

export abstract class Hands {
  readonly page: Page;
  /** The presses of the pointer. */
  clicks = 0;

  constructor(page: Page) {
    this.page = page;
  }

  /** A button or a link. */
  abstract press(target: Locator): Promise<void>;
  /** A checkbox, a switch or one of several radios. */
  abstract tick(target: Locator): Promise<void>;
  /** Goes to a field, and writes into it. */
  abstract write(field: Locator, text: string): Promise<void>;
  /** Goes to a field of date and time, and sets it to 11:11 on 12 December 2099. */
  abstract setMoment(field: Locator): Promise<void>;
  abstract choose(box: Locator, option: Locator): Promise<void>;
  /** Begins to select tiles with this one. */
  abstract select(tile: Locator): Promise<void>;

  /** Writes into a field that has the focus by itself. */
  async type(field: Locator, text: string): Promise<void> {
    await field.and(this.page.locator(':focus')).waitFor();
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.type(text);
  }

  /** By its key, which both have at hand. */
  async search(text: string, result: RegExp): Promise<void> {
    await this.page.keyboard.press('/');
    await this.page.keyboard.type(text);
    await this.page.getByRole('option', { name: result, selected: true }).waitFor();
    await this.page.keyboard.press('Enter');
    await this.page.getByRole('combobox', { name: 'Search your home' }).waitFor({ state: 'detached' });
  }
}

export class Pointer extends Hands {
  async press(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.click();
  }

  tick(target: Locator): Promise<void> {
    return this.press(target);
  }

  async write(field: Locator, text: string): Promise<void> {
    await this.press(field);
    await field.fill(text);
  }

  async setMoment(field: Locator): Promise<void> {
    await this.write(field, '2099-12-12T11:11');
  }

  async choose(box: Locator, option: Locator): Promise<void> {
    await this.press(box);
    await this.press(option);
  }

  async select(tile: Locator): Promise<void> {
    this.clicks += 1;
    await tile.click({ modifiers: ['Control'] });
  }
}

export class Keyboard extends Hands {
  async press(target: Locator): Promise<void> {
    await this.#goTo(target);
    await target.press('Enter');
  }

  async tick(target: Locator): Promise<void> {
    await this.#goTo(target);
    if (!(await target.isChecked())) await target.press('Space');
  }

  async write(field: Locator, text: string): Promise<void> {
    await this.#goTo(field);
    await this.type(field, text);
  }

  async setMoment(field: Locator): Promise<void> {
    await this.#goTo(field);
    const { keyboard } = this.page;
    // Day and month are the same, and a clock of 24 hours takes no letter: the order of a country doesn't matter.
    await keyboard.type('12122099');
    await keyboard.press('ArrowRight');
    await keyboard.type('1111A');
    await expect.poll(() => field.inputValue()).toBe('2099-12-12T11:11');
  }

  async choose(box: Locator, option: Locator): Promise<void> {
    await this.#goTo(box);
    await box.press('ArrowDown');
    await option.waitFor();
    const isSelected = () => option.evaluate((element) => element.matches('[data-combobox-selected]'));
    for (let steps = 0; !(await isSelected()); steps += 1) {
      expect(steps).toBeLessThan(MAX_STEPS);
      await this.page.keyboard.press('ArrowDown');
    }
    await this.page.keyboard.press('Enter');
    await option.waitFor({ state: 'hidden' });
  }

  async select(tile: Locator): Promise<void> {
    const box = tile.getByRole('checkbox');
    // Once tiles are being selected, each of them is a checkbox.
    if ((await box.count()) > 0) return this.tick(box);
    const body = tile.getByRole('button');
    await this.#goTo(body);
    await body.press('m');
    await this.page.locator('[role=menuitem]:focus').waitFor();
    const item = this.page.getByRole('menuitem', { name: 'Select', exact: true });
    await this.#goTo(item, 'ArrowDown');
    await item.press('Enter');
    await box.waitFor();
  }

  /**
   * From where the focus is, which a dialog takes when it opens. Of several radios, only one is on the way: the arrows
   * lead to the others.
   */
  async #goTo(target: Locator, key = 'Tab'): Promise<void> {
    await target.waitFor({ state: 'attached' });
    const isWithin = () =>
      target.evaluate((element) => element.closest('[role=dialog]')?.matches(':focus-within') !== false);
    await expect.poll(isWithin).toBe(true);
    const isThere = () => target.evaluate((element) => element.matches(':focus'));
    const group = (await target.evaluate((element, radio) => element.matches(radio), RADIO))
      ? await target.getAttribute('name')
      : null;
    const isInGroup = () =>
      this.page
        .locator(`${RADIO}[name=${JSON.stringify(group)}]:focus`)
        .count()
        .then((count) => count > 0);
    for (let steps = 0; !(await isThere()); steps += 1) {
      if (steps === MAX_STEPS) throw new Error(`No key leads to ${target}`);
      await this.page.keyboard.press(group !== null && (await isInGroup()) ? 'ArrowDown' : key);
    }
  }
}

export const WAYS = { 'by pointer': Pointer, 'by the keyboard alone': Keyboard };
