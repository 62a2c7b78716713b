import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** A new value renders the children again. */
  readonly attempt?: string;
  readonly fallback: (error: unknown) => ReactNode;
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly failure: { readonly error: unknown; readonly attempt: string | undefined } | null;
}

/** Replaces children that fail to render and leaves the rest of the page intact. */
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
