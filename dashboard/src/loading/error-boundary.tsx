import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** Another value is another attempt. */
  readonly attempt?: string;
  readonly fallback: (error: unknown) => ReactNode;
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly failure: { readonly error: unknown; readonly attempt: string | undefined } | null;
}

/** What cannot be drawn is replaced, and the rest of the page stays. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failure: null };

  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { failure: { error, attempt: undefined } };
  }

  static getDerivedStateFromProps(
    { attempt }: ErrorBoundaryProps,
    { failure }: ErrorBoundaryState,
  ): ErrorBoundaryState {
    if (failure === null) return { failure };
    if (failure.attempt === undefined) return { failure: { ...failure, attempt: attempt ?? '' } };
    return { failure: failure.attempt === (attempt ?? '') ? failure : null };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    return failure === null ? this.props.children : this.props.fallback(failure.error);
  }
}
