import type { Page } from '../api-types.js';

const PER_PAGE = 100;

/** Reads page after page. Items that move to the next page meanwhile, because new ones came before them, are not repeated. */
export async function* allPages<Item extends object>(
  list: (place: { page: number; perPage: number }) => Promise<Page<Item>>,
  idOf: (item: Item) => string,
): AsyncGenerator<Item> {
  let before = new Set<string>();
  for (let page = 1; ; page += 1) {
    const { items } = await list({ page, perPage: PER_PAGE });
    for (const item of items) if (!before.has(idOf(item))) yield item;
    if (items.length < PER_PAGE) return;
    before = new Set(items.map(idOf));
  }
}
