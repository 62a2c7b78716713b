import { CloseButton, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';

interface FilterInputProps {
  readonly className?: string | undefined;
  readonly label: string;
  readonly placeholder: string;
  readonly maxLength: number;
  readonly applied: string | null;
  /** Null does not filter. */
  readonly toFilter: (text: string) => string | null;
  readonly onApply: (filter: string | null) => void;
}

/** Filters on submit and on blur: filtering on every keystroke would only flicker. */
export function FilterInput(props: FilterInputProps) {
  const { className, label, placeholder, maxLength, applied, toFilter, onApply } = props;
  const [text, setText] = useState(applied ?? '');
  useEffect(() => setText(applied ?? ''), [applied]);
  const isIncomplete = text !== '' && toFilter(text) === null;
  const apply = (typed: string) => {
    // A text from a link is not trimmed: it may begin or end with a space.
    if (typed === (applied ?? '')) return;
    const wanted = toFilter(typed);
    if (wanted !== applied && (wanted !== null || typed === '')) onApply(wanted);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply(text);
  };
  return (
    <form onSubmit={submit} className={className}>
      <TextInput
        label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        rightSection={
          text !== '' && (
            <CloseButton
              size="sm"
              aria-label={`Clear the ${label.toLowerCase()} filter`}
              onClick={() => (applied === null ? setText('') : apply(''))}
            />
          )
        }
        error={isIncomplete && text.trim() !== '' ? `Like ${placeholder}` : null}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => apply(text)}
      />
    </form>
  );
}
