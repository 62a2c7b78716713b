import { EmptyState } from '../../components/empty-state.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { PageHeader } from '../../components/page-header.tsx';

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState
        icon="search"
        title="This page does not exist"
        action={<LinkButton href="/">Go to the overview</LinkButton>}
      >
        Check the address, or go back to the overview.
      </EmptyState>
    </>
  );
}
