/**
 * The addresses of the pages of a user and of a model. The name is a parameter, because browsers resolve "." and ".." in a path, even
 * if percent-encoded.
 */

export const USER_PATH = '/users/view';
export const MODEL_PATH = '/models/view';

export function userHref(userId: string): string {
  return `${USER_PATH}?${new URLSearchParams({ user: userId })}`;
}

export function modelHref(model: string): string {
  return `${MODEL_PATH}?${new URLSearchParams({ model })}`;
}

/** The runs of a user, in the list. */
export function runsOfUserHref(userId: string): string {
  return `/runs?${new URLSearchParams({ user: userId })}`;
}
