import { Hono } from 'hono';
import { z } from 'zod';
import { readBody } from '../base/body.ts';
import { AntlerError, asAntlerError, type ErrorCode } from '../base/errors.ts';
import { errorResponse, failureResponse, jsonResponse, readJson } from '../base/http.ts';
import type { Logger } from '../base/logger.ts';
import type { ModelProbe } from '../harness/port.ts';
import { normalizeBaseUrl, versionHint } from './base-url.ts';
import type { ModelSettings, SavedModel } from './model-settings.ts';

/** A model that the file or the environment names; it wins over a saved one, and the page cannot change it. */
export interface FixedModel {
  readonly name: string;
  readonly baseUrl: string;
  readonly demo: boolean;
}

/** What `GET /api/v1/setup` says. */
export interface SetupStatus {
  readonly model: 'none' | 'configured' | 'demo';
  readonly name?: string;
  readonly base_url?: string;
  readonly source: 'configuration' | 'saved' | 'none';
  readonly editable: boolean;
  /** Why the saved model cannot be used, and what to do. */
  readonly problem?: string;
}

export type EndpointModel = Extract<SavedModel, { kind: 'endpoint' }>;

export interface ModelSetupOptions {
  readonly models: ModelSettings;
  /** Asked each time, because a changed file counts at once. */
  readonly fixed: () => FixedModel | null;
  /** One short call that proves the endpoint. */
  readonly probe: (model: EndpointModel, signal: AbortSignal) => Promise<ModelProbe>;
  readonly log: Logger;
}

const MAX_BODY_BYTES = 16_384;
const PROBE_TIMEOUT_MS = 45_000;

const line = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would end the HTTP header that it goes into
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'expected a single line');

/** Endpoints of one's own machine often take no key: an empty one is sent as it is. */
const request = z.object({
  base_url: line(2_000).min(1),
  api_key: line(4_000).default(''),
  model: line(300).min(1),
});

/** The routes below `/api/v1/setup`. The guard stands before them. */
export function modelSetup({ models, fixed, probe, log }: ModelSetupOptions): Hono {
  const app = new Hono();

  const status = async (): Promise<SetupStatus> => {
    const given = fixed();
    if (given !== null) {
      const { name, baseUrl, demo } = given;
      const model = demo ? 'demo' : 'configured';
      return { model, name, base_url: baseUrl, source: 'configuration', editable: false };
    }
    return savedStatus(models);
  };

  const refuseFixed = (): void => {
    if (fixed() === null) return;
    throw new AntlerError(
      'conflict',
      'The model is set in the configuration file or the environment; change it there.',
    );
  };

  app.get('/', async () => jsonResponse(200, await status()));

  app.post('/model', async (c) => {
    refuseFixed();
    const { base_url, api_key, model } = readBody(request, await readJson(c.req.raw, MAX_BODY_BYTES));
    const candidate: EndpointModel = { kind: 'endpoint', baseUrl: normalizeBaseUrl(base_url), apiKey: api_key, model };
    const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)]);
    const result = await probe(candidate, signal);
    if (!result.ok) {
      log.info({ base_url: candidate.baseUrl, model, code: result.code }, 'a model was tried on the page and failed');
      return jsonResponse(422, { error: refusalOf(result, candidate) });
    }
    await models.save(candidate);
    log.info({ base_url: candidate.baseUrl, model, ms: result.ms }, 'the model was set on the page');
    return jsonResponse(200, await status());
  });

  app.post('/demo', async () => {
    refuseFixed();
    await models.save({ kind: 'demo' });
    log.info({}, 'the demo model was chosen on the page');
    return jsonResponse(200, await status());
  });

  app.delete('/model', async () => {
    refuseFixed();
    await models.clear();
    log.info({}, 'the saved model was removed on the page');
    return jsonResponse(200, await status());
  });

  app.onError((thrown) => {
    const error = asAntlerError(thrown);
    if (error === thrown && error.code !== 'internal') return errorResponse(error);
    log.error({ error: error.message }, 'a setup request failed');
    return failureResponse(500, 'internal', 'Something went wrong here; the log says more.');
  });
  return app;
}

/** A key that cannot be decrypted must not hide which model it belongs to. */
async function savedStatus(models: ModelSettings): Promise<SetupStatus> {
  try {
    const saved = await models.info();
    if (saved === null) return { model: 'none', source: 'none', editable: true };
    if (saved.kind === 'demo') return { model: 'demo', source: 'saved', editable: true };
    const shown = { name: saved.model, base_url: saved.baseUrl, source: 'saved', editable: true } as const;
    try {
      await models.read();
      return { model: 'configured', ...shown };
    } catch (error) {
      return { model: 'none', ...shown, problem: asAntlerError(error).message };
    }
  } catch (thrown) {
    const error = asAntlerError(thrown);
    if (error.code !== 'config_invalid') throw error;
    return { model: 'none', source: 'saved', editable: true, problem: error.message };
  }
}

/** What the page and other programs are told of an endpoint that did not answer as it should. */
interface ModelRefusal {
  readonly code: ErrorCode;
  /** What is wrong and what to do, in the words of the form. */
  readonly message: string;
  /** The fact alone. */
  readonly reason: string;
  /** An address that is more likely to be right. */
  readonly suggestion?: string;
}

type FailedProbe = Extract<ModelProbe, { ok: false }>;

function refusalOf({ code, reason }: FailedProbe, { baseUrl, apiKey }: EndpointModel): ModelRefusal {
  const suggestion = code === 'not_found' ? versionHint(baseUrl) : null;
  const fact = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  const advice = suggestion === null ? adviceFor(code, apiKey !== '') : `Most base URLs end in /v1: try ${suggestion}`;
  return {
    code,
    message: `${fact} ${advice}`.trim(),
    reason,
    ...(suggestion === null ? {} : { suggestion }),
  };
}

function adviceFor(code: ErrorCode, hasKey: boolean): string {
  switch (code) {
    case 'unauthorized':
      return hasKey ? 'Check the API key.' : 'Enter an API key.';
    case 'no_credit':
      return 'Top the account up, or use the key of another one.';
    case 'not_found':
    case 'bad_input':
    case 'stream_broken':
      return 'Check the base URL and the model name.';
    case 'unavailable':
      return 'Check the base URL, and that the server runs.';
    case 'timeout':
      return 'A local model may still be loading: try again.';
    case 'rate_limited':
      return 'Try again later.';
    default:
      return '';
  }
}
