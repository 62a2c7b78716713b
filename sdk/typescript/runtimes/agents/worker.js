/** For workerd: the end of the run is sent after the response. */

import { callModels } from './call-models.js';

export default {
  async fetch(request, _environment, context) {
    const waitUntil = (work) => context.waitUntil(work);
    return Response.json(await callModels({ ...(await request.json()), waitUntil }));
  },
};
