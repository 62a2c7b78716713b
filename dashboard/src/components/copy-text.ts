/**
 * Copies a text and returns whether that worked. Over plain HTTP, and in a frame that may not, browsers offer no clipboard: there, a
 * selection is copied. `origin` is the button: the selection is made next to it, because a dialog keeps the focus inside.
 */
export async function copyText(text: string, origin: HTMLElement): Promise<boolean> {
  // Typed as always present, which it is only in a secure context.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  try {
    if (clipboard !== undefined) {
      await clipboard.writeText(text);
      return true;
    }
  } catch {
    // Not permitted.
  }
  return copySelection(text, origin);
}

function copySelection(text: string, origin: HTMLElement): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  // Within the screen, so that the page does not scroll to it.
  Object.assign(field.style, { position: 'fixed', top: '0', left: '0', opacity: '0' });
  origin.after(field);
  field.select();
  try {
    return document.execCommand('copy');
  } finally {
    field.remove();
    origin.focus({ preventScroll: true });
  }
}
