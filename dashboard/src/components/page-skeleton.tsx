import { Skeleton } from '@mantine/core';

/** Placeholder while the code of a page loads. */
export function PageSkeleton() {
  return (
    <div className="stack" role="status" aria-label="Loading the page">
      <Skeleton height={30} width={180} radius="md" />
      <Skeleton height={120} radius="lg" />
      <Skeleton height={320} radius="lg" />
    </div>
  );
}
