import { openDataDirectory, startEmbedded } from '../../src/servers/embedded/index.ts';

/**
 * A process for tests to kill: starts the services in the given directory, prints their addresses,
 * and keeps running.
 */
const directory = await openDataDirectory(process.argv[2] ?? '');
const services = { postgres: true, redis: true };
const { ownerUrl } = await startEmbedded({
  directory,
  services,
  redisEngine: 'wasm',
  durable: false,
});
process.stdout.write(`${JSON.stringify({ ownerUrl })}\n`);
