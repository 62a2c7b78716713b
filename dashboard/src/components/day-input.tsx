import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { dayIn } from '../format/days.ts';

interface DayInputProps {
  readonly label: string;
  readonly day: string | null;
  readonly onChange: (day: string | null) => void;
  readonly className?: string | undefined;
}

/** Filters as soon as a day is complete, and keeps what is typed until then. */
export function DayInput({ label, day, onChange, className }: DayInputProps) {
  const [text, setText] = useState(day ?? '');
  useEffect(() => setText(day ?? ''), [day]);
  const change = (typed: string) => {
    setText(typed);
    if (typed === '' || dayIn(typed) !== null) onChange(dayIn(typed));
  };
  return (
    <TextInput
      className={className ?? ''}
      label={label}
      type="date"
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
