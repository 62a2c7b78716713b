import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ExportFormat, exportRuns } from '../../api/export-runs.ts';
import type { RunFilter } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';

const FORMATS: readonly { readonly format: ExportFormat; readonly label: string }[] = [
  { format: 'csv', label: 'CSV' },
  { format: 'jsonl', label: 'JSON lines' },
];

/** Saves all runs of the list, not only the page. */
export function ExportButton({ filter }: { filter: RunFilter }) {
  const save = useMutation({ mutationFn: (format: ExportFormat) => exportRuns(filter, format) });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" loading={save.isPending}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {FORMATS.map(({ format, label }) => (
            <Menu.Item key={format} onClick={() => save.mutate(format)}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {save.error !== null && <ErrorNotice error={save.error} />}
    </>
  );
}
