/** The stream that tells a page that what it shows may have changed. */

import Type from 'typebox';
import type { EventStreams } from '../event-streams.js';
import type { HttpServer } from '../server-types.js';

export function eventRoutes(server: HttpServer, { streams }: { streams: EventStreams }): void {
  server.get(
    '/v1/events',
    {
      config: { auth: 'any', access: 'read', isStream: true },
      schema: {
        operationId: 'streamEvents',
        summary: 'Follow changes',
        description:
          'Server-sent events. `ready` says that every change from now on is told; `change` has `{"topics": […]}`, where `runs` stands ' +
          'for runs, steps and usage, and `settings` for everything that has an entry in the audit log. Nothing else is told: read ' +
          'again what you show. At most one `change` a second. If there are too many streams, the response is 503.',
        tags: ['Events'],
        response: {
          200: { description: 'The events', content: { 'text/event-stream': { schema: Type.String() } } },
        },
      },
    },
    (request, reply) => streams.send(request, reply),
  );
}
