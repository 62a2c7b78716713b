/** Finds what is wrong with a reply: its status, its shape, its headers. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenApiDocument, Operation, Schema } from './operations.js';

export interface FuzzReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Refusals that can happen before a route is chosen. */
const STATUSES_OF_EVERY_PATH = [400, 404, 405, 417, 431];

const ERROR_PATTERN = /^\{"detail":"(?:[^"\\]|\\.)+"\}$/s;

export class ReplyOracle {
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #compiled = new Map<string, ValidateFunction>();
  readonly #components: Readonly<Record<string, Schema>>;

  constructor(document: OpenApiDocument) {
    this.#components = document.components.schemas;
  }

  /** `operation` is null when the request was modified so much that it may be any or none. */
  problemOf(operation: Operation | null, reply: FuzzReply): string | null {
    const { status, headers, text } = reply;
    if (status >= 500) return 'a client must not be able to cause this';
    if (headers['set-cookie'] !== undefined) return 'nothing of the request may become a header';
    if (headers['x-request-id'] === undefined) return 'every answer has an id';
    if (status >= 400 && !ERROR_PATTERN.test(text)) return 'an error must be {"detail": "…"}';
    if (operation === null) return null;
    const schema = operation.replies[status];
    if (schema === undefined)
      return STATUSES_OF_EVERY_PATH.includes(status) ? null : 'this status is not documented';
    if (schema === null) return text === '' ? null : 'this reply must be empty';
    if (schema.type === 'string') return null;
    const validate = this.#validator(`${operation.name} ${status}`, schema);
    return validate(JSON.parse(text)) ? null : JSON.stringify(validate.errors);
  }

  #validator(name: string, schema: Schema): ValidateFunction {
    const known = this.#compiled.get(name);
    if (known !== undefined) return known;
    const compiled = this.#ajv.compile({ ...schema, components: { schemas: this.#components } });
    this.#compiled.set(name, compiled);
    return compiled;
  }
}
