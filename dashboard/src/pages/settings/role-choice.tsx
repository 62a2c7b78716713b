import { Radio, Stack } from '@mantine/core';
import { ROLE_NAMES, ROLES, type Role } from '../../format/roles.ts';

interface RoleChoiceProps {
  readonly label: string;
  readonly value: Role;
  readonly onChange: (role: Role) => void;
}

/** The roles, with what each of them may do. */
export function RoleChoice({ label, value, onChange }: RoleChoiceProps) {
  return (
    <Radio.Group label={label} value={value} onChange={(chosen) => onChange(chosen as Role)}>
      <Stack gap="xs" mt="xs">
        {ROLE_NAMES.map((role) => (
          <Radio key={role} value={role} label={ROLES[role].label} description={ROLES[role].description} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
