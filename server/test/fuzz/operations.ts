/** What the OpenAPI document says about each operation. */

export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly $ref?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: Schema;
}

export type CredentialKind = 'apiKey' | 'dashboardToken';

export interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Any of them will do; none: the operation is for everybody. */
  readonly credentials: readonly CredentialKind[];
  readonly body: Schema | null;
  /** Reply schemas by status. */
  readonly replies: Readonly<Record<string, Schema | null>>;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly Partial<Record<CredentialKind, unknown>>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: operation.operationId,
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters ?? [],
      credentials: (operation.security ?? []).flatMap((kinds) => Object.keys(kinds) as CredentialKind[]),
      body: operation.requestBody?.content['application/json']?.schema ?? null,
      replies: Object.fromEntries(
        Object.entries(operation.responses).map(([status, { content }]) => [
          status,
          content === undefined ? null : (Object.values(content)[0]?.schema ?? null),
        ]),
      ),
    })),
  );
}
