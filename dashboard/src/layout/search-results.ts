/** What the search shows, in one list for the arrow keys. */

import type { Schemas } from '../api/api-client.ts';
import type { IconName } from '../components/icon.tsx';
import { userHref } from '../format/page-address.ts';
import { formatDateTime } from '../format/time.ts';
import type { PageLink } from './pages.ts';

export interface SearchHit {
  readonly href: string;
  readonly icon: IconName;
  readonly label: string;
  readonly detail: string;
}

/** Pages by a part of their name, then what the service has found. */
export function toHits(
  text: string,
  pages: readonly PageLink[],
  found: Schemas['SearchResult'] | undefined,
  now: number,
): readonly SearchHit[] {
  const wanted = text.trim().toLowerCase();
  const named = pages.filter(({ label }) => label.toLowerCase().includes(wanted));
  const hits: SearchHit[] = named.map(({ href, icon, label }) => ({ href, icon, label, detail: 'Page' }));
  if (found === undefined || wanted === '') return hits;
  if (found.step !== null) {
    const { id, run_id } = found.step;
    hits.push({ href: `/runs/${run_id}?step=${id}`, icon: 'runs', label: id, detail: 'Step' });
  }
  for (const { id, user_id, started_at } of found.runs) {
    const detail = `Run of ${user_id}, ${formatDateTime(started_at, now)}`;
    hits.push({ href: `/runs/${id}`, icon: 'runs', label: id, detail });
  }
  for (const { user_id } of found.users) {
    hits.push({ href: userHref(user_id), icon: 'users', label: user_id, detail: 'User' });
  }
  return hits;
}
