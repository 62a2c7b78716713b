/** For Node.js, Bun and Deno. It neither flushes nor exits: reports are sent, and the process ends, by themselves. */

import process from 'node:process';
import { callModels } from './call-models.js';

console.log(JSON.stringify(await callModels(JSON.parse(process.env.AGENT))));
