import { PasswordInput } from '@mantine/core';
import { MIN_PASSWORD_LENGTH } from '../session/password.ts';

interface NewPasswordInputProps {
  readonly label?: string;
  /** What choosing it has as a consequence. */
  readonly consequence?: string;
  readonly size?: 'md';
  readonly autoFocus?: boolean;
  readonly value: string;
  readonly onChange: (password: string) => void;
}

export function NewPasswordInput(props: NewPasswordInputProps) {
  const { label = 'Password', consequence, onChange, ...others } = props;
  const rule = `At least ${MIN_PASSWORD_LENGTH} characters`;
  return (
    <PasswordInput
      {...others}
      label={label}
      description={consequence === undefined ? rule : `${rule}. ${consequence}`}
      autoComplete="new-password"
      required
      withAsterisk={false}
      minLength={MIN_PASSWORD_LENGTH}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
