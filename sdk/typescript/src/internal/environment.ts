/** Reads environment variables, which not every runtime has. */

export function readEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } };
  const value = process?.env?.[name];
  return value === '' ? undefined : value;
}
