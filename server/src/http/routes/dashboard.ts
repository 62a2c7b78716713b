/** The dashboard at `/`. The not-found handler serves its other pages, because they have no routes. */

import Type from 'typebox';
import { notFound } from '../../domain/app-error.js';
import type { DashboardFiles } from '../dashboard-files.js';
import type { HttpServer } from '../server-types.js';

export function dashboardRoutes(server: HttpServer, { dashboard }: { dashboard: DashboardFiles }): void {
  server.get('/', { config: { auth: 'none' }, schema: { hide: true } }, (_request, reply) =>
    dashboard.sendPage(reply),
  );

  server.get(
    '/assets/*',
    { config: { auth: 'none' }, schema: { hide: true, params: Type.Object({ '*': Type.String() }) } },
    (request, reply) => {
      if (!dashboard.sendFile(`/assets/${request.params['*']}`, request, reply)) throw notFound('Not found');
      return reply;
    },
  );

  for (const path of dashboard.rootPaths) {
    server.get(path, { config: { auth: 'none' }, schema: { hide: true } }, (request, reply) => {
      dashboard.sendFile(path, request, reply);
      return reply;
    });
  }
}
