/** As the service requires. */
export const MIN_PASSWORD_LENGTH = 8;
