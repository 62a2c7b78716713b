import { EmptyState } from '../../components/empty-state.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { PageHeader } from '../../components/page-header.tsx';

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState
        icon="search"
        title="There is no page at this address"
        action={<LinkButton href="/">Go to the overview</LinkButton>}
      >
        It may have been mistyped, or the page may have moved.
      </EmptyState>
    </>
  );
}
