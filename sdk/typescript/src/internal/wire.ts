/** The API has names with underscores, this package has camelCase. Only the transport converts between them. */

/** Data of the caller, and maps by name: what they contain is left as it is. */
const OPAQUE_NAMES = ['metadata', 'input_data', 'output_data', 'evaluated_rules'] as const;
const OPAQUE: ReadonlySet<string> = new Set([...OPAQUE_NAMES, ...OPAQUE_NAMES.map(toCamelCase)]);

type Opaque = (typeof OPAQUE_NAMES)[number];

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** A type of the API as this package shows it. */
export type CamelCased<Value> = Value extends readonly (infer Item)[]
  ? readonly CamelCased<Item>[]
  : Value extends object
    ? {
        [Name in keyof Value as CamelCase<Name>]: Name extends Opaque ? Value[Name] : CamelCased<Value[Name]>;
      }
    : Value;

export function fromWire(value: unknown): unknown {
  return renamed(value, toCamelCase);
}

export function toWire(value: unknown): unknown {
  return renamed(value, toSnakeCase);
}

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      rename(name),
      OPAQUE.has(name) ? item : renamed(item, rename),
    ]),
  );
}

function toCamelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
