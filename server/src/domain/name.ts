/** Names that clients choose: of users and models. */

/** Characters. */
export const MAX_NAME_LENGTH = 255;

/** Whether the stores can keep the text as a name. */
export function isName(text: string): boolean {
  const isShort = text.length <= MAX_NAME_LENGTH || [...text].length <= MAX_NAME_LENGTH;
  return text !== '' && isShort && !text.includes('\0') && text.isWellFormed();
}
