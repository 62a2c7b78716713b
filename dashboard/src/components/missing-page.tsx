import { EmptyState } from './empty-state.tsx';
import type { IconName } from './icon.tsx';
import { LinkButton } from './link-button.tsx';

/** In place of a list whose URL names a page after the last one. */
export function MissingPage({ icon, firstPage }: { icon: IconName; firstPage: string }) {
  return (
    <EmptyState
      icon={icon}
      title="This page does not exist"
      action={
        <LinkButton variant="default" href={firstPage}>
          Go to the first page
        </LinkButton>
      }
    >
      The list has fewer pages.
    </EmptyState>
  );
}
