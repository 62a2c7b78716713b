/** A store that cannot be opened for a reason its operator can mend: the message is one line for them. */
export class OpenStoreError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'OpenStoreError';
  }
}
