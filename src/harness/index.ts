import { delegationSource } from './delegation/tools.ts';
import { imageSource } from './images/view-image.ts';
import { type LoopParts, runTurn } from './loop.ts';
import { memorySource } from './memory/tools.ts';
import type { Chain } from './middleware/chain.ts';
import { defaultChain } from './middleware/index.ts';
import { complete } from './model/complete.ts';
import { Endpoints } from './model/endpoint.ts';
import { probeModel } from './model/probe.ts';
import { ModelService } from './model/service.ts';
import type { Completer, Harness, HarnessOptions } from './port.ts';
import { noWorkspaces } from './sandbox/none.ts';
import { scheduleSource } from './schedules/tools.ts';
import { skillSource } from './skills/tools.ts';
import { FairLimiter } from './subagents/limiter.ts';
import { taskSource } from './subagents/task.ts';
import { reservedNames } from './tool-names.ts';
import { builtInTools } from './tools/index.ts';
import { registrySource } from './tools/sources.ts';

/**
 * Makes the harness of a process. What is known of model endpoints (connections, breakers, limits on calls at once)
 * lives in it, so there should be one.
 *
 * @example
 * const harness = createHarness({ log, clock: systemClock });
 * for await (const event of harness.run(request)) …
 */
export function createHarness(options: HarnessOptions): Harness & Completer {
  const {
    log,
    clock,
    workspaces = noWorkspaces,
    sources,
    guardrails,
    skills,
    skillSecrets,
    converter,
    memory,
  } = options;
  const endpoints = new Endpoints(clock);
  const models = new ModelService({ endpoints, clock, log, random: Math.random });
  const tools = [
    registrySource('built in', builtInTools(converter), workspaces),
    taskSource(() => parts, new FairLimiter()),
    imageSource,
    delegationSource,
    scheduleSource,
    ...(skills === undefined ? [] : [skillSource(skills)]),
    ...(memory === undefined ? [] : [memorySource(memory)]),
    ...(sources ?? []),
  ];
  const newChain = (): Chain => defaultChain({ guardrails, skills, skillSecrets, memory });
  const parts: LoopParts = { models, tools, reserved: reservedNames(), workspaces, newChain, clock, log };
  return {
    run: (request) => runTurn(parts, request),
    complete: (completion) => complete(models, completion),
    probeModel: (model, signal = new AbortController().signal) =>
      probeModel(endpoints.get(model), model, clock, signal),
  };
}
