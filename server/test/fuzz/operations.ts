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
  /** Any of them is accepted; empty: the operation needs no credential. */
  readonly credentials: readonly CredentialKind[];
  readonly body: Schema | null;
  /** Reply schemas by status. */
  readonly replies: Readonly<Record<string, Schema | null>>;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly Partial<Record<CredentialKind, unknown>>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
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
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          schemaOf('$ref' in response ? sharedResponse(document, response.$ref) : response),
        ]),
      ),
    })),
  );
}

/** null: the reply is empty. */
function schemaOf({ content }: Response): Schema | null {
  return content === undefined ? null : (Object.values(content)[0]?.schema ?? null);
}

function sharedResponse({ components }: OpenApiDocument, reference: string): Response {
  const response = components.responses[reference.replace('#/components/responses/', '')];
  if (response === undefined) throw new Error(`${reference} does not exist`);
  return response;
}
