import type { MiddlewareKind } from './port.ts';

/** One log line a run: ids and numbers, no words of anybody. */
export const runLog: MiddlewareKind = {
  name: 'run-log',
  create: () => {
    let startedAt = 0;
    return {
      beforeRun: (run) => {
        startedAt = run.clock.now();
      },
      afterRun: (run, result) => {
        const fields = { status: result.status, steps: run.step, ms: run.clock.now() - startedAt };
        if (result.status === 'failed')
          run.logger.warn({ ...fields, code: result.code }, `run failed: ${result.detail}`);
        else run.logger.info(fields, 'run ended');
        return result;
      },
    };
  },
};
