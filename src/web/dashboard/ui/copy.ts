/**
 * Copies a text. Browsers offer the clipboard API over https only; over plain http the old command still works in most
 * of them.
 */

/** @returns whether it is in the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (isSecureContext) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Blocked: the other method may work.
  }
  return copyBySelection(text);
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  // Inside an open dialog, because the dialog would take the focus back.
  const place = document.activeElement?.closest('[role="dialog"]') ?? document.body;
  const focused = document.activeElement;
  place.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}
