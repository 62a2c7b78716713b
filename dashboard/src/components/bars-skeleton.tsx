import { Skeleton, Stack } from '@mantine/core';

export function BarsSkeleton() {
  return (
    <Stack gap={22} pt={6} role="status" aria-label="Loading">
      {[92, 74, 58, 40].map((width) => (
        <Skeleton key={width} height={14} width={`${width}%`} radius="sm" />
      ))}
    </Stack>
  );
}
