import type { SandboxEntry } from '../../config/schema/sandbox.ts';
import type { EngineState } from '../../harness/sandbox/docker/engine.ts';
import { fail, ok, type Verdict, warn } from './check.ts';

/** Can commands be run? Without an engine assistants have no shell, which only one who asked for Docker did not want. */
export async function checkSandbox(
  { engine, image, host }: SandboxEntry,
  ask: () => Promise<EngineState>,
): Promise<Verdict> {
  if (engine === 'none') return ok('no commands, as configured; assistants have files');
  const missed = engine === 'docker' ? fail : warn;
  const state = await ask();
  switch (state.kind) {
    case 'ready':
      return ok(`the engine (${state.version}) answers and has ${image}: commands can be run`);
    case 'no_image':
      return missed(`the engine has no image ${image}, so there is no shell; docker build -t ${image} deploy/sandbox`);
    case 'unreachable': {
      const what = `no engine at ${host} (${state.problem}): assistants have files, but no shell`;
      if (engine === 'auto') return ok(what);
      return fail(`${what}; start Docker, give this user the right to its socket, or set sandbox.host (DOCKER_HOST)`);
    }
    default:
      return state satisfies never;
  }
}
