/** Where a change comes from, for the audit log. */

import type { FastifyRequest } from 'fastify';
import type { Authority, Origin } from '../domain/audit.js';
import { requirePrincipal } from './authenticate.js';
import { accessOf } from './server-types.js';

export type OriginReader = (request: FastifyRequest) => Origin;

export function originReader(addressOf: (request: FastifyRequest) => string): OriginReader {
  return (request) => ({
    actor: actorOf(request),
    requestId: request.id,
    ipAddress: addressOf(request),
    authority: authorityOf(request),
  });
}

function authorityOf(request: FastifyRequest): Authority {
  const principal = requirePrincipal(request);
  if (principal.kind === 'machine') return { type: 'api_key', id: principal.apiKeyId };
  const { id, tokenVersion } = principal.account;
  const { method, url, routeOptions } = request;
  return {
    type: 'account',
    id,
    tokenVersion,
    access: accessOf({ method, url, config: routeOptions.config }),
  };
}

function actorOf(request: FastifyRequest): Origin['actor'] {
  const principal = requirePrincipal(request);
  if (principal.kind === 'person')
    return { type: 'account', id: principal.account.id, label: principal.account.email };
  return { type: 'api_key', id: principal.apiKeyId, label: principal.label };
}
