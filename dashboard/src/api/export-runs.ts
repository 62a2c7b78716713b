import { api, unwrap } from './api-client.ts';
import { type RunFilter, toRunParameters } from './queries.ts';

export type ExportFormat = 'csv' | 'jsonl';

/**
 * Saves all runs that match as a file. The token is a header, so a link alone would not do. Without the time limit of other
 * requests: an export of a million runs takes as long as it takes.
 */
export async function exportRuns(filter: RunFilter, format: ExportFormat): Promise<void> {
  const content = await unwrap(
    api.GET('/v1/runs/export', {
      params: { query: { ...toRunParameters(filter), format } },
      parseAs: 'blob',
      fetch: (request) => fetch(request),
    }),
  );
  save(content, `runs.${format}`);
}

function save(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
