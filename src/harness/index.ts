import { runTurn } from './loop.ts';
import { defaultChain } from './middleware/index.ts';
import { Endpoints } from './model/endpoint.ts';
import { probeModel } from './model/probe.ts';
import { ModelService } from './model/service.ts';
import type { Harness, HarnessOptions } from './port.ts';
import { builtInTools } from './tools/index.ts';

/**
 * Makes the harness of a process. What is known of model endpoints (connections, breakers, limits on calls at once)
 * lives in it, so there should be one.
 *
 * @example
 * const harness = createHarness({ log, clock: systemClock });
 * for await (const event of harness.run(request)) …
 */
export function createHarness({ log, clock }: HarnessOptions): Harness {
  const endpoints = new Endpoints(clock);
  const models = new ModelService({ endpoints, clock, log, random: Math.random });
  const parts = { models, tools: builtInTools(), newChain: defaultChain, clock, log };
  return {
    run: (request) => runTurn(parts, request),
    probeModel: (model, signal = new AbortController().signal) =>
      probeModel(endpoints.get(model), model, clock, signal),
  };
}
