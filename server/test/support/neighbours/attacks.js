/**
 * The attacks of a hostile or heavy tenant: each is a number of connections that send one request after the other, without a
 * pause and regardless of the answer. Requests are prepared, so that the attacker uses little CPU.
 */

const MEBIBYTE = 1024 * 1024;
const JSON_HEADERS = { 'content-type': 'application/json' };

/** One of them again and again. */
const INVITED = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'again' : `guest-${index}`)).map(
  (name) => `${name}@example.com`,
);

function invite(token, email) {
  return {
    method: 'POST',
    path: '/v1/members/invitations',
    headers: { ...JSON_HEADERS, authorization: `Bearer ${token}` },
    body: JSON.stringify({ email, role: 'viewer' }),
  };
}

/** Returns the attacks by name: connections, and the next request of each. */
export function attacksOn({ tenant, ownerEmail, hostileBodies }) {
  const { apiKey, token, runId, heavyRunId } = tenant;
  const authorization = { authorization: `Bearer ${apiKey}` };
  const get = (path) => ({ method: 'GET', path, headers: authorization });
  const write = (method) => (path, body) => ({
    method,
    path,
    headers: { ...JSON_HEADERS, ...authorization },
    body,
  });
  const [post, put, patch] = ['POST', 'PUT', 'PATCH'].map(write);
  const anonymous = (path, body) => ({ method: 'POST', path, headers: JSON_HEADERS, body });
  const step = (inputData) =>
    JSON.stringify({ type: 'TOOL_CALL', sequence: 1, tool_name: 'search', input_data: inputData });
  const steps = `/v1/runs/${runId}/steps`;
  const bodies = hostileBodies.large.map((body) => post(steps, body));
  const smallBodies = hostileBodies.small.map((body) => anonymous('/v1/auth/login', body));
  return {
    'large steps': { connections: 100, requests: [post(steps, step({ text: 'x'.repeat(MEBIBYTE - 200) }))] },
    'flood of small steps': { connections: 500, requests: [post(steps, step({ question: 'again?' }))] },
    'hostile bodies': { connections: 20, requests: [...bodies, ...smallBodies] },
    'heavy runs': {
      connections: 10,
      requests: [get(`/v1/runs/${heavyRunId}`), get(`/v1/runs/${heavyRunId}/decisions`)],
    },
    reports: {
      connections: 20,
      requests: [
        get('/v1/usage/daily?days=366'),
        get('/v1/usage/summary'),
        get('/v1/model-pricing/'),
        get('/v1/api-keys/'),
        get('/v1/users/?page=2147483647'),
        get('/v1/users/?page=500&per_page=100'),
        get('/v1/runs/?per_page=100'),
      ],
    },
    registrations: {
      connections: 100,
      requests: [
        anonymous('/v1/auth/register', JSON.stringify({ email: ownerEmail, password: 'a wrong password' })),
        anonymous('/v1/auth/login', JSON.stringify({ email: ownerEmail, password: 'a wrong password' })),
      ],
    },
    settings: {
      connections: 50,
      requests: [
        post('/v1/workspace/kill-switch', JSON.stringify({ active: false })),
        put('/v1/model-pricing/mine', JSON.stringify({ input_cost_per_token: 0, output_cost_per_token: 0 })),
        post('/v1/users/mallory/block'),
        post('/v1/users/mallory/unblock'),
        patch('/v1/workspace/', JSON.stringify({ name: 'x'.repeat(255) })),
        patch('/v1/workspace/', JSON.stringify({ name: 'y'.repeat(255) })),
        get('/v1/audit-log/?page=2147483647'),
        get('/v1/audit-log/?action=workspace.updated&per_page=100'),
        ...(token === undefined ? [] : INVITED.map((email) => invite(token, email))),
      ],
    },
  };
}
